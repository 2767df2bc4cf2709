"""The files of cubing.js: definitions in JSON (kpuzzle.py, alg.py), and drawings of stickers in SVG (svg.py)."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    readers={".json": "puzzlebase.tools.cubing.kpuzzle:read_kpuzzle"},
    drawings={".svg": "puzzlebase.tools.cubing.svg:read_svg"},
)

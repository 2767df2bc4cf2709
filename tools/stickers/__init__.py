"""Drawings of definitions: from a file beside one (svg.py), as nets of solids, or in rows and rings of places."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    drawings={
        ".svg": "puzzlebase.tools.stickers.svg:draw_svg",
        "": "puzzlebase.tools.stickers.rings:draw_plain",
    }
)

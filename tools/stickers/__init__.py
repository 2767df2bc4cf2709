"""Drawings of definitions: from a file beside one (svg.py), or in rows of squares (rows.py)."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    drawings={
        ".svg": "puzzlebase.tools.stickers.svg:draw_svg",
        "": "puzzlebase.tools.stickers.rows:draw_rows",
    }
)

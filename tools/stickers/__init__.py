"""Drawings of definitions, from a file beside one."""

from puzzlebase.plugins import Tool

TOOL = Tool(drawings={".svg": "puzzlebase.tools.stickers.svg:draw_svg"})

"""Drawings of definitions, from a file beside one."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    needs=("definitions",), drawings={".svg": "puzzlebase.plugins.stickers.svg:draw_svg"}
)

"""Drawings for definitions that have none: nets of some solids, rows, rings of what cycles, lamps."""

from puzzlebase.plugins import Tool

TOOL = Tool(drawings={"": "puzzlebase.tools.nets.rings:drawing_of"})

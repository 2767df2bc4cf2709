"""The definitions of cubing.js, in JSON."""

from puzzlebase.plugins import Tool

TOOL = Tool(readers={".json": "puzzlebase.tools.cubing.kpuzzle:read_kpuzzle"})

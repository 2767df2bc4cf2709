"""What is understood of a definition file, before a table is built of it."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"check": "puzzlebase.tools.check.verb:verb"})

"""The verb `check`: a definition file as it is understood, before a table is built of it."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"check": "puzzlebase.tools.check.verb:verb"})

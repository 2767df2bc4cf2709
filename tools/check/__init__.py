"""The verb `check`: how a definition file is understood, before a table is built of it."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"check": "puzzlebase.tools.check.verb:verb"})

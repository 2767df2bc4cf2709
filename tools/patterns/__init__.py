"""Searches with tables of patterns: distances where no table of the whole puzzle fits."""

from puzzlebase.plugins import Tool

TOOL = Tool(searches={"patterns": "puzzlebase.tools.patterns.search:PatternSearch"})

"""Searches with tables of patterns: distances where no table of the whole puzzle fits."""

from puzzlebase.plugins import Tool

_HERE = "puzzlebase.tools.patterns"
TOOL = Tool(
    options=dict.fromkeys(("build", "verify"), f"{_HERE}.options:ADDED"),
    searches={"patterns": f"{_HERE}.search:PatternSearch", "patterns of definitions": f"{_HERE}.definitions:Patterned"},
)

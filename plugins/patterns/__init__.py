"""Searches with tables of patterns: distances where no table of the whole puzzle fits."""

from puzzlebase.hooks import Plugin

_HERE = "puzzlebase.plugins.patterns"
PLUGIN = Plugin(
    needs=("definitions",),
    options=dict.fromkeys(("build", "verify"), f"{_HERE}.options:ADDED"),
    searches={
        "patterns": f"{_HERE}.search:PatternSearch",
        "patterns of definitions": f"{_HERE}.definitions:Patterned",
    },
)

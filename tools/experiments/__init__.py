"""Published experiments with a family's puzzles, run again."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"experiment": "puzzlebase.tools.experiments.verb:verb"})

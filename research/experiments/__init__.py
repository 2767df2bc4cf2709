"""Published experiments with a family's puzzles, run again."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"experiment": "puzzlebase.research.experiments.verb:verb"})

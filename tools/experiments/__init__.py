"""Published experiments with a family's puzzles, run again, and the measures that they take of a state."""

from puzzlebase.plugins import Tool

_VERBS = "puzzlebase.tools.experiments.verb"
TOOL = Tool(verbs={"experiment": f"{_VERBS}:verb", "measures": f"{_VERBS}:measures"})

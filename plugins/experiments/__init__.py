"""Published experiments with a family's puzzles,
run again, and the measures that they take of a state.
"""

from puzzlebase.hooks import Plugin

_VERBS = "puzzlebase.plugins.experiments.verb"
PLUGIN = Plugin(verbs={"experiment": f"{_VERBS}:verb", "measures": f"{_VERBS}:measures"})

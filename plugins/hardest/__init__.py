"""The hardest states of a puzzle, of several kinds, found by examining every move: README.md."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    verbs={"hardest": "puzzlebase.plugins.hardest.verb:verb"},
    queries={name: f"{__name__}:{name}.sql" for name in ("local-maxima", "one-optimal-move")},
)

"""The hardest states of a puzzle, of several kinds, found by examining every move: docs/hardest.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"hardest": "puzzlebase.tools.hardest.verb:verb"},
    queries={name: f"{__name__}:{name}.sql" for name in ("local-maxima", "one-optimal-move")},
)

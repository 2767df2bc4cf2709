"""Tables for others: a release is written and fetched. docs/releases.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={name: f"{__name__}.verb:{name}" for name in ("get", "release")})

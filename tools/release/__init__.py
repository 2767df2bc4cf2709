"""Tables for others: a release is written, fetched, and a table split into parts. docs/releases.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={name: f"{__name__}.verb:{name}" for name in ("get", "release", "split")})

"""Releases of tables, written for others and fetched by them: docs/releases.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={name: f"{__name__}.verb:{name}" for name in ("get", "release")})

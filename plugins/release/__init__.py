"""Releases of tables, written for others and fetched by them: README.md."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={name: f"{__name__}.verb:{name}_verb" for name in ("get", "release")})

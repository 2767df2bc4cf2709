"""Heuristics beside the distances: a method of opened puzzles. README.md."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(methods={"check_heuristic": f"{__name__}.check:check_heuristic"})

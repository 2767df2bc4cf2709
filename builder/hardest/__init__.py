"""The hardest states of a puzzle, over all of its states. docs/hardest.md."""

from puzzlebase.builder.hardest.job import HardestJob

__all__ = ["HardestJob"]

"""The makers of puzzles in Python, which `puzzlebase.puzzles` has by the hook `makers`."""

from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle
from puzzlebase.plugins.definitions.rules_puzzles import rules_puzzle
from puzzlebase.plugins.definitions.text_squares import text_squares

__all__ = ["letter_puzzle", "rules_puzzle", "text_squares"]

"""The texts of files of puzzles, and titles in them."""

from __future__ import annotations

from puzzlebase.puzzles.files import FormatError
from puzzlebase.terminal_text import printable

LONGEST_TITLE = 60

_NO_TITLES = {"PuzzleGeometryPuzzle", "Unnamed"}  # which programs fill in


def text_of_puzzle_file(content: bytes) -> str:
    """The text of a puzzle file's content; raises FormatError with its line if it is no text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError("the file is not UTF-8", "text in ASCII or UTF-8", line) from None


def title_in_puzzle_file(given: object) -> str:
    """The printable part of a title in a file of puzzles; empty if a program filled it in."""
    if not isinstance(given, str) or given in _NO_TITLES:
        return ""
    return printable(given[:LONGEST_TITLE])

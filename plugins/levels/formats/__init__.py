"""Formats of levels, a module each,
named after the ending of the files that it reads; its FORMAT says how.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlebase.plugins.levels.game import LevelGame
from puzzlebase.plugins.levels.text import LevelText, Rows, every_line


class Format(NamedTuple):
    """A format of levels."""

    game: Callable[[LevelText], LevelGame]  # makes the game of a level; raises BadLevel
    values: tuple[str, ...] = ()  # names of the values that a level may state beside its par
    has_goal: bool = False  # True if a level may have a goal of its own
    rows_of: Rows = every_line

"""Errors about puzzles, goals, states and moves, and the words that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from puzzlebase.errors import ErrorWithHint, shorten


class PuzzleError(ErrorWithHint):
    """A request that a puzzle cannot meet."""

    def again(self) -> Self:
        """Copy the error to raise it: a stored one would gather tracebacks."""
        return type(self)(str(self), self.hint)


class InvalidState(PuzzleError):
    """The text cannot be read as a state."""


class ImpossibleState(PuzzleError):
    """The text can be read, but no such state can occur, with wrong pieces for example."""


class IllegalMove(PuzzleError):
    """The move does not exist, or it is not legal in this state."""


class UnknownPuzzle(PuzzleError):
    """No family has a puzzle of this name."""


class BrokenPuzzle(UnknownPuzzle):
    """The file of a puzzle raises an unexpected error."""

    @classmethod
    def at(cls, error: BaseException, name: str, file: str = "") -> BrokenPuzzle:
        """Make the error of a puzzle in one line,
        with the line that raised in its file or folder.
        """
        from traceback import extract_tb  # noqa: PLC0415 -- only errors need it

        if isinstance(error, BrokenPuzzle):
            return error.again()
        frames = [
            each
            for each in extract_tb(error.__traceback__)
            if each.filename.startswith(file or "/")
        ]
        where = (
            f"{frames[-1].filename}, line {frames[-1].lineno}: "
            if frames
            else f"{file}: "
            if file
            else ""
        )
        if isinstance(error, SyntaxError):
            where = f"{error.filename}, line {error.lineno}: "
        what = f"{type(error).__name__}: {shorten(' '.join(str(error).split()), 200)}"
        return cls(
            f"{name} is broken: {where}{what}",
            "mend its file or move it away; no other puzzle is harmed",
        )


class LacksPlugin(UnknownPuzzle):
    """The puzzle's family needs a plugin that is not installed."""


class UnknownGoal(PuzzleError):
    """The puzzle has no goal of this name."""


class NoSpace(PuzzleError):
    """The puzzle has too many states for a table,
    or a move that nothing takes back. Its board side works.
    """


class TooManyStates(Exception):
    """There are more than `most` states;
    `layers` has the numbers found at each depth, the last one in part.
    """

    def __init__(self, most: int, layers: Sequence[int] = ()) -> None:
        super().__init__(f"more than {most:,} states")
        self.most, self.layers = most, layers


def no_index_side(name: str) -> NoSpace:
    """Make the error of a puzzle without an index side."""
    return NoSpace(
        f"{name} has too many states for a table",
        "ask about a smaller one; playing and drawing need no table",
    )


def no_way_back(name: str, what: str) -> NoSpace:
    """Make the error of moves that cannot be taken back; `what` says which."""
    return NoSpace(
        f"the moves of {name} cannot all be taken back: {what}",
        "give every move one that takes it back, or write the puzzle as a game by rules, whose "
        "moves may be one-way",
    )


def no_goal(state: str, start: str) -> ImpossibleState:
    """Make the error of a goal that cannot be reached from the start."""
    return ImpossibleState(
        f"{shorten(state)!r} cannot be reached from {shorten(start)!r}, so it is no goal",
        "take as the goal a state that can be reached from there",
    )

"""Solutions of Sokoban as players write them: a letter for each step, a capital where it pushes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.command_line.printing import Shown
    from puzzlebase.opened import OpenPuzzle
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.sources.sources import Sources

_REFUSED = dict.fromkeys(("states", "offset"), "--lurd")


def lurd(opened: OpenPuzzle, state: str) -> str:
    """A shortest solution of a state as one word, such as luurD.

    Raises InvalidRequest if the puzzle is no Sokoban, and as `solve` does.
    """
    return _word(opened.record, state, opened.solve(state)["solution"])


def _word(puzzle: Puzzle, state: str, moves: Iterable[str]) -> str:
    """The letters of moves, by the path of the player in the effect of each."""
    word = ""
    for move in moves:
        motions = puzzle.board.drawing.effect(state, move).motions or ()
        paths = {motion.piece: motion.slide for motion in motions}
        path = paths.get("player")
        if not path:
            raise InvalidRequest(f"{puzzle.name} is no Sokoban", "leave out lurd")
        legs = zip(path[::2], path[1::2], strict=True)
        letters = "".join("lr"[x > 0] if x else "ud"[y > 0] for x, y in legs)
        word += letters[:-1] + letters[-1].upper() if len(paths) > 1 else letters
        state = puzzle.play(state, move)
    return word


@dataclass(frozen=True)
class LurdOption:
    """The value of the option."""

    lurd: bool

    def source(self, _sources: Sources, _puzzle: Puzzle, _goal: str | None) -> None:
        """None: the usual source answers."""

    def shown(self, puzzle: Puzzle, shown: Shown) -> Shown:
        """The result with a word for each solution; raises InvalidRequest for another game."""
        if not self.lurd:
            return shown
        options.refuse(_REFUSED, puzzle)
        answer = dict(shown.answer)
        answer["solution"] = [_word(puzzle, answer["state"], answer["solution"])]
        if "solutions" in answer:
            words = (_word(puzzle, answer["state"], moves) for moves in answer["solutions"])
            answer["solutions"] = [[word] for word in words]
        return replace(shown, answer=answer)


SOLVE = options.Added(
    LurdOption,
    (
        click.option(
            "--lurd",
            is_flag=True,
            help="Write a solution of Sokoban as players do, a letter for each step: luurD.",
        ),
    ),
)

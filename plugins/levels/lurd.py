"""Solutions of Sokoban as players write them: a letter for each step, a capital where it pushes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.opened import OpenPuzzle
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.answers.solutions import SolveAnswer


def lurd(opened: OpenPuzzle, state: str) -> str:
    """A shortest solution of a state as one word, such as luurD.

    Raises InvalidRequest if the puzzle is no Sokoban, and as `solve` does.
    """
    [word] = opened.solve(state, lurd=True)["solution"]
    return str(word)


def in_words(puzzle: Puzzle, before: str, answer: SolveAnswer) -> None:
    """Write each solution of an answer as one word; `before` is the state before its first move.

    Raises InvalidRequest if the answer has the states on the way.
    """
    if "states" in answer:
        raise InvalidRequest("states does not go with lurd", "leave it out")
    answer["solution"] = [_word(puzzle, before, answer["solution"])]
    if "solutions" in answer:
        words = (_word(puzzle, answer["state"], moves) for moves in answer["solutions"])
        answer["solutions"] = [[word] for word in words]


def _word(puzzle: Puzzle, state: str, moves: Iterable[str]) -> str:
    """The letters of moves, by the path of the player in the effect of each."""
    word = ""
    for move in moves:
        motions = puzzle.board.drawing.effect(state, move).motions or ()
        paths = {motion.piece: motion.slide or () for motion in motions}
        path = paths["player"]
        legs = zip(path[::2], path[1::2], strict=True)
        letters = "".join("lr"[x > 0] if x else "ud"[y > 0] for x, y in legs)
        word += letters[:-1] + letters[-1].upper() if len(paths) > 1 else letters
        state = puzzle.play(state, move)
    return word

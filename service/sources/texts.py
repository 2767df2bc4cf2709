"""States as text: the index of a text, and the texts that moves lead to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlebase.puzzles import Puzzle, Space, played


def index_of(puzzle: Puzzle, space: Space, text: str) -> int:
    """The index of a state, -1 outside the space; raises as the puzzle's `parse` does."""
    letters = puzzle.letters
    if letters and len(text) == letters.length and text.isascii():
        index: int = space.rank(np.frombuffer(text.encode(), np.uint8).reshape(1, -1)).item()
        if index >= 0:
            return index
    return int(space.rank(puzzle.parse(text)[None, :])[0])


def after_moves(puzzle: Puzzle, text: str, successors: Sequence[int]) -> list[str]:
    """The text after each move of a state whose successors are known; after an illegal move (-1) it means nothing.

    Only legal moves are played: to find out that one of two hundred is illegal takes as long as to play it.
    """
    letters = puzzle.letters
    if letters is None:
        moves = zip(puzzle.moves, successors, strict=True)
        return [puzzle.play(text, move.name) if to >= 0 else "" for move, to in moves]
    length = letters.length
    after = letters.play(np.frombuffer(text.encode(), np.uint8).reshape(1, length)).tobytes().decode()
    return [after[at : at + length] for at in range(0, len(after), length)]


def after_moves_by_rules(puzzle: Puzzle, text: str) -> list[str]:
    """The text after each move, "" after an illegal one; slower, but for states outside every space too."""
    names = [move.name for move in puzzle.moves]
    after = played(puzzle.play, text, names)
    return [after.get(name, "") for name in names]

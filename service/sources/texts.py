"""States as text: the index of a text, and the texts that moves lead to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlebase.puzzles import Boards, Indices, Puzzle, Space
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.service.sources.source import NOT_FOLLOWED, Source


def index_of(puzzle: Puzzle, space: Space, text: str) -> int:
    """The index of a state, as `Source.index` gives it."""
    letters = puzzle.board.letters
    if letters and len(text) == letters.length and text.isascii():
        index: int = space.rank(np.frombuffer(text.encode(), np.uint8).reshape(1, -1)).item()
        if index >= 0:
            return index
    board = puzzle.parse(text)
    index = int(space.rank(board[None, :])[0])
    if index < 0 and space.cut_off and not space.cut_off(board):
        return NOT_FOLLOWED
    return index


def indices_of(source: Source, states: Sequence[str]) -> Indices:
    """The indices of many states, int64[n], as `Source.index` gives each; raises as it does for the first wrong one."""
    letters, space = source.puzzle.board.letters, source.space
    if letters is None or space is None:
        return np.array([source.index(state) for state in states], np.int64)
    indices = space.rank(boards_of(states, letters.length))
    for number in np.flatnonzero(indices < 0).tolist():
        indices[number] = source.index(states[number])
    return indices


def boards_of(states: Sequence[str], length: int) -> Boards:
    """The characters of each state, uint8[n, length]; zeros for one that has another length or is not ASCII."""
    joined = "".join(states)
    if not joined.isascii() or set(map(len, states)) - {length}:
        joined = "".join(s if len(s) == length and s.isascii() else "\0" * length for s in states)
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(-1, length)


def after_moves(puzzle: Puzzle, text: str, successors: Sequence[int]) -> list[str]:
    """The text after each move of a state whose successors are known; after an illegal move (-1) it means nothing.

    Only legal moves are played: to find out that one of two hundred is illegal takes as long as to play it.
    """
    letters = puzzle.board.letters
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

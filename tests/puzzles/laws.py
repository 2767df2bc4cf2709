"""Laws of any puzzle, at some of its indices. `test_laws.py` checks them of all that discovery finds."""

from __future__ import annotations

import numpy as np
import pytest

from puzzlebase.puzzles import Goal, IllegalMove, Indices, Puzzle


def assert_sides_agree(puzzle: Puzzle, goal: Goal, indices: Indices) -> None:
    """index(play(text, m)) == expand(index(text))[m]; what is no index leads nowhere."""
    space = puzzle.space(goal)
    assert (space.expand(np.array([-1])) == -1).all()
    for index, successors in zip(indices.tolist(), space.expand(indices).tolist(), strict=True):
        text = puzzle.text(index, goal)
        for move, successor in zip(puzzle.moves, successors, strict=True):
            if successor >= 0:
                assert puzzle.index(puzzle.play(text, move.name), goal) == successor
            else:
                with pytest.raises(IllegalMove):
                    puzzle.play(text, move.name)


def assert_moves_are_closed(puzzle: Puzzle, goal: Goal, indices: Indices) -> None:
    """Each move has one that takes it back."""
    space = puzzle.space(goal)
    for index, successors in zip(indices.tolist(), space.expand(indices), strict=True):
        legal = successors[successors >= 0]
        assert (space.expand(legal) == index).any(axis=1).all()


def assert_letters_agree(puzzle: Puzzle, goal: Goal, indices: Indices) -> None:
    """The letters after a move are the text that playing it gives."""
    assert puzzle.board.letters
    space = puzzle.space(goal)
    boards = space.unrank(indices)
    played = puzzle.board.letters.play(boards)
    assert played.shape == (len(boards), len(puzzle.moves), puzzle.board.letters.length)
    for board, after, successors in zip(boards, played, space.expand(indices).tolist(), strict=True):
        text = board.tobytes().decode("ascii")
        assert np.array_equal(puzzle.parse(text), board)
        for move, letters, successor in zip(puzzle.moves, after, successors, strict=True):
            if successor >= 0:
                assert letters.tobytes().decode("ascii") == puzzle.play(text, move.name)

"""Tests of a source of distances."""

from __future__ import annotations

from puzzlebase.puzzles import UNREACHED
from puzzlebase.service.sources.source import Source
from puzzlebase.testing.puzzles import walk


class SourceLaws:
    """A subclass has a fixture `source`."""

    def test_solutions_solve(self, source: Source) -> None:
        """A solution has as many legal moves as the distance says, and ends in the goal."""
        for state in walk(source.puzzle, source.goal, 5):
            (distance,) = source.distances_of([source.index(state)])
            moves = list(source.solution(state, distance).moves())
            assert len(moves) == max(distance, 0), state
            after = state
            for move in moves:
                after = source.puzzle.play(after, move)
            assert distance < 0 or source.distances_of([source.index(after)]) == [0], state

    def test_neighbours_are_one_move_away(self, source: Source) -> None:
        """Moves lead where play leads;
        the distance of a state is one more than that of its nearest successor.
        """
        for state in walk(source.puzzle, source.goal, 5):
            successors, distances = source.neighbours(source.index(state))
            for move, successor in zip(source.puzzle.moves_of(state), successors, strict=False):
                if successor >= 0:
                    assert source.index(source.puzzle.play(state, move.name)) == successor, (
                        state,
                        move.name,
                    )
            *behind, here = distances
            if here > 0:
                assert min(distance for distance in behind if distance >= 0) == here - 1, state

    def test_what_is_outside_is_not_reached(self, source: Source) -> None:
        """The index -1 has no distance."""
        assert source.distances_of([-1]) == [UNREACHED]

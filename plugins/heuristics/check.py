"""The errors of a heuristic: what it says minus the distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.in_bulk import Column, indices_in_bulk
from puzzlebase.opened import OpenPuzzle
from puzzlebase.puzzles import Indices

Heuristic = Callable[[Indices], npt.ArrayLike]

_TOGETHER = 1 << 16  # states
_NAMED = 10  # violations


class HeuristicCheck(NamedTuple):
    """The check of a heuristic, which a notebook shows as its mean error by distance."""

    mean_error: dict[int, float]  # by the distance of the examined states
    overestimates: Indices
    """The first ten states for which it says more than the distance, int64[n]."""
    falls: Indices
    """The first ten moves that lower it by more than one,
    each as the states before and after it: int64[n, 2].
    """

    @property
    def admissible(self) -> bool:
        """True if it says more than the distance for none of the states."""
        return not len(self.overestimates)

    @property
    def consistent(self) -> bool:
        """True if no move of the states lowers it by more than one."""
        return not len(self.falls)

    def _repr_svg_(self) -> str:
        """A line of the errors, each with its number, over the distances."""
        from puzzlebase.plugins.text_templates import text_template

        return text_template(__package__, "errors.txt").render(errors=self.mean_error)


def check_heuristic(
    puzzle: OpenPuzzle, h: Heuristic | npt.ArrayLike, indices: Column | None = None
) -> HeuristicCheck:
    """Compare a heuristic with the distances of all states, or of those of indices.

    `h` is a function of indices, int64[n], to n numbers, or an array of the numbers of all states.
    Where the goal cannot be reached, no number is too large. Raises MissingTable without a whole
    table, and ValueError if `h` does not give a number for each state.
    """
    say = h if callable(h) else np.asarray(h).__getitem__
    states = np.arange(puzzle.size)
    if indices is not None:
        states = indices_in_bulk(indices, puzzle.size, puzzle.name)

    def estimated(some: Indices) -> npt.NDArray[np.float64]:
        return np.asarray(say(some), np.float64).reshape(len(some))

    counts, sums = np.zeros((2, len(puzzle.histogram()["layers"])))
    overestimates, falls = [states[:0]], [np.empty((0, 2), np.int64)]
    for at in range(0, len(states), _TOGETHER):
        some = states[at : at + _TOGETHER]
        distances, estimates = puzzle.distances(some), estimated(some)
        solvable = distances >= 0
        errors = (estimates - distances)[solvable]
        counts += np.bincount(distances[solvable], minlength=len(counts))
        sums += np.bincount(distances[solvable], errors, len(sums))
        overestimates.append(some[solvable][errors > 0][:_NAMED])
        after = puzzle.expand(some)
        rows, moves = np.nonzero(after >= 0)
        edges = np.column_stack([some[rows], after[rows, moves]])
        falls.append(edges[estimates[rows] > estimated(edges[:, 1]) + 1][:_NAMED])
    examined = np.flatnonzero(counts)
    means = sums[examined] / counts[examined]
    return HeuristicCheck(
        dict(zip(examined.tolist(), means.tolist(), strict=True)),
        np.concatenate(overestimates)[:_NAMED],
        np.concatenate(falls)[:_NAMED],
    )

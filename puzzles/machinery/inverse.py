"""Which move undoes which: for random walks that never take back their last move."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Indices, Space

_SAMPLE = 1000
_SAMPLES = 10


def inverse_links(space: Space) -> Indices | None:
    """For each link the one that undoes it, int64[links]; None where that is now one link and now another.

    A link is undone by the first one that leads back in every state of a sample. Samples are drawn until each link has
    been followed and only one is left that undoes it, ten at most: two links may be the same everywhere.
    """
    random = np.random.default_rng(0)
    states = np.unique(space.goal_states)
    undoes: npt.NDArray[np.bool_] | None = None
    followed = np.zeros(0, np.bool_)
    for _ in range(_SAMPLES):
        states = np.unique(np.append(states, random.integers(0, space.size, _SAMPLE)))
        neighbours = space.expand(states)
        links = neighbours.shape[1]
        if undoes is None:
            undoes, followed = np.ones((links, links), np.bool_), np.zeros(links, np.bool_)
        for link in range(links):
            legal = neighbours[:, link] >= 0
            followed[link] |= legal.any()
            undoes[link] &= (space.expand(neighbours[legal, link]) == states[legal, None]).all(axis=0)
        if not undoes.any(axis=1).all():
            return None
        if followed.all() and (undoes.sum(axis=1) == 1).all():
            break
        states = states[:0]
    assert undoes is not None
    undo: Indices = undoes.argmax(axis=1)
    return undo

"""Arrays of sorted numbers: which are in another, and which are in both."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]


def is_among(vertices: Indices, others: Indices) -> npt.NDArray[np.bool_]:
    """True for each vertex, in any order, that is among others, sorted: bool[vertices]."""
    if not len(others):
        return np.zeros(len(vertices), np.bool_)
    found: npt.NDArray[np.bool_] = (
        others[np.minimum(np.searchsorted(others, vertices), len(others) - 1)] == vertices
    )
    return found


def common_vertices(some: Indices, others: Indices) -> Indices:
    """The vertices in both arrays; all are sorted and without repeats."""
    few, many = sorted((some, others), key=len)
    return few[is_among(few, many)]

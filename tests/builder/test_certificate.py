"""builder/certificate.py: it passes right distances and nothing else."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder.certificate import VerificationError, certify
from puzzlebase.puzzles import Distances, Graph, Space, find
from tests.fixtures import Held, enumerated

pytestmark = pytest.mark.plain


def novice() -> Space:
    return find("novice").space(find("novice").goal())


@cache
def novice_distances() -> Distances:
    return enumerated(novice())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["novice", pytest.param("challenger", marks=pytest.mark.matrix)])
def test_orbits_and_states_are_both_proved(name: str) -> None:
    """The certificate of the orbits implies that of the states; here both run, on every state."""
    space = find(name).space(find(name).goal())
    orbits = Held(enumerated(space.stored()))
    proved, histograms = certify("orbits", space.stored(), orbits, 2)
    assert (proved.vertices, proved.edges) == (space.stored_size, 6 * space.stored_size)
    assert sum(histograms.layers) == space.stored_size
    states = np.empty(space.size, np.int32)
    for first in range(0, space.size, 1 << 20):
        some = np.arange(first, min(first + (1 << 20), space.size))
        states[some] = space.distances(some, orbits.probe)
    proved, histograms = certify("states", space, Held(states), 2)
    assert (proved.graph, proved.vertices, proved.edges) == ("states", space.size, 10 * space.size)
    assert list(histograms.layers) == np.bincount(states).tolist()


@settings(max_examples=60)
@given(vertex=st.integers(0, 97_019), other=st.integers(-1, 255))
def test_any_wrong_distance_is_found(vertex: int, other: int) -> None:
    distances = novice_distances().copy()
    if distances[vertex] == other:
        other = (other + 1) % 256
    distances[vertex] = other
    with pytest.raises(VerificationError):
        certify("states", novice(), Held(distances), 2)


def test_a_shift_of_everything_is_found() -> None:
    distances = novice_distances()
    for wrong in (
        distances + 1,
        np.where(distances > 5, distances + 1, distances),
        np.full_like(distances, -1),
    ):
        with pytest.raises(VerificationError):
            certify("states", novice(), Held(wrong), 2)


def test_unreached_must_be_out_of_reach() -> None:
    edges = np.array([[1], [0], [3], [2]])
    graph = Graph(size=4, expand=lambda vertices: edges[vertices], goal_states=np.array([0]))
    proved, histograms = certify("vertices", graph, Held(np.array([0, 1, -1, -1], np.int32)), 1)
    assert (proved.edges, histograms.layers) == (4, (1, 1))
    for wrong in ([0, -1, -1, -1], [0, 1, -1, 7], [0, 1, 2, 3], [0, 1, 1, 2]):
        with pytest.raises(VerificationError):
            certify("vertices", graph, Held(np.array(wrong, np.int32)), 1)

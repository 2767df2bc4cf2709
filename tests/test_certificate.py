"""builder/certificate.py: it passes what is right and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.breadth_first import enumerate_graph
from builder.certificate import VerificationError, certify
from builder.enumerated import Enumerated
from puzzles import Graph, Space, find


def novice() -> Space:
    return find("novice").space(find("novice").goal())


@pytest.mark.parametrize("name", ["novice", "challenger", "avenger"])
def test_orbits_and_states_are_both_proved(name: str) -> None:
    """The certificate of the orbits implies that of the states; here both run, on every state."""
    space = find(name).space(find(name).goal())
    orbits = enumerate_graph(space.stored(), 2, lambda *_: None)
    proved = certify("orbits", space.stored(), orbits, 2)
    assert (proved.nodes, proved.links) == (space.stored_size, 6 * space.stored_size)
    states = np.empty(space.size, np.uint8)
    for first in range(0, space.size, 1 << 20):
        some = np.arange(first, min(first + (1 << 20), space.size))
        states[some] = space.distances(some, orbits.probe)
    proved = certify("states", space, Enumerated(states), 2)
    assert (proved.graph, proved.nodes, proved.links) == ("states", space.size, 10 * space.size)


@settings(max_examples=60)
@given(node=st.integers(0, 97_019), other=st.integers(0, 255))
def test_any_wrong_distance_is_found(node: int, other: int) -> None:
    space = novice()
    distances = enumerate_graph(space, 1, lambda *_: None).distances.copy()
    if distances[node] == other:
        other = (other + 1) % 256
    distances[node] = other
    with pytest.raises(VerificationError):
        certify("states", space, Enumerated(distances), 2)


def test_a_shift_of_everything_is_found() -> None:
    space = novice()
    distances = enumerate_graph(space, 1, lambda *_: None).distances
    for wrong in (distances + 1, np.where(distances > 5, distances + 1, distances)):
        with pytest.raises(VerificationError):
            certify("states", space, Enumerated(wrong.astype(np.uint8)), 2)


def test_unreached_must_be_out_of_reach() -> None:
    links = np.array([[1], [0], [3], [2]])
    graph = Graph(size=4, expand=lambda nodes: links[nodes], zeros=np.array([0]))
    assert certify("nodes", graph, Enumerated(np.array([0, 1, 255, 255], np.uint8)), 1).links == 4
    for wrong in ([0, 255, 255, 255], [0, 1, 255, 7], [0, 1, 2, 3], [0, 1, 1, 2]):
        with pytest.raises(VerificationError):
            certify("nodes", graph, Enumerated(np.array(wrong, np.uint8)), 1)

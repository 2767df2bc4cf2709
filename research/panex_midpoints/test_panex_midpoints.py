"""research/panex_midpoints: the paper's program finds shortest paths, with few states in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from puzzlebase.puzzles import ImpossibleState, find
from puzzlebase.puzzles.families.panex.tests.panex_states import (
    OUT_OF_REACH,
    graph_of_text,
    replayed,
    wander,
)
from research.panex_midpoints.__main__ import MidpointSearch, found, main
from tests.naive import panex as naive_panex


def test_images_are_those_of_the_reference_implementation() -> None:
    search, states = MidpointSearch(3), list(graph_of_text(3))
    puzzle = find("panex-3")
    indices = search.space.rank(np.array([puzzle.parse(state) for state in states]))
    for colours in (True, False):
        images = search.space.unrank(search.image(indices, colours=colours))
        assert [puzzle.format(board) for board in images] == [
            naive_panex.mirrored(state, colours=colours) for state in states
        ]


@pytest.mark.parametrize(
    ("n", "length", "stored", "depth"), [(2, 13, 58, 4), (3, 42, 400, 6), (4, 128, 3160, 7)]
)
def test_exchanges_take_little_memory_and_few_paths_within_paths(
    n: int, length: int, stored: int, depth: int
) -> None:
    """Depth is at most that of halving,
    and of 98,112 states of towers of four 3,160 are held at a time.
    """
    start, end = f"{'abcd'[:n]}||{'ABCD'[:n]}", f"{'ABCD'[:n]}||{'abcd'[:n]}"
    states, moves, search = found(start, end)
    assert len(moves) == length
    assert states == [start, *replayed(start, moves)]
    assert states[-1] == end
    assert search.most <= stored
    assert search.depth <= depth


def test_paths_between_any_states_are_shortest() -> None:
    graph = graph_of_text(3)
    for seed in range(6):
        begin, end = wander(3, 300, seed), wander(3, 300, seed + 50)
        distances, ahead = {begin: 0}, [begin]
        for state in ahead:
            for _, after in graph[state]:
                if after not in distances:
                    distances[after] = distances[state] + 1
                    ahead.append(after)
        _, moves, _ = found(begin, end)
        assert len(moves) == distances[end]
        assert [begin, *replayed(begin, moves)][-1] == end


def test_the_command_says_what_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    main("abc||ABC", "ABC||abc")
    page = Path(__file__).parents[2] / "research" / "panex_midpoints" / "README.md"
    assert capsys.readouterr().out in page.read_text("utf-8")
    with pytest.raises(ImpossibleState, match="cannot reach"):
        main("abc||ABC", OUT_OF_REACH)

"""families/classical/graph_picture.py: every state,
every move, distances in titles, the shortest path.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from puzzlebase.puzzles import InvalidState, find
from puzzlebase.service.answers.pictures import state_picture
from puzzlebase.service.error_status import InvalidRequest
from tests.naive import distances as naive_distances

pytestmark = pytest.mark.needs("hanoi")


def test_it_is_a_style_of_few_disks_alone() -> None:
    three, five = find("hanoi-classical-3"), find("hanoi-classical-5")
    posts = state_picture(three, three.goal(), "123/-/-")
    assert state_picture(three, three.goal(), "123/-/-", style="posts") == posts
    assert state_picture(three, three.goal(), "123/-/-", style="graph") != posts
    with pytest.raises(InvalidRequest, match="'graph'"):
        state_picture(five, five.goal(), "12345/-/-", style="graph")


def test_the_classical_tower_is_the_triangle_of_sierpinski() -> None:
    """All 3^n states and 3 (3^n - 1) / 2 moves, all of one length;
    the longest path of a state from its corner.
    """
    puzzle = find("hanoi-classical-4")
    shown = puzzle.board.drawing.styles["graph"]("1234/-/-", puzzle.goal()).marks
    discs = {shape.title.partition(",")[0]: shape for shape in shown if "/" in shape.title}
    assert len(discs) == len({(shape.x, shape.y) for shape in discs.values()}) == 81
    lengths = set()
    for state, shape in discs.items():
        for _, after in puzzle_moves(state):
            lengths.add(
                round(abs(complex(shape.x, shape.y) - complex(discs[after].x, discs[after].y)), 6)
            )
    assert len(lengths) == 1
    assert [(shape.id, shape.outline.count("M")) for shape in shown[:2]] == [
        ("moves", 120),
        ("the path", 15),
    ]
    known = naive_distances("-/-/1234", puzzle_moves)
    assert {state: int(shape.title.rpartition(" ")[2]) for state, shape in discs.items()} == known
    with pytest.raises(InvalidState):
        puzzle.board.drawing.styles["graph"]("4321/-/-", puzzle.goal())


def puzzle_moves(state: str) -> Iterator[tuple[str, str]]:
    """The moves of the classical tower: a smaller disk has a larger number."""
    posts = state.replace("-", "").split("/")
    for source, target in permutations(range(3), 2):
        if posts[source] and posts[target][-1:] < posts[source][-1]:
            after = [*posts]
            after[target] += posts[source][-1]
            after[source] = posts[source][:-1]
            yield f"{source}{target}", "/".join(post or "-" for post in after)

"""families/hanoi/graph_picture.py: every state, every move, distances as labels and colours, the shortest path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

import pytest

from puzzlebase.puzzles import InvalidState, Shape, find
from puzzlebase.service.answers.pictures import drawn
from puzzlebase.service.error_status import InvalidRequest
from tests.families.hanoi.hanoi_states import distances_to, every_state, name
from tests.naive import distances as naive_distances
from tests.naive import hanoi as naive_hanoi


def shapes(variant: str, n: int, state: str) -> list[Shape]:
    puzzle = find(name(variant, n))
    return list(puzzle.board.drawing.styles["graph"](state, puzzle.goal()).marks)


@pytest.mark.parametrize(("variant", "n"), [("NNN", 1), ("NNN", 3), ("RBN", 4), ("RRB", 2), ("NBR", 3)])
def test_it_shows_every_state_and_every_move(variant: str, n: int) -> None:
    puzzle = find(name(variant, n))
    start, [goal] = puzzle.goal().start, puzzle.goal().states
    shown, known = shapes(variant, n, start), distances_to(variant, goal)
    states = every_state(variant, n)
    discs = [shape for shape in shown if re.match(r"[SID][rb]", shape.title)]
    assert len({shape.title.partition(",")[0] for shape in discs}) == len(discs) == len(states)
    links = {frozenset((state, to)) for state in states for _, to in naive_hanoi.neighbours(variant)(state)}
    assert sum(shape.title == "a move" for shape in shown) == len(links)
    assert sum(shape.title == "the path" for shape in shown) == known[start]
    printed = sorted(int(shape.title.rpartition(" ")[2]) for shape in discs if "distance" in shape.title)
    assert printed == sorted(known.values())
    assert len({(shape.x, shape.y) for shape in discs}) == len(discs), "no state hides another"


def test_labels_and_colours_tell_distances() -> None:
    shown = shapes("NNN", 2, "R2.1||")
    discs = [shape for shape in shown if re.match(r"[SID][rb] ", shape.title)]
    for shape in discs:
        lost = "cannot" in shape.title
        assert shape.label == ("" if lost else shape.title.rpartition(" ")[2])
    legend = {shape.label: shape.colour for shape in shown if shape.title.startswith("distance")}
    assert all(shape.colour == legend[shape.label] for shape in discs if shape.label in legend)
    assert len(set(legend.values())) == len(legend)


def test_goals_that_no_state_is_leave_all_states_grey() -> None:
    shown = shapes("RRR", 2, "R2.1||")
    assert len({shape.colour for shape in shown}) == 2, "the goal itself is at distance 0"
    assert not any(shape.title == "the path" for shape in shown)


def test_it_is_a_style_of_few_disks_alone() -> None:
    assert [*find("hanoi-nnn-4").board.drawing.styles] == ["posts", "graph"]
    three, five = find("hanoi-nnn-3"), find("hanoi-nnn-5")
    posts = drawn(three, three.goal(), "R3.2.1||")
    assert drawn(three, three.goal(), "R3.2.1||", style="posts") == posts
    assert drawn(three, three.goal(), "R3.2.1||", style="graph") != posts
    with pytest.raises(InvalidRequest, match="'graph'"):
        drawn(five, five.goal(), "R5.4.3.2.1||", style="graph")


def test_the_classical_tower_is_the_triangle_of_sierpinski() -> None:
    """All 3^n states and 3 (3^n - 1) / 2 moves, all of one length; the longest path of a state from its corner."""
    puzzle = find("hanoi-classical-4")
    shown = puzzle.board.drawing.styles["graph"]("1234/-/-", puzzle.goal()).marks
    discs = {shape.title.partition(",")[0]: shape for shape in shown if "/" in shape.title}
    assert len(discs) == len({(shape.x, shape.y) for shape in discs.values()}) == 81
    lengths = set()
    for state, shape in discs.items():
        for _, after in puzzle_moves(state):
            lengths.add(round(abs(complex(shape.x, shape.y) - complex(discs[after].x, discs[after].y)), 6))
    assert len(lengths) == 1
    assert sum(shape.title == "a move" for shape in shown) == 120
    assert sum(shape.title == "the path" for shape in shown) == 15
    known = naive_distances("-/-/1234", puzzle_moves)
    assert {state: int(shape.title.rpartition(" ")[2]) for state, shape in discs.items()} == known
    assert "graph" not in find("hanoi-classical-5").board.drawing.styles
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

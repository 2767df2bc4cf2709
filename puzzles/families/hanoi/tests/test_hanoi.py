"""families/hanoi: the rules of every variant, the published totals, and impossible states."""

from __future__ import annotations

import re

import numpy as np
import pytest

from puzzlebase.puzzles import IllegalMove, ImpossibleState, find
from tests import naive
from tests.naive import hanoi as naive_hanoi
from tests.puzzles.enumerating import distances_of
from tests.puzzles.reading import assert_unreadable, layout_of

from .hanoi_states import VARIANTS, name

pytestmark = pytest.mark.plain


def tower(colour: str, n: int) -> str:
    return colour + ".".join(str(disk) for disk in range(n, 0, -1))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [1, 3])
def test_moves_agree_with_the_rules(variant: str, n: int) -> None:
    puzzle = find(name(variant, n))
    assert [move.name for move in puzzle.moves] == naive_hanoi.MOVES
    assert [move.group for move in puzzle.moves] == [f"post {post}" for post in "SSIIDD"]
    for state in naive_hanoi.every_state(variant, n):
        assert puzzle.format(puzzle.parse(state)) == state
        for move in naive_hanoi.MOVES:
            expected = naive_hanoi.move(state, move, variant)
            if expected is None:
                with pytest.raises(IllegalMove):
                    puzzle.play(state, move)
            else:
                assert puzzle.play(state, move) == expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_distances_agree_on_all_states(variant: str) -> None:
    neighbours = naive_hanoi.neighbours(variant)
    for n in (1, 2, 3, 4):
        puzzle = find(name(variant, n))
        states = naive_hanoi.every_state(variant, n)
        assert len(puzzle.goals) == (2 if variant[2] == "N" else 1)
        for goal in puzzle.goals:
            solved = "||" + tower(goal.name[0].upper(), n)
            assert goal.states == (solved,)
            known = naive.distances(solved, neighbours)
            space = puzzle.space(goal)
            indices = [puzzle.index(state, goal) for state in states]
            assert sorted(index for index in indices if index >= 0) == list(range(space.size))
            distances = distances_of(puzzle.name, goal.name)
            for state, index in zip(states, indices, strict=True):
                assert (int(distances[index]) if index >= 0 else -1) == known.get(state, -1), (
                    state,
                    goal.name,
                )


def test_thirteen_disks_are_at_hand() -> None:
    """6 * 3^n - 6 * 2^n states of NNN: 8 * 3^n piles,
    less those with a post empty and those that cannot move.
    """
    puzzle = find("hanoi-nnn-13")
    goal = puzzle.goal()
    space = puzzle.space(goal)
    assert space.size == 6 * 3**13 - 6 * 2**13
    indices = np.random.default_rng(3).integers(0, space.size, 1000)
    assert np.array_equal(space.rank(space.unrank(indices)), indices)
    for state in (goal.start, "R13.3.1|B12.11.10.9.8.7.6.5.4.2|"):
        assert puzzle.text(puzzle.index(state, goal), goal) == state


@pytest.mark.parametrize(
    "state",
    [
        "", "||||", "r3.2.1||", "R||", "R3.2.1.||", "R03.2.1||", "R3.2.1|| ", "R3.2.٣||",
        "R3.B2.1||",
        "R" + "x" * 5000 + "||",
    ],
)  # fmt: skip
def test_text_that_cannot_be_read(state: str) -> None:
    assert_unreadable("hanoi-nnn-3", state, find("hanoi-nnn-3").goal().start)


@pytest.mark.parametrize(
    ("variant", "state", "why"),
    [
        ("NNN", "R2.3.1||", "a larger disk on a smaller one on post S"),
        ("NNN", "R3.2.1|B3|", "each of the disks 1 to 3 once"),
        ("NNN", "R" + "9" * 4000 + ".3.2.1||", "each of the disks 1 to 3 once"),
        ("RNN", "B3.2.1||", "shows blue on post S, which is red"),
        ("NNB", "||R3.2.1", "shows red on post D, which is blue"),
    ],
)
def test_piles_that_cannot_be(variant: str, state: str, why: str) -> None:
    puzzle = find(name(variant, 3))
    with pytest.raises(ImpossibleState) as caught:
        puzzle.parse(state)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 200
    assert puzzle.goal().start in caught.value.hint


@pytest.mark.parametrize(
    ("variant", "state", "move", "why"),
    [
        ("NNN", "R3.2|B1|", "DS", "post D is empty"),
        ("NNN", "R3|B2.1|", "IS", "disk 2 is larger than disk 3"),
        ("NNN", "R3|R2.1|", "SI", "equal sides of disks 3 and 2 would touch"),
        ("RNN", "R2.1|R3|", "IS", "disk 3 would show blue on a red post"),
        ("NNN", "R3|B2.1|", "XX", "there is no move 'XX'"),
        ("NNN", "R3|B2.1|", "S" * 4000, "there is no move"),
    ],
)
def test_moves_that_are_not_legal(variant: str, state: str, move: str, why: str) -> None:
    puzzle = find(name(variant, 3))
    puzzle.parse(state)
    with pytest.raises(IllegalMove, match=re.escape(why)) as caught:
        puzzle.play(state, move)
    assert len(str(caught.value)) < 200
    assert caught.value.hint


def test_the_picture_shows_posts_with_coloured_disks() -> None:
    """Read back from the picture: the posts and the order of disks,
    the sides up, the other sides below.
    """
    layout = layout_of(find("hanoi-rnb-5"), "R5.3|R4.1|B2")
    bases = [mark for mark in layout.marks if mark.id.startswith("post")]
    assert [base.label for base in bases] == ["S", "I", "D"]
    red, grey, blue = [cell.colour for cell in bases]
    assert len({red, grey, blue}) == 3
    shown = {}
    for post in bases:
        disks = [
            cell
            for cell in layout.pieces
            if cell.label and cell.x == post.x and cell.place[0] == post.label
        ]
        shown[post.label] = [
            (cell.label, cell.colour) for cell in sorted(disks, key=lambda cell: cell.y)
        ]
    assert shown == {
        "S": [("5", red), ("3", red)],
        "I": [("4", red), ("1", red)],
        "D": [("2", blue)],
    }
    piece = {piece.id: piece for piece in layout.pieces}
    for disk in range(1, 6):
        up, below = piece[f"disk-{disk}"], piece[f"disk-{disk}-below"]
        assert {up.colour, below.colour} == {red, blue}
        assert up.y < below.y

"""families/quantum: the rules in both metrics,
the published numbers of matrices, and impossible states.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import orjson
import pytest

from puzzlebase.puzzles import Effect, IllegalMove, ImpossibleState, find
from puzzlebase.service.answers.boards import board
from tests import naive
from tests.naive import pieces as naive_pieces
from tests.naive import quantum as naive_quantum
from tests.puzzles.enumerating import distances_of
from tests.puzzles.reading import assert_unreadable, layout_of

pytestmark = pytest.mark.plain

SOLVED = "2,0,0,0/0,2,0,0/0,0,2,0/0,0,0,2"


def solved(size: int, k: int) -> str:
    return "/".join(
        ",".join(str(k if tile == position else 0) for tile in range(size))
        for position in range(size)
    )


def sides(name: str) -> tuple[int, int, int, bool]:
    """Height, width, units and True for the bulk metric, from a name."""
    _, board, k, *bulk = name.split("-")
    height, width = map(int, board.split("x"))
    return height, width, int(k), bool(bulk)


def reference(name: str) -> tuple[list[str], naive.Neighbours]:
    height, width, k, bulk = sides(name)
    names = naive_quantum.move_names(height, width, k if bulk else 1)
    return names, naive_quantum.quantum_neighbours(names)


@pytest.mark.parametrize(
    "name",
    ["quantum-2x2-1", "quantum-2x2-2", "quantum-2x3-2", "quantum-2x2-8-bulk", "quantum-2x3-3-bulk"],
)
def test_moves_agree_with_the_rules(name: str) -> None:
    puzzle = find(name)
    names, neighbours = reference(name)
    assert [move.name for move in puzzle.moves] == names
    assert [move.group for move in puzzle.moves] == [f"tile {move[1]}" for move in names]
    height, width, k, _ = sides(name)
    state = solved(height * width, k)
    goal = puzzle.goal()
    assert (goal.name, goal.start, goal.states) == ("solved", state, (state,))
    chosen = random.Random(4)
    for _ in range(25):
        assert puzzle.format(puzzle.parse(state)) == state
        ways = dict(neighbours(state))
        successors = puzzle.space(goal).expand(np.array([puzzle.index(state, goal)]))[0]
        for move, successor in zip(names, successors.tolist(), strict=True):
            if move in ways:
                assert puzzle.play(state, move) == ways[move]
                assert puzzle.index(ways[move], goal) == successor
            else:
                assert successor == -1
                with pytest.raises(IllegalMove):
                    puzzle.play(state, move)
        state = chosen.choice(list(ways.values()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["quantum-2x2-1", "quantum-2x2-2", "quantum-2x2-2-bulk", "quantum-2x2-3", "quantum-2x3-1"],
)
def test_distances_agree_on_all_states(name: str) -> None:
    puzzle = find(name)
    height, width, k, _ = sides(name)
    known = naive.distances(solved(height * width, k), reference(name)[1])
    distances = distances_of(name)
    seen = []
    for state in naive_quantum.every_matrix(height * width, k):
        index = puzzle.index(state, puzzle.goal())
        assert (int(distances[index]) if index >= 0 else None) == known.get(state), state
        seen.append(index)
    assert sorted(index for index in seen if index >= 0) == list(range(len(known)))


@pytest.mark.parametrize("board", ["2x2", "2x3"])
def test_sizes_are_the_published_numbers_of_matrices(board: str, golden: dict[str, Any]) -> None:
    """With k = 1 half of the matrices are reachable."""
    published = next(
        counts for key, counts in golden["quantum"].items() if key.startswith(f"matrices_{board}")
    )
    for k, matrices in enumerate(published[: 8 if board == "2x2" else 3], 1):
        for metric in ("", "-bulk"):
            puzzle = find(f"quantum-{board}-{k}{metric}")
            assert puzzle.space(puzzle.goal()).size == (matrices if k > 1 else matrices // 2)


@pytest.mark.parametrize(
    "state",
    [
        "", SOLVED + "/", SOLVED + ",0", SOLVED.replace(",", ";"), SOLVED.replace("2", "02"),
        SOLVED.replace("2", "-2"),
        SOLVED.replace("2", "٢"), SOLVED + " ", "/" * 5000, ("," * 3 + "/") * 3 + "," * 3,
    ],
)  # fmt: skip
def test_text_that_cannot_be_read(state: str) -> None:
    assert_unreadable("quantum-2x2-2", state, SOLVED)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (
            "1,0,0,0/0,2,0,0/0,0,2,0/0,0,0,2",
            "position 0 of '1,0,0,0/0,2,0,0/0,0,2,0/0,0,0,2' does not hold 2 units",
        ),
        ("0,2,0,0/0,2,0,0/0,0,2,0/0,0,0,2", "tile 0 of"),
        ("2,0,0,0/0,256,0,0/0,0,2,0/0,0,0,2", "position 1 of"),
        ("2,0,0,0/0,2,0,0/0,0," + "9" * 4000 + ",0/0,0,0,2", "position 2 of"),
    ],
)
def test_shares_that_cannot_be(state: str, why: str) -> None:
    puzzle = find("quantum-2x2-2")
    with pytest.raises(ImpossibleState) as caught:
        puzzle.parse(state)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 200
    assert SOLVED in caught.value.hint


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("T0:0-1", "T0:0-1 is not legal in"),
        ("T1:1-3*2", "there is no move 'T1:1-3*2'"),
        ("T3:3-1", "there is no move"),
        ("T1:1-3*" + "9" * 4000, "there is no move"),
        ("", "there is no move"),
    ],
)
def test_moves_that_are_not_legal(move: str, why: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        find("quantum-2x2-2").play(SOLVED, move)
    assert str(caught.value).startswith(why)
    assert len(str(caught.value)) < 200
    assert caught.value.hint


def test_the_picture_shows_the_units_of_each_position() -> None:
    """Units lie on one another from the top, sorted by tile,
    in one colour a tile, and leave out the space.
    """
    shares = [
        [2, 0, 1, 0, 0, 0],
        [0, 3, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 2],
        [0, 0, 1, 1, 1, 0],
        [0, 0, 0, 2, 1, 0],
    ]
    shares.append([0, 0, 1, 0, 1, 1])
    layout = layout_of(find("quantum-2x3-3"), "/".join(",".join(map(str, row)) for row in shares))
    assert [(unit.place, unit.label) for unit in layout.pieces] == [
        (place.name, str(tile))
        for row, place in zip(shares, layout.places, strict=True)
        for tile, units in enumerate(row[:-1])
        for _ in range(units)
    ]
    assert all(
        one.y < other.y for one, other in pairwise(layout.pieces) if one.place == other.place
    )
    colours = {(unit.label, unit.colour) for unit in layout.pieces}
    assert len(colours) == len(dict(colours)) == len({colour for _, colour in colours}) == 5


def test_many_units_are_drawn_as_shares() -> None:
    """A bar for all units of a tile in a position, 10 high and the higher the more they are;
    the board does not tell what moves.
    """
    name = "quantum-2x2-10"
    drawing = find(name).board.drawing
    state = "5,0,3,2/1,9,0,0/4,1,4,1/0,0,3,7"
    layout = drawing.layout(state, find(name).goal())
    shares = [
        (0, 0, 5),
        (0, 2, 3),
        (1, 0, 1),
        (1, 1, 9),
        (2, 0, 4),
        (2, 1, 1),
        (2, 2, 4),
        (3, 2, 3),
    ]
    assert [(share.id, share.label) for share in layout.pieces] == [
        (f"share-{tile}-{place}", str(tile)) for place, tile, _ in shares
    ]
    kinds = [3, 2, 4, 2]  # of tiles, with the space
    for share, (place, _, units) in zip(layout.pieces, shares, strict=True):
        heights = [y for _, (_, y), *_ in naive_pieces.edges(share.outline)]
        wanted = 10 + (112 - 10 * kinds[place]) * units / 10
        assert max(heights) - min(heights) == pytest.approx(wanted, abs=0.02)
    assert drawing.effect(state, "T1:1-0*2") == Effect(("share-1-1",), None)


@pytest.mark.parametrize("name", ["quantum-4x4-10000", "quantum-4x4-16"])
def test_a_board_of_many_moves_lists_legal_ones_of_every_tile(name: str) -> None:
    """The answer for the states with the most moves,
    units and space spread evenly, has less than 200 kB.
    """
    puzzle = find(name)
    height, width, k, _ = sides(name)
    size = height * width
    rows = [[(k + (row + tile) % size) // size for tile in range(size)] for row in range(size)]
    state = "/".join(",".join(map(str, row)) for row in rows)
    answer = board(puzzle, puzzle.goal(), state)
    assert len(orjson.dumps(answer)) < 200_000
    assert len({move["group"] for move in answer["moves"]}) == size - 1
    for move in answer["moves"]:
        assert puzzle.play(state, move["move"]) == move["after"]

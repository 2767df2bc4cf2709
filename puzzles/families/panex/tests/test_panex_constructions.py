"""families/panex/constructions.py: constructions played by the plain rules,
move by move; lengths for any height.
"""

from __future__ import annotations

from itertools import islice

import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex.constructions import (
    PanexOperation,
    construction_length,
    construction_moves,
    construction_state,
)
from puzzlebase.puzzles.families.panex.formulas import formula_by_closed_form, formula_by_recurrence
from tests.commands import command, ran
from tests.matrix import only

pytestmark = pytest.mark.needs("formulas")

KINDS = {
    "exchange": "X",
    "centre": "T",
    "centre-corner": "T-bar",
    "sink": "S",
    "sink-corner": "S-bar",
}
CENTRE = 1
SIZES = {
    letter: at % 26 + 1
    for at, letter in enumerate("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}


def plainly_played(state: str, line: list[str]) -> str:
    """The state after moves of the game of three lists:
    every tile has at most as many above it as its size says.

    In the centre one fewer, so that no move ends in its layer 0,
    where a tile would block the others.
    """
    tracks = [[*track] for track in state.split("|")]
    for name in line:
        source, target = ("LCR".index(letter) for letter in name)
        tracks[target].insert(0, tracks[source].pop(0))
        spare = 0 if target == CENTRE else 1
        assert all(above < SIZES[tile] + spare for above, tile in enumerate(tracks[target])), (
            name,
            tracks,
        )
    return "|".join(map("".join, tracks))


@pytest.mark.parametrize("n", only(lambda n: n < 9, range(1, 15)))
def test_constructions_are_legal_and_as_long_as_their_formulas(n: int) -> None:
    for goal in find(f"panex-{n}").goals:
        operation = PanexOperation(KINDS[goal.name], n)
        line = list(construction_moves(operation))
        assert plainly_played(goal.start, line) == goal.states[0]
        known = formula_by_recurrence(
            "U" if goal.name == "exchange" and n > 4 else operation.kind, n
        )
        assert len(line) == construction_length(operation) == known


@pytest.mark.parametrize("extra", [False, True])
@pytest.mark.parametrize("larger", [0, 1, 5])
def test_a_tile_of_any_larger_size_is_sunk_over_an_extra_tile_or_none(
    extra: bool, larger: int
) -> None:
    for n in range(2, 9):
        tower, sunk, below = (
            "abcdefgh"[: n - 1],
            "abcdefghijklmnop"[n - 1 + larger],
            "ABCDEFGH"[n - 1] * extra,
        )
        other = "ABCDEFGH"[: n - 1]
        for kind, corner in (("S", ""), ("S-bar", "a")):
            line = list(construction_moves(PanexOperation(kind, n)))
            begin = f"{sunk}|{tower[len(corner) :]}{below}|{corner}{other}"
            assert plainly_played(begin, line) == f"{tower}|{sunk}{below}|{other}"


def test_any_part_at_once() -> None:
    line, operation, start = (
        list(construction_moves(PanexOperation("X", 7))),
        PanexOperation("X", 7),
        "abcdefg||ABCDEFG",
    )
    for offset in (0, 1, 2, 17, 1000, 2188, 2189, 5000):
        assert list(islice(construction_moves(operation, offset), 40)) == line[offset : offset + 40]
        assert construction_state(operation, start, offset) == plainly_played(start, line[:offset])


@pytest.mark.parametrize("n", range(5, 27))
def test_operations_of_any_height_have_their_lengths_and_ends(n: int) -> None:
    for goal in find(f"panex-{n}").goals:
        operation = PanexOperation(KINDS[goal.name], n)
        assert construction_length(operation) == formula_by_closed_form(
            "U" if goal.name == "exchange" else operation.kind, n
        )
        assert (
            construction_state(operation, goal.start, construction_length(operation))
            == goal.states[0]
        )


def test_the_method_answers_for_starts_alone() -> None:
    done = ran(
        None, "solve", "panex-20", find("panex-20").goal().start, "--method", "seed", "--limit", "3"
    )
    assert "distance 212,669,183 (construction)" in done.stdout
    assert "go on with --offset 3" in done.stderr
    whole = command(None, "solve", "panex-4", "abcd||ABCD", "--method", "seed", "--states").stdout
    assert whole.splitlines()[-1].split()[-1] == "ABCD||abcd"
    other = command(None, "solve", "panex-4", "abcd||ABCD", "--goal", "sink", "--method", "seed")
    assert other.status == 2
    assert "sink from 'd|abc|ABCD'" in other.stderr
    assert (
        "has no method 'seed'"
        in command(None, "solve", "novice", "R" * 21, "--method", "seed").stderr
    )
    assert (
        "its methods are: seed"
        in command(None, "solve", "panex-4", "abcd||ABCD", "--method", "x").stderr
    )

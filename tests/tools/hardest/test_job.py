"""Hardest states: their kinds agree with a reference implementation that counts all shortest solutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import VerificationError
from puzzlebase.paths import table_path
from puzzlebase.puzzles import find
from puzzlebase.tools.hardest import every_move, symmetry
from puzzlebase.tools.hardest.file import HARDEST_FILES, MOST_NAMED, Hardest
from puzzlebase.tools.hardest.job import HardestJob
from tests import naive
from tests.commands import command
from tests.conftest import build_table, enumerated, quiet
from tests.naive import Neighbours, hardest, panex, panguru, quantum
from tests.naive import hanoi as naive_hanoi
from tests.one_way import SMALL, TRIANGLE, jumps_from, reference


def hardest_of(folder: Path, name: str, threads: int = 2) -> Hardest:
    puzzle = find(name)
    if not table_path(folder, name).exists():
        build_table(folder, name)
    return HARDEST_FILES.read(HardestJob(puzzle, puzzle.goal(), folder, "test", threads, quiet()).build())


def upside_down(state: str) -> str:
    """The wheels mirrored: above becomes below, so that clockwise becomes anticlockwise."""
    return "".join(state[(20 - place) % 12 if place < 12 else 32 - place] for place in range(21))


def transposed(state: str) -> str:
    """A board of three rows and columns mirrored at its diagonal; each tile gets the number of its new home."""
    number = dict(zip("123456780", "147258360", strict=True))
    return "".join(number[state[place % 3 * 3 + place // 3]] for place in range(9))


def swapped(state: str) -> str:
    """The first two of three posts exchanged."""
    first, second, third = state.split("|")
    return f"{second}|{first}|{third}"


def same(state: str) -> str:
    return state


CASES: dict[str, tuple[Neighbours, Callable[[str], str] | None]] = {
    "novice": (naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False), upside_down),
    "panex-3": (panex.neighbours, None),
    "hanoi-nnn-5": (naive_hanoi.neighbours("NNN"), swapped),
    "quantum-2x2-2": (quantum.quantum_neighbours(quantum.move_names(2, 2, 1)), None),
    "panguru-4": (panguru.neighbours, None),
    "sliding-2x3": (quantum.sliding_neighbours(3), same),
}


def agrees(
    found: Hardest, known: dict[str, int], neighbours: Neighbours, mirrored: Callable[[str], str] | None
) -> None:
    for name, states in hardest.kinds(known, neighbours).items():
        kind = found.kinds[name]  # type: ignore[index]
        counted = Counter(known[state] for state in states)
        assert kind["by_distance"] == [counted[d] for d in range(max(known.values()) + 1)], name
        distance = min(counted) if name == "local-maxima" else max(counted)
        there = {state for state in states if known[state] == distance}
        assert (kind["distance"], kind["count"]) == (distance, len(there)), name
        assert {*kind["named"]} <= there
        if mirrored:
            classes = hardest.different(there, mirrored)
            assert kind["different"] == len(classes), name
            named = hardest.different(kind["named"], mirrored)
            assert len(named) == len(kind["named"]) == min(len(classes), MOST_NAMED)


@pytest.mark.parametrize("name", [pytest.param("novice", marks=pytest.mark.matrix), *[*CASES][1:]])
def test_each_kind_agrees_with_the_reference(tmp_path: Path, name: str) -> None:
    neighbours, mirrored = CASES[name]
    solved = find(name).goal().states[0]
    known = naive.distances(solved, neighbours)
    agrees(hardest_of(tmp_path, name), known, neighbours, mirrored)


def test_of_a_game_each_kind_agrees_too(tmp_path: Path) -> None:
    """Its moves may be one-way, and a move to a lost state leads farther."""
    rules = tmp_path / "triangle.py"
    rules.write_text(TRIANGLE, "utf-8")
    for words in (("build",), ("hardest", "--threads", "1")):
        done = command(tmp_path / "data", "--rules", str(rules), words[0], "small-triangle", *words[1:])
        assert done.status in (0, None), done.stderr
    known = {state: distance for state, distance in reference(SMALL, jumps_from).items() if distance >= 0}
    agrees(HARDEST_FILES.read(tmp_path / "data" / "small-triangle.hardest.json"), known, jumps_from, None)


def test_layers_that_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = hardest_of(tmp_path, "panguru-4", threads=1)
    monkeypatch.setattr(every_move, "_MOST_LISTED", 100)
    monkeypatch.setattr(every_move, "_CHUNK", 1000)
    assert hardest_of(tmp_path, "panguru-4", threads=3) == listed


def test_what_is_no_symmetry_is_refused() -> None:
    puzzle = find("novice")
    space = puzzle.space(puzzle.goal())
    distances = enumerated(space).astype(np.int16)
    assert symmetry._holds(space, distances, 13, np.arange(10))
    assert not symmetry._holds(space, distances, 13, np.roll(np.arange(10), 5))  # left for right
    assert not symmetry._holds(space, distances, 13, np.array([1, 0, *range(2, 10)]))


def test_the_published_antipodes_of_the_8_puzzle(tmp_path: Path) -> None:
    """Two boards take 31 moves, and one is the other mirrored."""
    antipodes = hardest_of(tmp_path, "sliding-3x3").kinds["antipodes"]
    assert (antipodes["distance"], antipodes["count"], antipodes["different"]) == (31, 2, 1)
    known = {"647850321", "867254301"}
    assert {*antipodes["named"], *map(transposed, antipodes["named"])} == known


def test_verification_looks_again(tmp_path: Path) -> None:
    build_table(tmp_path, "panguru-4")
    puzzle = find("panguru-4")
    job = HardestJob(puzzle, puzzle.goal(), tmp_path, "test", 2, quiet())
    path = job.build()
    assert "sound" in job.verify()
    HARDEST_FILES.write(path, replace(HARDEST_FILES.read(path), symmetries=7))
    with pytest.raises(VerificationError, match="is not what the table gives"):
        job.verify()

"""Patterns of definitions: their symmetries and views,
and searches with them that say what whole tables say.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from math import perm
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import TableJob
from puzzlebase.db.errors import DamagedTable
from puzzlebase.plugins.definitions.definition_file import QUARTER, DefinitionFile
from puzzlebase.plugins.definitions.ksolve import read_ksolve
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.symmetries import symmetries
from puzzlebase.plugins.definitions.symmetry_classes import SymmetricRows
from puzzlebase.plugins.definitions.tests.small_definitions import (
    EXAMPLES,
    definitions_from,
    whole_cube,
    written,
)
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.patterns import definitions
from puzzlebase.plugins.patterns.definitions import Patterned, patterns_of
from puzzlebase.plugins.patterns.job import PatternsJob
from puzzlebase.plugins.patterns.search import Effort, PatternSearch
from puzzlebase.plugins.patterns.tables import _then
from puzzlebase.puzzles import GraphSearch, PatternDatabases, Puzzle, find
from puzzlebase.service.answers import lookups
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable, tables_of_search
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import quiet
from tests.matrix import one_in
from tests.sources.test_search import Whole, agrees


@pytest.fixture(autouse=True)
def _chosen_anew() -> Iterator[None]:
    """Tests change how large patterns may be, so none of another test is cached."""
    definitions.patterns_of.cache_clear()
    yield
    definitions.patterns_of.cache_clear()


@pytest.mark.parametrize(
    ("text", "count"), [(whole_cube(), 48), ("2x2x2", 6), ("pyraminx", 24), ("skewb", 24)]
)
def test_symmetries_turn_moves_into_moves(text: str, count: int) -> None:
    """A cube has 48 of its own, six hold a corner;
    four turning corners make a tetrahedron with 24.
    """
    definition = read_ksolve(
        text if "\n" in text else (EXAMPLES / f"{text}.tws").read_text("utf-8")
    )
    turns = [move.turn for move in all_moves(definition)]
    found = symmetries(definition, turns)
    assert len(found) == count
    keys = {turn.key for turn in turns}
    for symmetry in found:
        assert {symmetry.image(turn, definition.orientations).key for turn in turns} == keys


def test_the_pattern_of_the_cube(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four edges that two faces leave alone, and all orientations,
    seen along three axes: alike, or all different.
    """
    for memory, labels, states in (
        ("200000000", [4, 8], 2_217_093_120),
        ("2000000000", [1, 1, 1, 1, 8], 53_210_234_880),
    ):
        monkeypatch.setenv(definitions.MEMORY, memory)
        (found,) = patterns_of(read_ksolve(whole_cube()))
        assert sorted(np.bincount(found.definition.labels[8:]).tolist()) == labels
        assert (found.states, found.symmetries, len(found.views)) == (states, 16, 3)


def test_of_many_blocks_one_has_a_class() -> None:
    """Five choices in each of ten blocks of three pieces would be ten million."""
    sets = "\n".join(f"Set S{at} 3 1" for at in range(10))
    moves = "\n".join(
        f"Move M{at}{order[0]}\nS{at}\n{order}\nEnd"
        for at in range(10)
        for order in ("2 1 3", "1 3 2")
    )
    definition = read_ksolve(f"{sets}\nSolved\nEnd\n{moves}\n")
    moved = all_moves(definition)
    classes = [
        sum(len(places) > 0 for places, _ in each)
        for each in definitions._classified(Numbered(Texts(definition), moved))
    ]
    assert (len(classes), max(classes)) == (10 * 5, 1)
    six = Numbered(Texts(definition), [move for move in moved if move.generator[1] in "012345"])
    assert len([*definitions._classified(six)]) == 5**6


@pytest.mark.parametrize(("memory", "apart"), [(300_000_000, 8), (30_000_000, 7)])
def test_all_permutations_of_one_orbit_have_the_largest_pattern(
    monkeypatch: pytest.MonkeyPatch, memory: int, apart: int
) -> None:
    """The places of so many discs of sixteen, two states in a byte."""
    monkeypatch.setenv(definitions.MEMORY, str(memory))
    ring, turned = [16, *range(1, 16)], [4, 3, 2, 1, *range(5, 17)]
    moves = "\n".join(
        f"Move {name}\nD\n{' '.join(map(str, sources))}\nEnd"
        for name, sources in (("R", ring), ("T", turned))
    )
    (chosen,) = patterns_of(read_ksolve(f"Set D 16 1\nSolved\nEnd\n{moves}"))
    assert (chosen.states, len(chosen.views)) == (perm(16, apart), 2)


@pytest.mark.slow
def test_named_patterns_add_up_where_no_move_changes_two(tmp_path: Path, data: Path) -> None:
    """Q changes A and D, so the second pattern adds to the first alone."""
    name = written(tmp_path, "named", NAMED.replace(" / ", "\n")).name
    with definitions_from(tmp_path):
        puzzle = patterned(name, tmp_path)
        engine = puzzle.engine(PatternDatabases)
        patterns = engine and engine.patterns(puzzle.goal())
        assert patterns
        groups = [(each.puzzle, each.group) for each in patterns.patterns]
        assert groups == [("named~p1", 0), ("named~p2", 0), ("named~p3", 1)]
        source = OpenSearch(built(puzzle, data), Budget())
        state = puzzle.goal().start
        for move in "SRPTLP":
            state = puzzle.play(state, move)
        assert lookups.lookup(source, state)["distance"] == 4  # two of A and two of B


@pytest.fixture(name="data", scope="module")
def _data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patterns")


def patterned(name: str, folder: Path = EXAMPLES) -> Puzzle:
    """An example that is searched with patterns although a whole table would fit."""
    definition = DefinitionFile(folder / f"{name.removesuffix(QUARTER)}.tws").definition
    definition = definition.quarter if name.endswith(QUARTER) else definition
    engine = Patterned(name, definition).engine
    return replace(find(name), engines=(engine, GraphSearch()))


TWISTS = (
    "Move R / A / 2 3 1 4 {0} / 1 2 0 0 {1} / End / Move L / A / 1 3 4 2 {0} / 0 0 1 2 {1} / End"
)
NAMED = (
    "Set A 5 3 / Set B 5 1 / Set D 5 1 / Solved / End / "
    "Pattern A 1-2 / Pattern B / Pattern D 2-5 / "
    "Move S / B / 2 3 4 5 1 / End / Move T / B / 2 1 3 4 5 / End / "
    f"{TWISTS.format(5, 0)} / Move Q / A / 1 2 3 5 4 / D / 2 3 4 5 1 / End / "
    "Move P / D / 2 1 3 4 5 / End"
)
STRANGE = {
    "patterns with names": NAMED,
    "a piece that stays": f"Set A 5 3 / Solved / End / {TWISTS.format(5, 0)}",
    "a piece that stays, named as another": (
        f"Set A 5 3 / Solved / A / 1 2 3 4 1 / End / {TWISTS.format(5, 0)}"
    ),
    "pieces named as those elsewhere in the set": (
        "Set A 8 3 / Solved / A / 1 2 3 4 1 2 3 4 / End / "
        f"{TWISTS.format('5 6 7 8', '0 0 0 0')} / Move S / A / 1 2 3 4 6 7 5 8 / 0 0 0 "
        "0 1 2 0 0 / End / Move T / A / 1 2 3 4 5 7 8 6 / 0 0 0 0 0 0 1 2 / End"
    ),
    "pieces whose turns cannot be seen beside others": (
        "Set A 8 3 / Solved / A / 1 2 3 4 5 6 7 8 / 0 0 0 0 ? ? ? ? / End / "
        f"{TWISTS.format('5 6 7 8', '0 0 0 0')} / "
        "Move S / A / 1 2 3 4 6 7 5 8 / End / Move T / A / 1 2 3 4 5 7 8 6 / End"
    ),
}


@pytest.mark.parametrize("name", ["2x2x2", "pyraminx", "cube-corners", *STRANGE])
def test_views_move_as_the_puzzle_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv(definitions.MEMORY, "3000")
    folder = tmp_path if name in STRANGE else EXAMPLES
    if name in STRANGE:
        name = written(tmp_path, "strange", STRANGE[name].replace(" / ", "\n")).name
    with definitions_from(folder):
        puzzle, draw = patterned(name, folder), random.Random(3)
        engine = puzzle.engine(PatternDatabases)
        assert engine
        patterns = engine.patterns(puzzle.goal())
        assert patterns
        state = puzzle.goal().start
        abstractions = [find(each.puzzle) for each in patterns.patterns]
        assert all(each.space(each.goal()).connected for each in abstractions)
        for _ in range(40):
            number = draw.randrange(len(puzzle.moves))
            after = puzzle.play(state, puzzle.moves[number].name)
            for each, abstraction in zip(patterns.patterns, abstractions, strict=True):
                edge = each.edges[0, number]
                moved = (
                    abstraction.play(each.state(state), abstraction.moves[edge].name)
                    if edge >= 0
                    else each.state(state)
                )
                assert each.state(after) == moved
            state = after


def built(puzzle: Puzzle, data: Path) -> Searchable:
    """A puzzle with its patterns' tables, which are built."""
    job = PatternsJob(puzzle, puzzle.goal(), data, report=quiet(), threads=1)
    job.build()
    tables = Sources(data)
    names = [each.puzzle.name for each in job.tables]
    found = Searchable.of(
        puzzle, puzzle.goal(), None, patterns={name: tables.table(name) for name in names}
    )
    assert found.shortest
    return found


def test_a_pattern_of_another_memory_is_refused_and_built_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for memory in ("400", "40"):
        monkeypatch.setenv(definitions.MEMORY, memory)
        definitions.patterns_of.cache_clear()
        with definitions_from(EXAMPLES):
            puzzle = patterned("topspin-10")
            if [*tmp_path.iterdir()]:
                with pytest.raises(DamagedTable, match=f"or of another {definitions.MEMORY}"):
                    tables_of_search(Sources(tmp_path).folder, puzzle, puzzle.goal())
            built(puzzle, tmp_path)


def test_symmetries_of_moves_that_lead_states_alike() -> None:
    """R and Q differ only in pieces that look alike,
    and so do L and M. A symmetry renames R as L, L as Q and Q as M.

    Twice it renames R as Q, which changes no state.
    """
    parts = {"R": ("2 3 1 4 / 1 1 3 0", "2 5 3 4 1"), "L": ("1 4 2 3 / 0 3 1 1", "1 3 5 4 2")}
    parts |= {"Q": (parts["R"][0], "1 2 4 5 3"), "M": (parts["L"][0], "5 2 3 1 4")}
    moves = " / ".join(
        f"Move {name} / A / {one} / B / {other} / End" for name, (one, other) in parts.items()
    )
    text = f"Set A 4 5 / Set B 5 1 / Solved / A / 1 1 1 1 / 0 0 0 0 / B / 1 1 1 1 1 / End / {moves}"
    definition = read_ksolve(text.replace(" / ", "\n"))
    space = Numbered(Texts(definition), all_moves(definition.quarter)).space()
    assert isinstance(space.storage, SymmetricRows)
    then = _then(space.storage)
    assert (np.sort(then, axis=1) == np.arange(4)).all()
    assert (then == then.T).all()
    assert (np.diag(then) == 0).all()


@pytest.mark.slow
def test_moves_that_commute_are_made_in_any_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nine moves flip a piece each: there are 362,880 orders of them, and few states."""
    monkeypatch.setenv(definitions.MEMORY, "3000")
    still, flips = (
        "1 2 3 4 5 6 7 8 9",
        [" ".join("01"[at == piece] for at in range(9)) for piece in range(9)],
    )
    moves = {f"F{piece}": (still, flip) for piece, flip in enumerate(flips)}
    moves |= {"S": ("2 1 3 4 5 6 7 8 9", "0 " * 9), "C": ("2 3 4 5 6 7 8 9 1", "0 " * 9)}
    lines = [f"Move {name}\nA\n{sources}\n{turns}\nEnd" for name, (sources, turns) in moves.items()]
    written(tmp_path, "flips", "\n".join(["Set A 9 2", "Solved", "End", *lines]))
    with definitions_from(tmp_path):
        source = OpenSearch(built(patterned("flips", tmp_path), tmp_path), Budget())
        answer = lookups.lookup(source, "A1B1C1D1E1F1G1H1I1")
    assert answer["distance"] == 9
    assert {move["move"] for move in answer["moves"] if move["optimal"]} == {
        f"F{piece}" for piece in range(9)
    }


@pytest.mark.slow(5)
@pytest.mark.parametrize(
    ("name", "memory"),
    one_in(
        2,
        [
            ("2x2x2-quarter", "20000"),
            ("2x2x2", "20000"),
            ("pyraminx", "20000"),
            ("cube-corners", "4000"),
            ("topspin-10", "80000"),
        ],
    ),
)
def test_a_search_says_what_the_whole_table_says(
    monkeypatch: pytest.MonkeyPatch, data: Path, name: str, memory: str
) -> None:
    """Distances, all optimal moves and the number of shortest solutions,
    though the patterns tell few states apart.
    """
    monkeypatch.setenv(definitions.MEMORY, memory)
    with definitions_from(EXAMPLES):
        puzzle = patterned(name)
        searchable = built(puzzle, data)
        TableJob(find(name), puzzle.goal(), data, report=quiet(), threads=1).build()
        whole = Whole(Sources(data).table(name).distances(np.arange(searchable.space.size)))
        for index in whole.some(1):
            agrees(OpenSearch(searchable, Budget()), whole, index)
        engine = puzzle.engine(PatternDatabases)
        patterns = engine and engine.patterns(puzzle.goal())
        assert patterns
        short = PatternSearch(
            puzzle, puzzle.goal(), patterns, searchable.patterns, Effort(slice=2000, long=1)
        )
        for index in whole.some(1):  # shared among threads, and with margins
            agrees(OpenSearch(replace(searchable, shortest=short.shortest), Budget()), whole, index)

"""Searches with patterns: they say what a whole table would,
and what they are built from is verified and listed.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from puzzlebase.command_line import verb_sources
from puzzlebase.paths import CACHE, NOWHERE
from puzzlebase.plugins.patterns.job import PatternsJob
from puzzlebase.plugins.patterns.search import Effort, PatternSearch
from puzzlebase.puzzles import GraphSearch, PatternDatabases, Puzzle, find
from puzzlebase.puzzles.families.sliding import SlidingRules
from puzzlebase.puzzles.families.tiles.patterns import SETS, patterns_of
from puzzlebase.service.answers import catalog, lookups, solutions
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.search import OpenSearch, Searchable, tables_of_search
from puzzlebase.service.sources.sources import Sources
from tests.commands import command, ran
from tests.fixtures import quiet, searching
from tests.matrix import one_in
from tests.puzzles.enumerating import distances_of
from tests.puzzles.patterns import assert_patterns_follow
from tests.sources.test_search import Whole, agrees

pytestmark = pytest.mark.needs("patterns")

SMALL = {
    (3, 3, 8): ("1245", "3678"),
    (3, 3, 4): ("1236", "4789"),
    (4, 4, 15): ("123", "567", "48c", "9ad", "bef"),
}
"""Patterns of four and three tiles, in place of those of seven."""


PRODUCTION = dict(SETS)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patterns")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    for board, sets in SMALL.items():
        monkeypatch.setitem(SETS, board, sets)


def with_patterns(name: str) -> Puzzle:
    """A puzzle that has patterns although a whole table would fit."""
    puzzle = find(name)
    height, width = map(int, name.removeprefix("sliding-").split("x"))
    return replace(
        puzzle,
        engines=(
            PatternDatabases(patterns=partial(patterns_of, SlidingRules(height, width))),
            GraphSearch(),
        ),
    )


def built(puzzle: Puzzle, goal_name: str | None, data: Path) -> Searchable:
    """Prepare searches with the patterns' tables, and build those that are not there."""
    goal = puzzle.goal(goal_name)
    job = PatternsJob(puzzle, goal, data, report=quiet(), threads=1)
    job.build()
    tables = Sources(data)
    return Searchable.of(
        puzzle,
        goal,
        None,
        patterns={each.puzzle.name: tables.table(each.puzzle.name) for each in job.tables},
    )


def with_effort(searchable: Searchable, effort: Effort) -> Searchable:
    """The same searches in steps of other sizes."""
    engine = searchable.puzzle.engine(PatternDatabases)
    patterns = engine and engine.patterns(searchable.goal)
    assert patterns
    search = PatternSearch(
        searchable.puzzle, searchable.goal, patterns, searchable.patterns, effort
    )
    return replace(searchable, shortest=search.shortest)


@pytest.mark.slow
@pytest.mark.parametrize("goal_name", one_in(3, ["123405786", "blank-0", "blank-4"]))
def test_a_search_says_what_the_whole_table_says(data: Path, goal_name: str) -> None:
    """Distances, all optimal moves,
    and the number of shortest solutions; for goals that share tables.
    """
    puzzle = with_patterns("sliding-3x3")
    searchable = built(puzzle, goal_name, data)
    whole = Whole(distances_of("sliding-3x3", goal_name))
    bidirectional = Searchable.of(find("sliding-3x3"), puzzle.goal(goal_name), None)
    for index in whole.some(1):
        agrees(OpenSearch(searchable, Budget()), whole, index)
        text = puzzle.text(index, searchable.goal)
        answers = [
            solutions.solve(OpenSearch(each, Budget()), text, all=3)
            for each in (searchable, bidirectional)
        ]
        assert answers[0] == answers[1]


def test_the_sizes_of_steps_change_no_answer(data: Path) -> None:
    """Blocks of a single state, margins,
    and a search that is shared among threads again and again.
    """
    searchable = built(with_patterns("sliding-3x3"), None, data)
    small = with_effort(searchable, Effort(1, slice=20, long=20, threads=3))
    whole, plain = Whole(distances_of("sliding-3x3", "blank-8")), searching(find("sliding-3x3"))
    for index in whole.some(1):
        each = OpenSearch(small, Budget())
        agrees(each, whole, index)
        text = searchable.puzzle.text(index, searchable.goal)
        assert solutions.solve(each, text, all=3) == solutions.solve(plain, text, all=3)


@pytest.mark.parametrize("board", [*{**SETS, **SMALL}])
def test_every_tile_is_in_one_pattern(board: tuple[int, int, int]) -> None:
    """So the sum of the patterns' distances is odd or even as the distance is,
    and tells the goal from other states.
    """
    height, width, home = board
    letters = "123456789abcdefg"[: height * width]
    for sets in (PRODUCTION.get(board), SMALL.get(board)):
        assert not sets or sorted("".join(sets)) == sorted(letters.replace(letters[home], ""))


def test_moves_of_patterns_follow_those_of_the_puzzle() -> None:
    for goal_name in ("blank-15", "blank-12", "214356789abcdef0"):
        assert_patterns_follow(find("sliding-4x4"), goal_name)


@pytest.mark.slow(13)
def test_the_fifteen_puzzle_from_its_patterns(data: Path) -> None:
    """Built, verified, listed, and searched by every verb;
    exact up to what its small patterns here allow.
    """
    asked = command(data, "lookup", "sliding-4x4", "123456789abcde0f", "--max-states", "0")
    assert asked.stderr.count("build sliding-4x4") == 1
    built_now = ran(data, "build", "sliding-4x4")
    assert "sliding-4x4 needs the table of tiles-4x4-123" in built_now.stderr
    assert "patterns" in built_now.stdout
    again = command(data, "build", "sliding-4x4")
    assert "which is there" in again.stderr
    verified = ran(data, "verify", "sliding-4x4")
    assert verified.stdout.count("is sound") == 5
    about = json.loads(command(data, "info", "sliding-4x4", "--json").stdout)
    assert (about["coverage"], about["table"]) == ("patterns", None)
    assert {pattern["puzzle"] for pattern in about["patterns"]} == {
        f"tiles-4x4-{tiles}" for tiles in SMALL[4, 4, 15]
    }
    assert all(pattern["digest"] for pattern in about["patterns"])
    assert {pattern["puzzle"] for pattern in about["patterns"]} <= {
        *catalog.readiness(Sources(data))["tables"]
    }
    state, known = _scrambled(30, seed=4)
    found = command(data, "solve", "sliding-4x4", state)
    assert "so this is a search" not in found.stderr
    assert f"distance {known} (search)" in found.stdout


def _scrambled(moves: int, seed: int) -> tuple[str, int]:
    """A state so many random moves from solved, and its distance by a bidirectional search."""
    puzzle, chosen = find("sliding-4x4"), random.Random(seed)
    state = puzzle.goal().start
    for _ in range(moves):
        state = chosen.choice(
            [*puzzle.played(state, [move.name for move in puzzle.moves]).values()]
        )
    source = searching(replace(puzzle, engines=(GraphSearch(),)))
    return state, source.distance(source.index(state))


def test_patterns_that_were_built_are_used_whatever_memory_there_is(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A build maps them. Where none can be mapped, a line says why they are left out."""
    ran(data, "build", "sliding-4x4")
    monkeypatch.setattr(verb_sources, "DEFAULT_MEMORY", 1000)
    state, known = _scrambled(24, seed=7)
    lookup = "lookup", "sliding-4x4", state, "--memory", "1"
    assert f"distance {known} (search)" in command(data, *lookup).stdout
    assert not caplog.messages
    monkeypatch.setenv(CACHE, NOWHERE)
    command(data, *lookup)
    assert "searches go without it" in caplog.messages[0]
    assert "--cache" in caplog.messages[0]


@pytest.mark.needs("hardest", "oriented", "sql")
@pytest.mark.parametrize("name", ["sliding-4x4", "puzzler"])
def test_no_hint_says_to_build_a_table_that_no_build_makes(data: Path, name: str) -> None:
    for verb in ("histogram", "hardest", "export"):
        refused = command(data, verb, name)
        assert refused.status == 2
        message = refused.stderr.partition("too many")[2]
        assert "single states" in message
        assert "build" not in message


def test_a_search_that_ends_early_says_what_is_proven(data: Path) -> None:
    """A random board's patterns say at least so many moves; never more than there are."""
    searchable = built(find("sliding-4x4"), None, data)
    source = OpenSearch(searchable, Budget(states=1000))
    answer = lookups.lookup(source, "fedcba9876543120")
    assert (answer["distance"], answer["exact"]) == (None, False)
    assert 30 <= (answer["lower_bound"] or 0) <= 80


def test_a_budget_that_ends_on_the_way_of_a_solution(data: Path) -> None:
    """The distance is known then, but no solution and no number of them."""
    searchable = built(find("sliding-4x4"), None, data)
    state, known = _scrambled(24, seed=7)
    budget = Budget()
    assert (
        OpenSearch(searchable, budget).distance(searchable.puzzle.index(state, searchable.goal))
        == known
    )
    source = OpenSearch(searchable, Budget(states=budget.states + 1))
    with pytest.raises(TooMuchWork, match=f"the distance is {known}, but"):
        solutions.solve(source, state)
    index = source.index(state)
    assert source.optimal_count(index, known) is None
    assert lookups.lookup(source, state)["distance"] == known


def test_a_goal_without_patterns_is_searched_as_before(data: Path) -> None:
    done = command(data, "build", "sliding-4x4", "--goal", "blank-5")
    assert done.status == 1
    assert "has no patterns for the goal 'blank-5'" in done.stderr
    assert (
        tables_of_search(Folder(data), find("sliding-4x4"), find("sliding-4x4").goal("blank-5"))
        == []
    )

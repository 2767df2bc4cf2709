"""puzzlebase/testing/: what is right obeys the laws, and what is wrong does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.hooks import Plugin, load_attribute
from puzzlebase.paths import table_path
from puzzlebase.plugins.levels.files import LevelFile
from puzzlebase.plugins.levels.game import LevelGame
from puzzlebase.puzzles import Family, Goal, Indices, Puzzle, Space, find
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from puzzlebase.testing import FamilyLaws, LevelLaws, PluginLaws, SourceLaws, TableLaws
from puzzlebase.testing.puzzles import Law, laws_of
from tests.fixtures import searching
from tests.needs import PRESENT, imported_plugins
from tests.size import plugins

ROOT = Path(__file__).parents[1]
PLUGINS = sorted(PRESENT & plugins())
SMALL = find("sliding-2x3")


class TestFamily(FamilyLaws):
    family = Family.of(SMALL)


class TestLevel(LevelLaws):
    @pytest.fixture
    def game(self) -> LevelGame:
        (level,) = LevelFile(ROOT / "examples" / "levels" / "cross.pegs").levels
        return level.game


class TestOurPlugins(PluginLaws):
    @pytest.fixture(params=PLUGINS)
    def plugin(self, request: pytest.FixtureRequest) -> Plugin:
        record: Plugin = load_attribute(f"puzzlebase.plugins.{request.param}:PLUGIN")
        return record


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_says_which_others_it_imports(name: str) -> None:
    record = load_attribute(f"puzzlebase.plugins.{name}:PLUGIN")
    imported = imported_plugins(ROOT / "plugins" / name) & plugins()
    assert {*record.needs} == imported - {name}


class TestSearch(SourceLaws):
    @pytest.fixture
    def source(self) -> Source:
        return searching(SMALL)


class TestTableAsSource(SourceLaws):
    @pytest.fixture
    def source(self, data: Path) -> Source:
        return Sources(data).table("novice")


class TestTable(TableLaws):
    @pytest.fixture
    def path(self, data: Path) -> Path:
        return table_path(data, "novice")


def broken(expand: Callable[[Space], Callable[[Indices], Indices]]) -> Puzzle:
    """The puzzle with another `expand` of its spaces."""
    assert SMALL.index_side

    def space(goal: Goal) -> Space:
        right = SMALL.space(goal)
        return replace(right, expand=expand(right))

    return replace(SMALL, index_side=replace(SMALL.index_side, space=space))


@pytest.mark.parametrize(
    ("expand", "laws"),
    [
        (lambda space: lambda indices: space.expand(indices)[:, ::-1], {"play_agrees_with_expand"}),
        (
            lambda space: (
                lambda indices: np.where(space.expand(indices) == 7, 8, space.expand(indices))
            ),
            {"play_agrees_with_expand", "moves_can_be_taken_back"},
        ),
    ],
)
def test_a_wrong_space_breaks_laws(expand: Any, laws: set[str]) -> None:
    puzzle = broken(expand)
    assert {law.__name__ for law in laws_of(puzzle) if fails(law, puzzle, puzzle.goal())} == laws


def fails(law: Law, puzzle: Puzzle, goal: Goal) -> bool:
    try:
        law(puzzle, goal)
    except AssertionError:
        return True
    return False

"""The engines of a puzzle are asked in their order, and name the files they need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from puzzlebase.puzzles import GraphSearch, PatternDatabases, WholeTable, find
from puzzlebase.puzzles.contract.engines import Engine, Need
from puzzlebase.service.sources import sources
from puzzlebase.tools.methods.record import Oracle


def test_an_engine_says_which_files_it_needs() -> None:
    """The files of the 15-puzzle are in docs/search.md."""
    asked: list[tuple[str, type[Engine], str | None]] = [
        ("novice", WholeTable, None),
        ("hanoi-nnn-8", WholeTable, "red"),
        ("hanoi-nnn-64", Oracle, None),
        ("puzzler", PatternDatabases, None),
        ("sliding-4x4", PatternDatabases, "blank-5"),
        ("novice", Oracle, None),
    ]
    assert [find(name).needs(kind, find(name).goal(goal)) for name, kind, goal in asked] == [
        (Need("novice", "solved"),),
        (Need("hanoi-nnn-8", "red"),),
        (),
        (Need("turnstile"), Need("puzzler-edges")),
        None,
        None,
    ]


@dataclass(frozen=True, kw_only=True)
class Unbuilt(Engine):
    """An engine of somebody's own without a source of any tool."""

    kind = "unbuilt"


def test_the_first_engine_that_can_gives_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = find("quantum-2x2-2")
    table, search, construction = puzzle.engines
    tables = sources.Sources(tmp_path)

    def source(*engines: Engine) -> str:
        monkeypatch.setattr(sources, "find", lambda _name: replace(puzzle, engines=engines))
        found = tables.find(puzzle.name)
        return found.origin.name if found else "search"

    assert source(construction, table, search) == source(table, construction) == source(Unbuilt(), construction)
    assert source(table, construction) == "construction"
    assert isinstance(search, GraphSearch)
    assert source(table, search, construction) == "search"

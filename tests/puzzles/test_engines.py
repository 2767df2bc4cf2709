"""The engines of a puzzle name the files they need."""

from __future__ import annotations

import pytest

from puzzlebase.plugins.methods.record import Oracle
from puzzlebase.puzzles import PatternDatabases, WholeTable, find
from puzzlebase.puzzles.contract.engines import Engine, Need


@pytest.mark.needs("hanoi", "oriented", "tiles")
def test_an_engine_says_which_files_it_needs() -> None:
    """The files of the 15-puzzle are in plugins/patterns/README.md."""
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

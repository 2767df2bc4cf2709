"""Fixtures of the tests of SQL: tables of several families, and a session over them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.db.sql.session import QueryResult, Session
from puzzlebase.paths import table_path
from puzzlebase.puzzles import UnknownPuzzle
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.tables import session_over_tables
from tests.fixtures import TABLES, build_table, copy_of_shared

PANGURU_GOAL = "WABCABCCAB"


@pytest.fixture(scope="session")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shared tables, and small ones of other families and another goal."""

    def build(folder: Path) -> None:
        for name in TABLES:
            shutil.copy(table_path(data, name), folder)
        small = ("panguru-4", "panex-2", "hanoi-nnn-3", "quantum-2x2-2")
        for name, goal in (*((name, None) for name in small), ("panguru-4", PANGURU_GOAL)):
            with suppress(UnknownPuzzle):  # without the plugin that has it
                build_table(folder, name, goal)

    return copy_of_shared(tmp_path_factory, "sql", build)


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Session]:
    """A session over that folder."""
    with session_over_tables(folder) as session:
        yield session


def ask(session: Session, text: str) -> list[tuple[Any, ...]]:
    """Run statements, and return the rows of the last result."""
    *_, last = [list(result.rows()[1]) for result in session.run(text)]
    return last


def one(session: Session, text: str) -> QueryResult:
    """The first result of a text, not read yet."""
    return next(session.run(text))


def table(folder: Path, name: str) -> OpenTable:
    """A table of the folder, opened apart from the session."""
    return Sources(folder).table(name)


def all_distances(source: OpenTable) -> np.ndarray[Any, np.dtype[np.int32]]:
    """The distances of all states of a table, by index."""
    return source.distances(np.arange(source.space.size))

"""db/sql/runner.py: the time and memory of a statement, Ctrl-C, and what errors say."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db.errors import MissingTable
from puzzlebase.db.sql.errors import LimitReached, QueryError
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.session import QueryResult, Session
from puzzlebase.puzzles import InvalidState
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sql.tables import session_over_tables
from tests.sql.conftest import ask, one


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM range(1_000_000_000_000) AS numbers(i) WHERE i % 7 = 3",
        "SELECT i FROM range(1_000_000_000_000) AS numbers(i)",
        (
            "SELECT count(*) FROM states('avenger') AS a, states('avenger') AS b WHERE a.distance "
            "< b.distance - 14"
        ),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT sum(length(state_text('avenger', index))) FROM states('avenger') AS s, range(100)",
        "SELECT * FROM states('avenger') AS s, range(100) WHERE distance >= 10 AND index % 2 = 7",
    ],
)
def test_a_statement_is_stopped_when_its_time_is_over(folder: Path, statement: str) -> None:
    with session_over_tables(folder, StatementLimits(seconds=0.3)) as begun:
        with pytest.raises(LimitReached, match="stopped") as stopped:
            ask(begun, statement)
        assert "0.3 s" in stopped.value.hint
        assert answered(begun, "SELECT 1") == [(1,)]


def answered(session: Session, text: str) -> list[tuple[Any, ...]]:
    """The rows of a very short statement, which is asked again if a busy machine stopped it."""
    for _ in range(100):
        with suppress(LimitReached):
            return ask(session, text)
    return ask(session, text)


@pytest.mark.parametrize(
    "statement",
    [
        (
            "SELECT i, repeat('x', 300) || i AS s FROM range(5_000_000) AS numbers(i) ORDER BY s "
            "DESC LIMIT 4_000_000"
        ),
        (
            "CREATE TEMP TABLE big AS SELECT i, repeat('x', 300) || i AS s FROM range(5_000_000) "
            "AS numbers(i); SELECT 1"
        ),
        "SELECT len(list(index)) FROM states('avenger')",
    ],
)
def test_a_statement_is_stopped_when_it_needs_more_memory(folder: Path, statement: str) -> None:
    with session_over_tables(folder, StatementLimits(memory_mb=128)) as begun:
        with pytest.raises(LimitReached) as stopped:
            ask(begun, statement)
        assert "128 MB" in stopped.value.hint


@pytest.mark.parametrize(
    ("statement", "error", "message"),
    [
        ("SELEC 1", QueryError, "SELEC"),
        ("SELECT nothing FROM layers", QueryError, "nothing"),
        ("FROM states('nope')", MissingTable, "of nope yet"),
        ("FROM histogram('nope')", MissingTable, "of nope yet"),
        ("SELECT state_text('nope', 1)", MissingTable, "of nope yet"),
        ("SELECT state_text('novice', -1)", InvalidRequest, "no index -1"),
        ("SELECT distance('novice', 97020)", InvalidRequest, "no index 97020"),
        ("FROM successors('novice', 97020)", InvalidRequest, "no index 97020"),
        ("SELECT distance('novice', 'x')", InvalidState, "'x'"),
        ("SELECT state_index('novice', 'x')", InvalidState, "'x'"),
        ("SELECT 1 / 0 + CAST('a' AS INTEGER)", QueryError, "'a'"),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(
    session: Session, statement: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as raised:
        ask(session, statement)
    assert getattr(raised.value, "hint", "")


@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.parametrize(
    "read", [lambda result: list(result.rows()[1]), lambda result: list(result.batches()[1])]
)
def test_ctrl_c_ends_a_statement_and_not_the_session(
    session: Session, read: Callable[[QueryResult], list[Any]]
) -> None:
    endless = one(
        session, "SELECT count(*) FROM range(1_000_000_000_000) AS numbers(i) WHERE i % 7 = 3"
    )

    # on a busy machine, the signal may come before the statement runs
    def read_for_a_while() -> None:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        read(endless)

    with pytest.raises(KeyboardInterrupt):
        read_for_a_while()
    assert ask(session, "SELECT 5") == [(5,)]

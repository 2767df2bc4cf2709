"""db/catalog.py: files that hold more than their schema are damaged, and nothing in them is run."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from flask.testing import FlaskClient

from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table import Table
from puzzlebase.paths import table_path
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sql.tables import session_over_tables
from tests.matrix import one_in

SECRET = "a secret that no answer may show"

FORGERIES = {
    "a view for a table": (
        "DROP TABLE certificate; CREATE VIEW certificate AS "
        "SELECT content AS graph, 1 AS nodes, 1 AS links FROM read_text('{secret}')"
    ),
    "a view for the header": (
        "ALTER TABLE table_info RENAME TO stored; CREATE VIEW table_info AS "
        "SELECT * REPLACE ((SELECT content FROM read_text('{secret}')) AS digest) FROM stored"
    ),
    "an endless view": (
        "DROP TABLE layer; CREATE VIEW layer AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n) SELECT i AS distance, i AS states FROM n"
    ),
    "a view that needs much memory": (
        "DROP TABLE layer; CREATE VIEW layer AS "
        "SELECT max(i) AS distance, len(list(i)) AS states FROM range(1_000_000_000) AS r(i)"
    ),
    "an expression for a column": (
        "DROP TABLE certificate; CREATE TABLE certificate"
        "(graph VARCHAR, nodes BIGINT GENERATED ALWAYS AS (length(repeat(graph, 1000000000))), "
        "links BIGINT)"
    ),
    "a table more": "CREATE TABLE more AS SELECT 1",
    "a table less": "DROP TABLE antipode",
    "a type": "CREATE TYPE VARCHAR2 AS ENUM ('a')",
    "a column more": "ALTER TABLE layer ADD COLUMN more INTEGER",
}


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("novice", "challenger"):
        shutil.copy(table_path(data, name), folder)
    return folder


def refused(folder: Path) -> str:
    """The service's error for a wrong file of novice, while challenger's answers."""
    client = create_app(folder).test_client()
    ready: Any = client.get("/readyz").json
    assert ready["tables"] == ["challenger"]
    (damaged,) = ready["damaged"]
    assert damaged["table"] == "novice"
    counts = client.get("/metrics").text
    assert 'puzzlebase_files{state="sound"} 1.0' in counts
    assert 'puzzlebase_files{state="damaged"} 1.0' in counts
    for address in ("lookup?state=RBBBBBBBBBBBBRRRRRRRR", "histogram", "antipodes", ""):
        answer = client.get(f"/v1/puzzles/novice/{address}".rstrip("/"))
        assert answer.status_code == (500 if address else 200)
        assert SECRET not in answer.text
    assert client.get("/v1/puzzles/challenger/histogram").status_code == 200
    assert client.get("/v1/puzzles").status_code == 200
    with session_over_tables(folder) as session:
        assert [*session.tables] == ["challenger"]
        (left_out,) = session.damaged
        assert "novice" in str(left_out)
        assert SECRET not in str(left_out)
    return str(damaged["detail"])


@pytest.mark.slow
@pytest.mark.parametrize("forgery", one_in(3, FORGERIES))
def test_only_the_tables_of_the_schema_are_read(folder: Path, secret: Path, forgery: str) -> None:
    path = table_path(folder, "novice")
    with duckdb.connect(str(path)) as connection:
        connection.execute(FORGERIES[forgery].format(secret=secret))
    assert "does not hold the tables of format 2" in refused(folder)
    with pytest.raises(DamagedTable):
        Table(path)


def test_a_macro_named_as_a_function_is_not_called(
    client: FlaskClient, folder: Path, secret: Path
) -> None:
    with duckdb.connect(str(table_path(folder, "novice"))) as connection:
        for function in ("epoch_us", "len"):
            connection.execute(
                f"CREATE MACRO {function}(x) AS (SELECT length(content) FROM read_text('{secret}'))"
            )
    forged = create_app(folder).test_client()
    for address in ("histogram", ""):
        asked = f"/v1/puzzles/novice/{address}".rstrip("/")
        answers: list[Any] = [each.get(asked).json for each in (client, forged)]
        for answer in answers:
            answer.get("table", {}).pop("bytes", None)
        assert answers[0] == answers[1]


def sqlite(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE table_info(format INTEGER)")
    connection.close()


def emptied(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize("forge", [sqlite, emptied])
def test_files_that_are_no_databases_are_refused(
    folder: Path, forge: Callable[[Path], None]
) -> None:
    forge(table_path(folder, "novice"))
    assert "cannot be read" in refused(folder)

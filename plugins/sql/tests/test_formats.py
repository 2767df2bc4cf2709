"""plugins/sql/formats.py: rows as text, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from puzzlebase.db.sql.session import QueryResult, Session
from puzzlebase.plugins.csv_lines import write_csv
from puzzlebase.plugins.sql.formats import text_table, write_json
from puzzlebase.plugins.sql.parquet import write_parquet
from tests.sql.conftest import ask, one


def test_rows_as_text(session: Session) -> None:
    shown, more = text_table(
        one(session, "SELECT * FROM layers WHERE puzzle = 'novice' ORDER BY distance"), 5
    )
    assert more
    assert shown.row_count == 5
    assert [column.justify for column in shown.columns] == ["left", "right", "right"]


def test_a_row_that_is_too_wide_has_a_line_for_each_field(session: Session) -> None:
    query = "SELECT 12345 AS number, 'abcdefghij' AS word"
    (narrow, more), (wide, _) = (text_table(one(session, query), 5, width) for width in (17, 18))
    assert not more
    assert [[*column.cells] for column in narrow.columns] == [
        ["number", "word", ""],
        ["12345", "abcdefghij", ""],
    ]
    assert [[*column.cells] for column in wide.columns] == [["12345"], ["abcdefghij"]]


ROW = (
    "SELECT '-OR' AS n, '=a,b\"c' AS s, NULL AS x, -0.5::DOUBLE AS half, "
    "9007199254740993 AS big, [1, 2] AS l, '-a|b' AS d"
)
TWO_ROWS = f"{ROW} UNION ALL {ROW}"


Printed = pytest.CaptureFixture[bytes]


def objects(result: QueryResult, capsysbinary: Printed) -> Any:
    """A result as it is printed in JSON."""
    write_json(result)
    return json.loads(capsysbinary.readouterr().out)


def test_rows_as_csv_and_json(session: Session, capsysbinary: Printed) -> None:
    write_csv(*one(session, TWO_ROWS).rows())
    header, *lines = csv.reader(io.StringIO(capsysbinary.readouterr().out.decode()))
    assert header == ["n", "s", "x", "half", "big", "l", "d"]
    assert lines == [["-OR", "'=a,b\"c", "", "-0.5", "9007199254740993", "[1, 2]", "'-a|b"]] * 2
    row = {
        "n": "-OR",
        "s": '=a,b"c',
        "x": None,
        "half": -0.5,
        "big": "9007199254740993",
        "l": [1, 2],
        "d": "-a|b",
    }
    assert objects(one(session, TWO_ROWS), capsysbinary) == [row, row]
    query = (
        "SELECT successors('novice', 5)[1] AS s, sum(states) AS n FROM layers WHERE "
        "puzzle = 'novice'"
    )
    ((move, index, distance),) = ask(session, "FROM successors('novice', 5) LIMIT 1")
    [row] = objects(one(session, query), capsysbinary)
    assert row == {"s": {"move": move, "index": index, "distance": distance}, "n": 97_020}
    assert objects(one(session, "SELECT 1 WHERE false"), capsysbinary) == []


def test_columns_with_equal_names_are_all_written(
    session: Session, tmp_path: Path, capsysbinary: Printed
) -> None:
    query = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a, 5 AS b"
    row = {"a": 1, "a_2": 2, "a_1": 3, "a_3": 4, "b": 5}
    assert objects(one(session, query), capsysbinary) == [row]
    write_parquet(one(session, query), tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == [row]


def test_timestamps_keep_their_value(session: Session, capsysbinary: Printed) -> None:
    log = ask(session, "SELECT built, now() FROM novice.build_log")
    assert log
    assert all(built < now and now - built < timedelta(days=1) for built, now in log)
    [row] = objects(one(session, "SELECT built FROM novice.build_log LIMIT 1"), capsysbinary)
    assert datetime.fromisoformat(row["built"]) == log[0][0]

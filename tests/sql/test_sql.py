"""SQL: the session and its scan, the functions, the formats, the prompt, and the queries by name."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import count, pairwise
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree import ElementTree as ET

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import dataset, parquet
from rich.console import Console

import puzzlebase
from builder import TableJob
from db import BLOCK_SIZE, Census, DamagedTable, MissingTable, TableWriter, table_path
from db.sql import session as db_session
from db.sql.limits import LimitReached, Limits, QueryError
from db.sql.scan import SCHEMA, States, StateScan, ranges
from db.sql.session import Session
from puzzles import InvalidState, find
from service.problems import InvalidRequest
from service.sources.folder import Tables
from service.sources.table import OpenTable
from service.sql import formats as rows
from service.sql import functions as sql
from service.sql import prompt as console
from service.sql.chart import chart
from tests.conftest import opened, quiet

PANGURU_GOAL = "WABCABCCAB"


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared tables, and small ones of other families and another goal."""
    folder = tmp_path_factory.mktemp("sql")
    for path in data.glob("*.duckdb"):
        shutil.copy(path, folder)
    for name, goal in (("panguru-4", None), ("panguru-4", PANGURU_GOAL), ("panex-2", None), ("hanoi-nnn-3", None)):
        puzzle = find(name)
        TableJob(puzzle, puzzle.goal(goal), folder, "test", 2, quiet()).build()
    return folder


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Session]:
    with sql.session(folder) as begun:
        yield begun


def ask(session: Session, text: str) -> list[tuple[Any, ...]]:
    *_, last = [list(result.rows()[1]) for result in session.run(text)]
    return last


def table(folder: Path, name: str) -> OpenTable:
    return Tables(folder).get(name)


def everything(found: OpenTable) -> np.ndarray[Any, np.dtype[np.int32]]:
    return found.distances(np.arange(found.space.size))


# What is asked.


def test_tables_layers_and_histograms(session: Session, folder: Path) -> None:
    names = {path.stem for path in folder.glob("*.duckdb")}
    assert len(names) == 8
    found = {
        name: (states, deepest)
        for name, states, deepest in ask(session, "SELECT puzzle, states, gods_number FROM puzzles")
    }
    assert set(found) == names == set(session.tables)
    assert found["avenger"] == (52_390_800, 15)
    for name in names:
        layers = ask(session, f"SELECT distance, states FROM layers WHERE puzzle = '{name}' ORDER BY distance")
        info = sql.Catalog(folder)._tables.get(*sql.Catalog(folder).names[name]).table.info
        assert layers == list(enumerate(info.layers))
        histogram = ask(session, f"FROM histogram('{name}')")
        assert [row[:2] for row in histogram] == layers
        assert math.isclose(sum(row[2] for row in histogram), 1)
        assert max(len(row[3]) for row in histogram) == 40
        census = ask(session, f"SELECT distance, sum(states) FROM census('{name}') GROUP BY 1 ORDER BY 1")
        assert census == layers
        ((blocks, stored),) = ask(session, f"SELECT count(*), sum(n) FROM blocks('{name}')")
        assert (blocks, stored) == (-(-info.stored_size // BLOCK_SIZE), info.stored_size)


def test_states_are_expanded_and_equal_the_layers(session: Session, tables: Tables) -> None:
    counted = ask(session, "SELECT distance, count(*) FROM states('avenger') GROUP BY 1 ORDER BY 1")
    assert counted == list(enumerate(opened(tables, "avenger").table.info.layers))
    assert ask(session, "SELECT count(*), min(index), max(index) FROM states('avenger')") == [
        (52_390_800, 0, 52_390_799)
    ]


def test_antipodes_have_their_text(session: Session, tables: Tables) -> None:
    avenger = opened(tables, "avenger")
    found = ask(
        session, "SELECT index, state_text('avenger', index) FROM states('avenger') WHERE distance = 15 ORDER BY index"
    )
    assert found == avenger.table.file.antipodes() == ask(session, "FROM antipodes('avenger')")


def test_states_that_cannot_reach_the_goal_are_null() -> None:
    states = States(4, Census.of([(0, [1, 2])]), lambda first, last: np.array([0, 1, 1, -1])[first:last])
    scan = StateScan(lambda: states)
    assert scan.scanner().to_reader().read_all().to_pydict() == {"index": [0, 1, 2, 3], "distance": [0, 1, 1, None]}
    unreached = scan.scanner(filter=dataset.field("distance").is_null()).to_reader().read_all()
    assert unreached.to_pydict() == {"index": [3], "distance": [None]}


@pytest.mark.parametrize("name", ["novice", "panguru-4", f"panguru-4@{PANGURU_GOAL.lower()}", "panex-2", "hanoi-nnn-3"])
def test_functions_say_what_the_tables_say(session: Session, folder: Path, name: str) -> None:
    catalog = sql.Catalog(folder)
    if name not in catalog.names:
        (name,) = (known for known in catalog.names if known.startswith("panguru-4@"))
    found = catalog._tables.get(*catalog.names[name])
    puzzle, distances = found.puzzle, everything(found)
    for index, distance, text, again, by_text, by_index in ask(
        session,
        f"""
        SELECT index, distance, state_text('{name}', index) AS state, state_index('{name}', state),
               distance('{name}', state), distance('{name}', index)
        FROM states('{name}') WHERE index % 37 = 1
        """,
    ):
        assert distance == distances[index] == by_text == by_index
        assert text == puzzle.text(index, found.goal)
        assert again == index
    expanded = found.space.expand(np.arange(found.space.size))
    for index, move, to, distance in ask(
        session,
        f"""
        SELECT states.index, successors.move, successors.index, successors.distance
        FROM states('{name}') AS states, successors('{name}', states.index) AS successors
        WHERE states.index % 41 = 3
        """,
    ):
        number = [each.name for each in puzzle.moves].index(move)
        assert expanded[index, number] == to
        assert distances[to] == distance
    ((moves,),) = ask(session, f"SELECT sum(len(successors('{name}', index))) FROM states('{name}')")
    assert moves == np.count_nonzero(expanded >= 0)


def test_functions_take_null_and_several_tables_at_once(session: Session, folder: Path) -> None:
    found = ask(
        session,
        """
        SELECT puzzle, index, state_text(puzzle, index), distance(puzzle, index), len(successors(puzzle, index))
        FROM (VALUES ('novice', 3), ('panex-2', 5), (NULL, 2), ('novice', NULL), ('novice', 4)) AS asked(puzzle, index)
        """,
    )
    novice, panex = table(folder, "novice"), table(folder, "panex-2")
    assert [row[2] for row in found] == [
        novice.puzzle.text(3, novice.goal),
        panex.puzzle.text(5, panex.goal),
        None,
        None,
        novice.puzzle.text(4, novice.goal),
    ]
    assert [row[3] is None for row in found] == [row[4] is None for row in found] == [False, False, True, True, False]
    assert ask(session, "SELECT distance('novice', CAST(NULL AS VARCHAR)), state_text(NULL, 1)") == [(None, None)]


def test_drawn_are_all_states_or_so_many(session: Session, folder: Path) -> None:
    assert ask(session, "SELECT count(DISTINCT index) FROM drawn('novice', 100_000)") == [(97_020,)]
    (first, second) = (ask(session, "FROM drawn('avenger', 500)") for _ in range(2))
    assert first == second
    indices = np.array([row[0] for row in first])
    assert len(set(indices.tolist())) > 490
    assert [row[1] for row in first] == table(folder, "avenger").distances(indices).tolist()


def test_points_in_time_are_read(session: Session) -> None:
    log = ask(session, "SELECT built, now() FROM novice.build_log")
    assert log
    assert all(built < now and now - built < timedelta(days=1) for built, now in log)
    content = io.BytesIO()
    rows.write_json(one(session, "SELECT built FROM novice.build_log LIMIT 1"), content)
    assert datetime.fromisoformat(json.loads(content.getvalue())[0]["built"]) == log[0][0]


# What is skipped.


FILTERS = (
    "distance = 3",
    "distance BETWEEN 2 AND 4 OR distance = 7",
    "distance <> 12",
    "distance IN (1, 18) AND index NOT IN (5, 6)",
    "NOT (distance >= 4)",
    "index < 70000 AND index >= 65000",
    "index IN (0, 65535, 65536, 97019)",
    "index BETWEEN 65530 AND 65540 AND distance > 12",
    "distance = 2 OR index < 100",
    "distance IS NULL",
    "distance IS NOT NULL AND index = 97019",
    "distance % 5 = 1",
    "distance > 12.5",
    "distance = 100 OR index > 1000000",
    "index = 5 OR distance IS NULL",
)


@pytest.mark.parametrize("condition", FILTERS)
def test_filters_keep_what_they_should(session: Session, tables: Tables, condition: str) -> None:
    """The same rows as of a table in which every state lies."""
    distances = everything(opened(tables, "novice-sixths"))
    ask(session, "CREATE OR REPLACE TEMP TABLE kept AS FROM states('novice-sixths'); SELECT 1")
    expected = ask(session, f"SELECT index, distance FROM kept WHERE {condition} ORDER BY index")
    assert all(distances[index] == distance for index, distance in expected)
    assert (
        ask(session, f"SELECT index, distance FROM states('novice-sixths') WHERE {condition} ORDER BY index")
        == expected
    )
    ((count,),) = ask(session, f"SELECT count(*) FROM states('novice-sixths') WHERE {condition}")
    assert count == len(expected)


@pytest.fixture(scope="module")
def large() -> States:
    """A thousand ranges: range r holds distances r // 100 and r // 100 + 2, the last unreached states too."""
    counts = [(number // 100, [BLOCK_SIZE - 1, 0, 1]) for number in range(999)]
    return States(1000 * BLOCK_SIZE, Census.of([*counts, (3, [7])]), lambda *_: np.array([]))


INDEX, DISTANCE = dataset.field("index"), dataset.field("distance")


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        (None, range(1000)),
        (DISTANCE == 0, range(100)),
        (DISTANCE == 11, range(900, 999)),
        ((DISTANCE >= 10) & (DISTANCE < 11), range(800, 900)),
        (DISTANCE == 99, []),
        (DISTANCE.is_null(), [999]),
        ((DISTANCE == 3) | DISTANCE.is_null(), [*range(100, 200), *range(300, 400), 999]),
        ((INDEX >= 5 * BLOCK_SIZE) & (INDEX < 7 * BLOCK_SIZE + 1), [5, 6, 7]),
        (INDEX.isin([3, 700 * BLOCK_SIZE, 999 * BLOCK_SIZE]), [0, 700, 999]),
        (INDEX.isin(list(range(0, 1000 * BLOCK_SIZE, 20 * BLOCK_SIZE))), range(0, 1000, 20)),
        ((DISTANCE == 3) & (INDEX < 150 * BLOCK_SIZE), range(100, 150)),
        ((DISTANCE != 3) & (INDEX > 998 * BLOCK_SIZE), [998]),
        (INDEX < 0, []),
    ],
)
def test_ranges_that_a_filter_rules_out_are_not_made(large: States, condition: Any, wanted: Sequence[int]) -> None:
    assert ranges(condition, large) == list(wanted)


def test_alternatives_of_both_columns_skip_no_range_they_need(large: States) -> None:
    found = ranges((DISTANCE == 0) | (INDEX >= 990 * BLOCK_SIZE), large)
    assert {*range(100), *range(990, 1000)} <= set(found)


def test_a_scan_without_reachable_states() -> None:
    none = States(3, Census.of([(0, [])]), lambda first, last: np.full(last - first, -1))
    assert ranges(DISTANCE == 0, none) == []
    assert ranges(DISTANCE.is_null(), none) == [0]


def test_few_ranges_are_made_where_few_are_needed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    find_between = sql.states

    def counting(found: OpenTable) -> States:
        known = find_between(found)

        def between(first: int, last: int) -> Any:
            asked.append(first)
            return known.between(first, last)

        return States(known.size, known.census, between)

    monkeypatch.setattr(sql, "states", counting)
    ask(session, "SELECT * FROM histogram('avenger'), layers, antipodes('avenger') LIMIT 3")
    assert not asked
    ask(session, "SELECT * FROM states('avenger') WHERE index BETWEEN 1_000_000 AND 1_000_100")
    assert asked == [15 * BLOCK_SIZE]
    ask(session, "SELECT * FROM states('avenger') LIMIT 5")
    assert len(asked) < 200


# What is refused.


FILES = (
    "COPY (SELECT 1) TO '{place}'",
    "COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{place}' (FORMAT parquet, USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{place}' (FORMAT json, USE_TMP_FILE false)",
    "COPY (SELECT 1 AS a) TO '{place}' (FORMAT csv, PARTITION_BY a)",
    "COPY (PIVOT layers ON puzzle USING first(states)) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN COPY (SELECT 1) TO '{place}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY (PIVOT layers ON puzzle USING first(states)) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN ANALYZE (FORMAT json) COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN /* SELECT 1 */ ANALYZE COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
    "EXPLAIN ANALYZE WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
    "CREATE TABLE w AS WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
    "SET VARIABLE w = (WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1)",
    "FROM query('WITH written AS (COPY layers TO ''{place}'' (FORMAT csv, USE_TMP_FILE false)) SELECT 1')",
    "PREPARE p AS COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false); EXECUTE p",
    "COPY layers FROM '{place}'",
    "EXPORT DATABASE '{place}'",
    "IMPORT DATABASE '{place}'",
    "PRAGMA import_database('{place}')",
    "ATTACH '{place}'",
    "ATTACH '{place}' AS other",
    "ATTACH '{place}' AS other (READ_ONLY)",
    "INSTALL '{place}'",
    "LOAD '{place}'",
    "CONNECT '{place}'",
    "SET temp_directory = '{place}'",
    "SET profiling_output = '{place}'",
    "SET log_query_path = '{place}'",
    "SET secret_directory = '{place}'",
    "SET allowed_paths = ['{place}']",
    "SET allowed_directories = ['{place}']",
    "SET /* SET VARIABLE */ profiling_output = '{place}'",
    "CALL enable_logging(storage = 'file', storage_config = {{'path': '{place}'}})",
    "FROM enable_logging(storage = 'file', storage_config = {{'path': '{place}'}})",
    "CALL enable_profiling(save_location = '{place}')",
    "FROM enable_profiling(save_location = '{place}')",
    "FROM read_csv('{place}')",
    "FROM read_single_csv_file('{place}')",
    "FROM read_text('{place}')",
    "FROM read_blob('{place}')",
    "FROM read_blob(['{place}'])",
    "FROM read_json('{place}')",
    "FROM read_parquet('{place}')",
    "FROM parquet_metadata('{place}')",
    "FROM read_duckdb('{place}')",
    "FROM read_duckdb('{place}', table_name := 'layer')",
    "FROM sniff_csv('{place}')",
    "FROM glob('{place}')",
    "FROM glob('{place}*')",
    "FROM sqlite_scan('{place}', 'layer')",
    "FROM '{place}'",
    "EXPLAIN ANALYZE FROM read_blob('{place}')",
    "PIVOT (FROM read_text('{place}')) ON filename",
    "SET VARIABLE content = (SELECT content FROM read_text('{place}'))",
    "CREATE TABLE t AS FROM read_blob('{place}')",
    "CREATE VIEW v AS FROM read_text('{place}')",
    "CREATE MACRO m() AS TABLE FROM read_text('{place}')",
    "FROM query('FROM read_text(''{place}'')')",
    "FROM query_table('{place}')",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM read_blob(''{place}'')'))",
)
"""Roads to a file, none of which leads there."""

OTHERS = (
    "ATTACH ':memory:' AS other",
    "DETACH novice",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD json",
    "FORCE INSTALL json",
    "UPDATE EXTENSIONS",
    "SET memory_limit = '10GB'",
    "SET threads = 64",
    "SET lock_configuration = false",
    "SET enable_external_access = true",
    "SET disabled_filesystems = ''",
    "RESET disabled_filesystems",
    "SET autoload_known_extensions = true",
    "SET /* SET VARIABLE */ memory_limit = '10GB'",
    "SET schema = 'novice'",
    "SET schema = 'novice' /* SET VARIABLE */",
    "SET schema = 'novice' -- SET VARIABLE x",
    "/* /* */ SET VARIABLE x */ SET schema = 'novice'",
    "SET search_path = 'novice'",
    "SET python_enable_replacements = true",
    "RESET memory_limit",
    "PRAGMA memory_limit = '10GB'",
    "PRAGMA enable_profiling",
    "PRAGMA database_list",
    "SELECT set_config('memory_limit', '10GB')",
    "CALL pragma_version()",
    "CHECKPOINT novice",
    "FORCE CHECKPOINT novice",
    "VACUUM",
    "ANALYZE",
    "USE novice",
    "BEGIN",
    "CONNECT novice",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "EXPLAIN EXECUTE p",
    "EXPLAIN CREATE TABLE t AS SELECT 1",
    "EXPLAIN ANALYZE CREATE TABLE t AS SELECT 1",
    "EXPLAIN ANALYZE INSERT INTO layers VALUES ('x', 1, 2)",
    "EXPLAIN ANALYZE DELETE FROM layers",
    "INSERT INTO layers FROM (PIVOT layers ON puzzle USING first(states))",
    "WITH a AS (SELECT 1) INSERT INTO layers FROM a, (PIVOT layers ON puzzle USING first(states))",
    "COPY FROM DATABASE novice TO memory",
    "ALTER DATABASE novice SET ALIAS TO other",
    "INSERT INTO novice.layer VALUES (1, 2)",
    "WITH added AS (INSERT INTO novice.layer VALUES (1, 2) RETURNING *) FROM added",
    "WITH gone AS (DELETE FROM novice.layer RETURNING *) FROM gone",
    "DELETE FROM novice.layer",
    "UPDATE novice.layer SET states = 0",
    "TRUNCATE novice.layer",
    "MERGE INTO novice.layer USING layers ON false WHEN NOT MATCHED THEN INSERT VALUES (1, 1)",
    "CREATE TABLE novice.other (i INTEGER)",
    "CREATE TABLE novice.other AS PIVOT layers ON puzzle USING first(states)",
    "CREATE OR REPLACE TABLE novice.layer (i INTEGER)",
    "CREATE VIEW novice.v AS SELECT 1",
    "CREATE INDEX i ON novice.layer (states)",
    "DROP TABLE novice.layer",
    "ALTER TABLE novice.layer ADD COLUMN i INTEGER",
    "CREATE PERSISTENT SECRET s (TYPE http)",
    "COMMENT ON TABLE novice.layer IS 'x'",
    "FROM glob('/*')",
    "FROM '/etc/passwd.csv'",
    "FROM read_csv('/dev/stdin')",
    "FROM 'http://127.0.0.1:9/x.csv'",
    "FROM 's3://bucket/x.parquet'",
    "FROM 'hf://datasets/x/y.csv'",
    "SELECT ST_Point(1, 2)",
    "SELECT getenv('HOME')",
    "FROM secrets_of_the_test",
    "FROM query('FROM secrets_of_the_test')",
    "FROM self",
    "FROM sql_text",
    "SELECT 1; DROP TABLE layers",
)


def contents(*folders: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


def places(folder: Path, stranger: Path) -> list[Path]:
    """Of a table that is attached, of what DuckDB might write beside it, of another file, and of none."""
    table = table_path(folder, "novice")
    beside = [table.with_name(table.name + ending) for ending in (".wal", ".wal.checkpoint", ".wal.recovery")]
    return [table, *beside, folder / "new.csv", stranger, stranger.with_name("new.csv")]


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    path = tmp_path / "place.csv"
    path.write_text("a,b\n1,2\n", "utf-8")
    return path


@pytest.mark.parametrize("statement", FILES)
def test_a_session_reads_and_writes_no_file(session: Session, folder: Path, stranger: Path, statement: str) -> None:
    before = contents(folder, stranger.parent)
    for place in places(folder, stranger):
        with pytest.raises(QueryError) as refused:
            ask(session, statement.format(place=place))
        assert refused.value.hint
        assert contents(folder, stranger.parent) == before
    assert ask(session, "SELECT count(*) FROM states('novice')") == [(97_020,)]


@pytest.mark.parametrize("statement", FILES)
def test_no_file_is_in_reach_of_statements_of_any_kind(
    session: Session, folder: Path, stranger: Path, statement: str
) -> None:
    """DuckDB's settings alone see to it."""
    before = contents(folder, stranger.parent)
    for place in places(folder, stranger):
        with pytest.raises(duckdb.Error):
            session._connection.execute(statement.format(place=place)).fetchall()
        assert contents(folder, stranger.parent) == before
    assert ask(session, "SELECT sum(states) FROM novice.layer") == [(97_020,)]


@pytest.mark.parametrize("statement", OTHERS)
def test_a_session_reads_and_nothing_else(session: Session, folder: Path, statement: str) -> None:
    secrets_of_the_test = pa.table({"a": [1]})
    assert len(secrets_of_the_test) == 1
    before = contents(folder)
    with pytest.raises(QueryError) as refused:
        ask(session, statement)
    assert refused.value.hint
    assert contents(folder) == before
    assert ask(session, "SELECT count(*) FROM states('novice')") == [(97_020,)]
    assert ask(session, "SELECT sum(states) FROM layers WHERE puzzle = 'novice'") == [(97_020,)]


@pytest.mark.parametrize(
    "statement",
    [
        "EXPLAIN FROM layers",
        "explain analyze SELECT 1 AS copy",
        "EXPLAIN (FORMAT json) SELECT count(*) FROM states('novice') WHERE distance = 3",
        "EXPLAIN (ANALYZE, FORMAT json) FROM layers -- all of it",
        "EXPLAIN ANALYZE (FORMAT json) FROM layers",
        "EXPLAIN (SELECT 1)",
        "EXPLAIN(ANALYZE) SELECT 1",
        "EXPLAIN ANALYZE (SELECT 1) ;",
        "EXPLAIN PIVOT layers ON puzzle USING first(states)",
        "PIVOT layers ON puzzle USING first(states) GROUP BY distance ORDER BY distance; -- side; by side",
        "(PIVOT layers ON puzzle USING first(states))",
        "FROM (PIVOT layers ON puzzle USING first(states))",
        "WITH near AS (FROM layers WHERE distance < 3) PIVOT near ON puzzle USING first(states)",
        "UNPIVOT layers ON states",
        "CREATE OR REPLACE TEMP TABLE wide AS PIVOT layers ON puzzle USING first(states); FROM wide",
        "/* a */ SET VARIABLE x = 1; -- b\nset variable\ty = 2; SELECT getvariable('x')",
        "DESCRIBE layers",
        "SUMMARIZE layers",
        "SHOW ALL TABLES",
    ],
)
def test_queries_of_every_kind_are_run(session: Session, statement: str) -> None:
    assert ask(session, statement)


def test_a_file_that_is_replaced_meanwhile_is_read_on(folder: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with sql.session(tmp_path) as begun:
        shutil.copy(table_path(folder, "novice-sixths"), tmp_path / "new")
        (tmp_path / "new").replace(table_path(tmp_path, "novice"))
        assert ask(begun, "SELECT count(*), max(distance) FROM novice.layer") == [(14, 13)]
        assert ask(begun, "SELECT sum(states) FROM census('novice')") == [(97_020,)]
        with pytest.raises(DamagedTable):
            ask(begun, "SELECT count(*) FROM states('novice')")


def test_what_is_created_lives_in_memory_only(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    with sql.session(folder) as begun:
        ask(
            begun, "CREATE TABLE far AS FROM states('novice') WHERE distance = 13; CREATE MACRO m(x) AS x + 1; SELECT 1"
        )
        assert ask(begun, "SELECT count(*), m(1) FROM far") == [(21, 2)]
        assert ask(
            begun, "SET VARIABLE d = 13; SELECT count(*) FROM states('novice') WHERE distance = getvariable('d')"
        ) == [(21,)]
    with sql.session(folder) as begun, pytest.raises(QueryError, match="far"):
        ask(begun, "FROM far")
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM range(1_000_000_000_000) AS numbers(i) WHERE i % 7 = 3",
        "SELECT i FROM range(1_000_000_000_000) AS numbers(i)",
        "SELECT count(*) FROM states('avenger') AS a, states('avenger') AS b WHERE a.distance < b.distance - 14",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT sum(length(state_text('avenger', index))) FROM states('avenger') AS s, range(100)",
    ],
)
def test_a_statement_has_its_time(folder: Path, statement: str) -> None:
    with sql.session(folder, Limits(seconds=0.3)) as begun:
        with pytest.raises(LimitReached, match="stopped") as stopped:
            ask(begun, statement)
        assert "0.3 s" in stopped.value.hint
        assert answered(begun, "SELECT 1") == [(1,)]


def answered(session: Session, text: str) -> list[tuple[Any, ...]]:
    """The rows of what is done in no time, asked again where the machine was busy with something else."""
    for _ in range(100):
        with suppress(LimitReached):
            return ask(session, text)
    return ask(session, text)


def test_a_scan_that_gives_no_rows_has_its_time_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    monkeypatch.setattr(db_session, "monotonic", lambda: 10.0 * next(looks))
    with sql.session(folder, Limits(seconds=600)) as begun, pytest.raises(LimitReached):
        ask(begun, "SELECT * FROM states('avenger') WHERE distance >= 10 AND index % 2 = 7")
    assert 60 < next(looks) < 100


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT i, repeat('x', 300) || i AS s FROM range(5_000_000) AS numbers(i) ORDER BY s DESC LIMIT 4_000_000",
        "CREATE TEMP TABLE big AS SELECT i, repeat('x', 300) || i AS s FROM range(5_000_000) AS numbers(i); SELECT 1",
        "SELECT len(list(index)) FROM states('avenger')",
    ],
)
def test_a_statement_has_its_memory(folder: Path, statement: str) -> None:
    with sql.session(folder, Limits(memory_mb=128)) as begun:
        with pytest.raises(LimitReached) as stopped:
            ask(begun, statement)
        assert "128 MB" in stopped.value.hint


# What goes wrong.


@pytest.mark.parametrize(
    ("statement", "error", "said"),
    [
        ("SELEC 1", QueryError, "SELEC"),
        ("SELECT nothing FROM layers", QueryError, "nothing"),
        ("FROM states('nope')", QueryError, "nope"),
        ("FROM histogram('nope')", QueryError, "nope"),
        ("SELECT state_text('nope', 1)", MissingTable, "'nope'"),
        ("SELECT state_text('novice', -1)", InvalidRequest, "no index -1"),
        ("SELECT distance('novice', 97020)", InvalidRequest, "no index 97020"),
        ("FROM successors('novice', 97020)", InvalidRequest, "no index 97020"),
        ("SELECT distance('novice', 'x')", InvalidState, "'x'"),
        ("SELECT state_index('novice', 'x')", InvalidState, "'x'"),
        ("SELECT 1 / 0 + CAST('a' AS INTEGER)", QueryError, "'a'"),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(
    session: Session, statement: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said) as raised:
        ask(session, statement)
    assert getattr(raised.value, "hint", "")


def test_a_file_that_is_no_table_is_left_out(folder: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(folder, "novice"), tmp_path)
    table_path(tmp_path, "challenger").write_bytes(b"nothing")
    TableWriter(table_path(tmp_path, "panex-2")).close()
    with sql.session(tmp_path) as begun:
        assert list(begun.tables) == ["novice"]
        assert sorted(error.hint for error in begun.damaged) == [
            "build it: make build-db PUZZLE=challenger",
            "build it: make build-db PUZZLE=panex-2",
        ]
        assert ask(begun, "SELECT count(*) FROM states('novice')") == [(97_020,)]


def test_damage_met_while_states_are_read_is_said(folder: Path, tmp_path: Path) -> None:
    content = bytearray(table_path(folder, "avenger").read_bytes())
    content[len(content) // 2] ^= 1
    table_path(tmp_path, "avenger").write_bytes(content)
    with sql.session(tmp_path) as begun, pytest.raises(DamagedTable):
        ask(begun, "SELECT count(*) FROM states('avenger')")


def test_a_table_that_was_rebuilt_meanwhile_is_said(folder: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with sql.session(tmp_path) as begun:
        begun.tables["novice"] = "another"
        with pytest.raises(DamagedTable, match="begin another"):
            ask(begun, "SELECT count(*) FROM states('novice')")
        assert ask(begun, "SELECT count(*) FROM antipodes('novice')") == [(21,)]


def test_the_prompt_goes_on_after_errors(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed: Iterator[str | type[BaseException]] = iter(
        ["SELECT 17", "  + 4 AS sum;", "SELEC;", "SELECT 1", KeyboardInterrupt, "SELECT 5 AS five;", EOFError]
    )

    def read(_prompt: str) -> str:
        line = next(typed)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", read)
    with sql.session(folder) as begun:
        console._converse(begun, console.showing(False, False, None, None, most=10), puzzlebase._complain)
    shown = capsys.readouterr()
    assert shown.out.split()[-4:] == ["sum", "21", "five", "5"]
    assert "SELEC" in shown.err


@pytest.mark.parametrize("read", [lambda result: list(result.rows()[1]), lambda result: list(result.batches()[1])])
def test_ctrl_c_ends_a_statement_and_not_the_session(
    session: Session, read: Callable[[db_session.Result], list[Any]]
) -> None:
    endless = one(session, "SELECT count(*) FROM range(1_000_000_000_000) AS numbers(i) WHERE i % 7 = 3")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = monotonic()
    with pytest.raises(KeyboardInterrupt):
        read(endless)
    assert monotonic() - began < session.limits.seconds
    assert ask(session, "SELECT 5") == [(5,)]


# What is written.


def one(session: Session, text: str) -> db_session.Result:
    return next(session.run(text))


def test_rows_as_text(session: Session) -> None:
    shown, more = rows.text(one(session, "SELECT * FROM layers WHERE puzzle = 'novice' ORDER BY distance"), 5)
    assert more
    assert shown.row_count == 5
    assert [column.justify for column in shown.columns] == ["left", "right", "right"]
    _, more = rows.text(one(session, "SELECT 1"), 5)
    assert not more


VALUES = "SELECT 1 AS n, 'a,b\"c' AS s, NULL AS nothing, 0.5::DOUBLE AS half, 9007199254740993 AS big, [1, 2] AS l"


def test_rows_as_csv_and_json(session: Session) -> None:
    text = io.StringIO()
    rows.write_csv(one(session, f"{VALUES} UNION ALL {VALUES}"), text)
    header, *lines = csv.reader(io.StringIO(text.getvalue()))
    assert header == ["n", "s", "nothing", "half", "big", "l"]
    assert lines == [["1", 'a,b"c', "", "0.5", "9007199254740993", "[1, 2]"]] * 2
    content = io.BytesIO()
    rows.write_json(one(session, f"{VALUES} UNION ALL {VALUES}"), content)
    row = {"n": 1, "s": 'a,b"c', "nothing": None, "half": 0.5, "big": "9007199254740993", "l": [1, 2]}
    assert json.loads(content.getvalue()) == [row, row]
    content = io.BytesIO()
    rows.write_json(
        one(session, "SELECT successors('novice', 5)[1] AS s, sum(states) AS n FROM layers WHERE puzzle = 'novice'"),
        content,
    )
    ((move, index, distance),) = ask(session, "FROM successors('novice', 5) LIMIT 1")
    assert json.loads(content.getvalue()) == [{"s": {"move": move, "index": index, "distance": distance}, "n": 97_020}]
    content = io.BytesIO()
    rows.write_json(one(session, "SELECT 1 WHERE false"), content)
    assert json.loads(content.getvalue()) == []


def test_rows_as_parquet(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "far.parquet"
    rows.write_parquet(one(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index"), path)
    assert parquet.read_table(path).to_pydict() == {
        "index": [row[0] for row in ask(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index")],
        "distance": [row[1] for row in ask(session, "FROM states('novice') WHERE distance >= 12 ORDER BY index")],
    }
    rows.write_parquet(one(session, "SELECT 1 AS n WHERE false"), path)
    assert parquet.read_table(path).num_rows == 0
    with pytest.raises(QueryError):
        rows.write_parquet(one(session, "SELECT CAST(s AS INTEGER) AS n FROM (VALUES ('1'), ('a')) AS given(s)"), path)
    assert parquet.read_table(path).num_rows == 0
    assert [each.name for each in tmp_path.iterdir()] == ["far.parquet"]


def test_columns_of_equal_names_are_all_written(session: Session, tmp_path: Path) -> None:
    query = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a, 5 AS b"
    row = {"a": 1, "a_2": 2, "a_1": 3, "a_3": 4, "b": 5}
    content = io.BytesIO()
    rows.write_json(one(session, query), content)
    assert json.loads(content.getvalue()) == [row]
    rows.write_parquet(one(session, query), tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == [row]


def test_exports_to_one_name_do_not_disturb_each_other(folder: Path, tmp_path: Path) -> None:
    path, novice = tmp_path / "novice.parquet", table(folder, "novice")
    batch = pa.record_batch([pa.array([0]), pa.array([0], pa.int32())], schema=SCHEMA)
    with rows._parquet(path, SCHEMA) as file:
        rows.export(novice, path, with_text=False)
        assert parquet.read_table(path).num_rows == novice.space.size
        file.write_batch(batch)
    assert parquet.read_table(path).num_rows == 1
    assert [each.name for each in tmp_path.iterdir()] == ["novice.parquet"]


@pytest.mark.parametrize("with_text", [False, True])
def test_a_table_as_parquet(folder: Path, tmp_path: Path, with_text: bool) -> None:
    challenger = table(folder, "challenger")
    path = tmp_path / "challenger.parquet"
    rows.export(challenger, path, with_text=with_text)
    written = parquet.ParquetFile(path)
    columns = written.read()
    assert columns["index"].to_pylist() == list(range(challenger.space.size))
    assert (np.asarray(columns["distance"]) == everything(challenger)).all()
    assert columns.column_names == SCHEMA.names + ["state"] * with_text
    if with_text:
        some = range(0, challenger.space.size, 99_991)
        assert [columns["state"][n].as_py() for n in some] == [challenger.puzzle.text(n, challenger.goal) for n in some]
    facts = {key.decode(): value.decode() for key, value in written.metadata.metadata.items()}
    assert facts["puzzle"] == "challenger"
    assert facts["digest"] == challenger.tag
    first = 0
    for number in range(written.num_row_groups):
        group = written.metadata.row_group(number)
        index, distance = (group.column(column).statistics for column in (0, 1))
        part = np.asarray(columns["distance"])[first : first + group.num_rows]
        assert (index.min, index.max) == (first, first + group.num_rows - 1)
        assert (distance.min, distance.max, distance.null_count) == (part.min(), part.max(), 0)
        first += group.num_rows
    assert written.num_row_groups == 3


# The queries of db/sql/queries, each held to what plain Python finds.


class Plain:
    """A table as a list of distances, and the states each state leads to."""

    def __init__(self, folder: Path, name: str) -> None:
        self.open = table(folder, name)

    @cached_property
    def distances(self) -> list[int]:
        """Of every state."""
        found: list[int] = everything(self.open).tolist()
        return found

    @cached_property
    def leading(self) -> list[list[int]]:
        """Distances of the states that each state's moves lead to."""
        successors = self.open.space.expand(np.arange(len(self.distances))).tolist()
        return [[self.distances[to] for to in some if to >= 0] for some in successors]

    @cached_property
    def layers(self) -> dict[int, list[int]]:
        """The states at each distance."""
        layers = defaultdict(list)
        for index, distance in enumerate(self.distances):
            layers[distance].append(index)
        return layers

    def mean(self, distance: int, value: Callable[[int], float]) -> float:
        """Of a value of each state at a distance."""
        return sum(map(value, self.layers[distance])) / len(self.layers[distance])

    def text(self, index: int) -> str:
        """Of a state."""
        return self.open.puzzle.text(index, self.open.goal)


def plain_histogram(plain: Plain) -> list[tuple[Any, ...]]:
    total = len(plain.distances)
    return [
        (distance, len(plain.layers[distance]), len(plain.layers[distance]) / total)
        for distance in sorted(plain.layers)
    ]


def plain_antipodes(plain: Plain) -> list[tuple[Any, ...]]:
    farthest = max(plain.layers)
    return [(index, farthest, plain.text(index)) for index in plain.layers[farthest]]


def plain_branching(plain: Plain) -> list[tuple[Any, ...]]:
    def share(distance: int, wanted: Callable[[int], bool]) -> float:
        return plain.mean(distance, lambda index: sum(wanted(to - distance) for to in plain.leading[index]))

    return [
        (
            distance,
            len(plain.layers[distance]),
            share(distance, lambda _: True),
            share(distance, lambda change: change < 0),
            share(distance, lambda change: change == 0),
            share(distance, lambda change: change > 0),
        )
        for distance in sorted(plain.layers)
    ]


def plain_one_optimal_move(plain: Plain) -> list[tuple[Any, ...]]:
    found = []
    for distance in sorted(plain.layers)[1:]:
        optimal = [plain.leading[index].count(distance - 1) for index in plain.layers[distance]]
        ones = optimal.count(1)
        found.append((distance, len(optimal), ones, ones / len(optimal), sum(optimal) / len(optimal)))
    return found


def plain_local_maxima(plain: Plain) -> list[tuple[Any, ...]]:
    found = []
    for distance in sorted(plain.layers):
        states = plain.layers[distance]
        ends = sum(max(plain.leading[index]) <= distance for index in states)
        found.append((distance, len(states), ends, ends / len(states)))
    return found


def correlated(plain: Plain, seen: Callable[[str], int]) -> list[tuple[Any, ...]]:
    values = [seen(plain.text(index)) for index in range(len(plain.distances))]
    correlation = float(np.corrcoef(values, plain.distances)[0, 1]) if len(set(values)) > 1 else math.nan
    by_value = defaultdict(list)
    for value, distance in zip(values, plain.distances, strict=True):
        by_value[value].append(distance)
    return [
        (value, len(some), sum(some) / len(some), min(some), max(some), correlation)
        for value, some in sorted(by_value.items())
    ]


def plain_matching(plain: Plain) -> list[tuple[Any, ...]]:
    goal = plain.text(plain.layers[0][0])
    return correlated(plain, lambda state: sum(a == b != "-" for a, b in zip(state, goal, strict=True)))


def plain_compression(plain: Plain) -> list[tuple[Any, ...]]:
    blocks = defaultdict(list)
    for block in plain.open.table.file.blocks():
        blocks[block.base, block.width].append((block.n, len(block.data)))
    return [
        (*key, len(some), sum(n for n, _ in some), sum(size for _, size in some))
        for key, some in sorted(blocks.items())
    ]


ONE_TABLE = {
    "histogram": ("novice", plain_histogram),
    "antipodes": ("novice", plain_antipodes),
    "branching": ("panguru-4", plain_branching),
    "compression": ("challenger", plain_compression),
    "local-maxima": ("panex-2", plain_local_maxima),
    "matching-pebbles": ("panguru-4", plain_matching),
    "one-optimal-move": ("panguru-4", plain_one_optimal_move),
}
ALL_TABLES = {"histograms", "spread"}


def test_every_query_is_listed_and_tested() -> None:
    known = sql.queries()
    assert set(known) == {*ONE_TABLE, *ALL_TABLES, "triples-together"}
    assert all(shown.endswith(".") and shown[0].isupper() for shown in known.values())


@pytest.mark.parametrize("name", ONE_TABLE)
def test_queries_of_one_table(session: Session, folder: Path, name: str) -> None:
    puzzle, plain = ONE_TABLE[name]
    session.set_puzzle(puzzle)
    found = ask(session, sql.text(session, name, puzzle))
    expected = plain(Plain(folder, puzzle))
    assert len(found) == len(expected) > 0
    for row, wanted in zip(found, expected, strict=True):
        assert row[: len(wanted)] == pytest.approx(wanted, nan_ok=True)


def test_triples_of_the_avenger(session: Session, folder: Path) -> None:
    """Of a hundred thousand drawn states, counted again place by place."""
    session.set_puzzle("avenger")
    found = ask(session, sql.text(session, "triples-together", "avenger"))
    avenger = table(folder, "avenger")
    drawn = np.array(ask(session, "FROM drawn('avenger', 100_000)"))
    boards = avenger.space.unrank(drawn[:, 0])
    together = np.zeros(len(boards), int)
    circles = (range(12), range(9, 21))
    for triple in {frozenset(wheel[(at + step) % 12] for step in range(3)) for wheel in circles for at in range(12)}:
        first, second, third = (boards[:, place] for place in triple)
        together += (first == second) & (second == third) & (first != ord("."))
    for value, states, mean, *_ in found:
        assert states == np.count_nonzero(together == value)
        assert mean == pytest.approx(drawn[together == value, 1].mean())
    assert sum(row[1] for row in found) == len(drawn)


def test_queries_of_all_tables(session: Session, folder: Path) -> None:
    catalog = sql.Catalog(folder)
    spread = {row[0]: row[1:] for row in ask(session, sql.text(session, "spread", None))}
    columns, side_by_side = one(session, sql.text(session, "histograms", None)).rows()
    shares = list(side_by_side)
    assert columns == ["distance", *sorted(catalog.names)]
    for name, (puzzle, goal) in catalog.names.items():
        layers = np.array(catalog._tables.get(puzzle, goal).table.info.layers)
        distances = np.repeat(np.arange(len(layers)), layers)
        expected = (len(distances), distances.mean(), distances.std(), layers.argmax(), len(layers) - 1)
        assert spread[name][:5] == pytest.approx(expected, rel=1e-6)
        column = columns.index(name)
        shown = [row[column] for row in shares[: len(layers)]]
        assert shown == pytest.approx((1000 * layers / layers.sum()).tolist(), abs=6e-4)


def test_a_query_of_one_table_asks_for_its_name(session: Session, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="one table") as refused:
        sql.text(session, "antipodes", None)
    assert "novice" in refused.value.hint
    with pytest.raises(MissingTable):
        session.set_puzzle("nope")
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with sql.session(tmp_path) as begun:
        assert len(ask(begun, sql.text(begun, "antipodes", None))) == 21


# What the document says.

PAGE = (Path(__file__).parents[2] / "docs" / "sql.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```sql\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
PICTURES = sorted((Path(__file__).parents[2] / "docs" / "pictures").glob("*.sql"))


@pytest.mark.parametrize(
    ("query", "shown"), re.findall(r"^```sql\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
)
def test_documented_queries_give_what_is_shown(session: Session, query: str, shown: str) -> None:
    *_, last = [rows.text(result, 100)[0] for result in session.run(query)]
    text = io.StringIO()
    Console(file=text, width=1000).print(last)
    assert [line.rstrip() for line in text.getvalue().splitlines()] == shown.splitlines()


def test_every_view_macro_and_function_has_an_example(session: Session) -> None:
    hidden = {"stored_in", "distance_of_text", "distance_of_index"}
    macros = {name for (name,) in ask(session, "SELECT function_name FROM duckdb_functions() WHERE NOT internal")}
    assert macros >= {"states", "histogram", "blocks", "distance", "successors"}
    examples = " ".join(query for query, _ in EXAMPLES)
    headings = " ".join(re.findall(r"^### (.*)$", PAGE, re.MULTILINE))
    for name in (macros | {"puzzles", "layers", "state_text", "state_index"}) - hidden:
        assert re.search(rf"\b{name}\b", examples), name
        assert re.search(rf"\b{name}\b", headings), name


def test_the_parquet_example(folder: Path, tmp_path: Path) -> None:
    ((program, shown),) = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    rows.export(table(folder, "challenger"), tmp_path / "challenger.parquet", with_text=False)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, shown), done.stderr


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_pictures_of_the_document(session: Session, tmp_path: Path, picture: Path) -> None:
    drawn = picture.with_suffix(".svg")
    assert f"(pictures/{drawn.name})" in PAGE
    rows.write_svg(one(session, picture.read_text("utf-8")), tmp_path / drawn.name)
    kept, anew = (ET.parse(path).getroot() for path in (drawn, tmp_path / drawn.name))
    svg = "{http://www.w3.org/2000/svg}"
    for root in (kept, anew):
        assert root.tag == f"{svg}svg"
        assert len(root.findall(f"{svg}path")) >= 2
    assert kept.findtext(f"{svg}title") == anew.findtext(f"{svg}title") or picture.stem == "histograms"


SVG = "{http://www.w3.org/2000/svg}"


def drawn_lines(columns: Sequence[str], some: Sequence[Sequence[Any]]) -> list[list[tuple[float, float]]]:
    """Where a chart has its lines, all of it within the picture."""
    root = ET.fromstring(chart(columns, some))
    lines = [
        [(float(x), float(y)) for x, y in (place.split(",") for place in (path.get("d") or "")[1:].split())]
        for path in root.findall(f"{SVG}path")
    ]
    assert all(0 <= x <= 760 and 0 <= y <= 420 for line in lines for x, y in line)
    for text in root.findall(f"{SVG}text"):
        assert 0 <= float(text.get("x", "")) <= 760
        assert 0 <= float(text.get("y", "")) <= 420
    return lines


def test_charts() -> None:
    columns, some = ["d", "a<b", "word", "none"], [(0, 1, "x", None), (5, 3.5, "y", None), (10, 2, "z", 7)]
    places = drawn_lines(columns, some)
    assert [[x for x, _ in line] for line in places] == [[64, 337, 610], [610]]
    (first, second, third), (highest,) = ([y for _, y in line] for line in places)
    assert first > third > second > highest > 0
    labels = [text.text for text in ET.fromstring(chart(columns, some)).findall(f"{SVG}text")]
    assert {"0", "10", "d", "a<b", "none"} <= set(labels)
    assert "word" not in labels
    assert drawn_lines(["d", "n"], [(3, 4)])
    for few in ([], [("a", 1)], [(1, "a")], [(1, None)], [(None, 1)], [(math.nan, 1)], [(1, math.inf)]):
        with pytest.raises(InvalidRequest):
            chart(["d", "n"], few)


LARGE = 1.7976931348623157e308


@pytest.mark.parametrize(
    "values",
    [
        [-3, -2, -1],
        [-3, 0, 5.5],
        [0, 0, 0],
        [-7, -7, -7],
        [Decimal("1.5"), Decimal("-2.25"), None],
        [1e300, -1e300, 0],
        [1e300, 1e300, 1e300],
        [1e16, 1e16 + 2, 1e16 + 4],
        [5e-324, 0, -5e-324],
        [1e-300, 2e-300, 3e-300],
        [10**300, 1, 2],
        [1, 1 + 1e-15, 1 + 2e-15],
    ],
)
def test_charts_of_any_finite_numbers(values: list[Any]) -> None:
    ((*line,),) = drawn_lines(["d", "n"], list(enumerate(values)))
    assert len(line) == sum(value is not None for value in values)
    heights = [(-value, y) for value, (_, y) in zip(values, line, strict=False)]
    assert [y for _, y in sorted(heights)] == sorted(y for _, y in heights)
    assert drawn_lines(["d", "n"], [(value, number) for number, value in enumerate(values)])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, LARGE, -LARGE, 10**400, Decimal("NaN"), None])
def test_what_is_not_finite_is_not_drawn(value: Any) -> None:
    ((*line,), (*other,)) = drawn_lines(["d", "n", "m"], [(1, 2, 3), (2, value, 3), (3, 4, 5), (value, 5, 6)])
    assert ([x for x, _ in line], [x for x, _ in other]) == ([64, 610], [64, 337, 610])


def test_lines_of_a_chart_are_told_apart() -> None:
    columns = ["d", *(f"line {number} of a long name" for number in range(18))]
    some = [range(19), range(1, 20)]
    assert len(drawn_lines(columns, some)) == 18
    root = ET.fromstring(chart(columns, some))
    looks = [(path.get("stroke"), path.get("stroke-dasharray")) for path in root.findall(f"{SVG}path")]
    assert len(set(looks)) == 18
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(looks))
    assert [path.findtext(f"{SVG}title") for path in root.findall(f"{SVG}path")] == columns[1:]
    with pytest.raises(InvalidRequest, match="19 lines"):
        chart([*columns, "one more"], [range(20)])
    assert len(drawn_lines(["n", "n", "n"], [(1, 2, 3), (2, 3, 4)])) == 2
    assert drawn_lines(["\0", "\x1b[0m<&"], [(1, 2)])


def test_a_chart_says_when_it_is_of_some_rows_only(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    show = console.showing(False, False, None, tmp_path / "drawn.svg", most=10)
    for few, said in ((10_000, ""), (10_001, "only the first 10,000 rows")):
        show(one(session, f"SELECT i, i * 2 AS n FROM range({few}) AS numbers(i)"))
        assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["drawn.svg"]
    before = (tmp_path / "drawn.svg").read_text("utf-8")
    with pytest.raises(InvalidRequest):
        show(one(session, "SELECT 'a', 'b'"))
    assert (tmp_path / "drawn.svg").read_text("utf-8") == before

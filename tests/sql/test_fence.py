"""db/sql/fence.py: what a session reads, writes and runs, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from puzzlebase.db.sql.errors import QueryError
from puzzlebase.db.sql.session import Session
from puzzlebase.paths import table_path
from tests.matrix import one_in
from tests.sql.conftest import ask

FILES = (
    "COPY (SELECT 1) TO '{place}'",
    "COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{place}' (FORMAT parquet, USE_TMP_FILE false)",
    "COPY (SELECT 1) TO '{place}' (FORMAT json, USE_TMP_FILE false)",
    "COPY (SELECT 1 AS a) TO '{place}' (FORMAT csv, PARTITION_BY a)",
    (
        "COPY (PIVOT layers ON puzzle USING first(states)) TO '{place}' (FORMAT "
        "csv, USE_TMP_FILE false)"
    ),
    "EXPLAIN COPY (SELECT 1) TO '{place}'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    (
        "EXPLAIN ANALYZE COPY (PIVOT layers ON puzzle USING first(states)) TO '{place}' (FORMAT "
        "csv, USE_TMP_FILE false)"
    ),
    "EXPLAIN (ANALYZE, FORMAT json) COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN ANALYZE (FORMAT json) COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "EXPLAIN /* SELECT 1 */ ANALYZE COPY (SELECT 1) TO '{place}' (FORMAT csv, USE_TMP_FILE false)",
    "WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE false)) SELECT 1",
    (
        "EXPLAIN ANALYZE WITH written AS (COPY layers TO '{place}' (FORMAT csv, "
        "USE_TMP_FILE false)) SELECT 1"
    ),
    (
        "CREATE TABLE w AS WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE "
        "false)) SELECT 1"
    ),
    (
        "SET VARIABLE w = (WITH written AS (COPY layers TO '{place}' (FORMAT csv, USE_TMP_FILE "
        "false)) SELECT 1)"
    ),
    (
        "FROM query('WITH written AS (COPY layers TO ''{place}'' (FORMAT csv, "
        "USE_TMP_FILE false)) SELECT 1')"
    ),
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
"""Statements that try to reach a file."""


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
"""Statements that try to change, load or learn something else."""


def contents(*folders: Path) -> dict[Path, bytes | int]:
    """Every file in the folders, byte by byte;
    large ones of the cache by the time of their last change.
    """
    return {
        path: path.stat().st_mtime_ns if path.parent.name == "cache" else path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


def places(folder: Path, other_file: Path) -> list[Path]:
    """Paths to an attached table, to files that DuckDB might write beside it,
    to another file, and to no file.
    """
    table = table_path(folder, "novice")
    beside = [
        table.with_name(table.name + ending)
        for ending in (".wal", ".wal.checkpoint", ".wal.recovery")
    ]
    return [table, *beside, folder / "new.csv", other_file, other_file.with_name("new.csv")]


@pytest.fixture
def other_file(tmp_path: Path) -> Path:
    """A file that is not a table."""
    path = tmp_path / "place.csv"
    path.write_text("a,b\n1,2\n", "utf-8")
    return path


@pytest.mark.parametrize("statement", one_in(3, FILES))
def test_a_session_reads_and_writes_no_file(
    session: Session, folder: Path, other_file: Path, statement: str
) -> None:
    before = contents(folder, other_file.parent)
    for place in places(folder, other_file):
        with pytest.raises(QueryError) as refused:
            ask(session, statement.format(place=place))
        assert refused.value.hint
        assert contents(folder, other_file.parent) == before
    assert ask(session, "SELECT count(*) FROM states('novice')") == [(97_020,)]


@pytest.mark.parametrize("statement", one_in(3, FILES))
def test_the_settings_alone_keep_every_file_out_of_reach(
    session: Session, folder: Path, other_file: Path, statement: str
) -> None:
    """The statements are run without the second fence."""
    before = contents(folder, other_file.parent)
    for place in places(folder, other_file):
        with pytest.raises(duckdb.Error):
            session._runner.connection.execute(statement.format(place=place)).fetchall()
        assert contents(folder, other_file.parent) == before
    assert ask(session, "SELECT sum(states) FROM novice.layer") == [(97_020,)]


@pytest.mark.parametrize("statement", OTHERS)
def test_a_session_does_nothing_but_read(session: Session, folder: Path, statement: str) -> None:
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
        (
            "PIVOT layers ON puzzle USING first(states) GROUP BY distance ORDER BY distance; "
            "-- side; by side"
        ),
        "(PIVOT layers ON puzzle USING first(states))",
        "FROM (PIVOT layers ON puzzle USING first(states))",
        "WITH near AS (FROM layers WHERE distance < 3) PIVOT near ON puzzle USING first(states)",
        "UNPIVOT layers ON states",
        (
            "CREATE OR REPLACE TEMP TABLE wide AS PIVOT layers ON puzzle USING "
            "first(states); FROM wide"
        ),
        "/* a */ SET VARIABLE x = 1; -- b\nset variable\ty = 2; SELECT getvariable('x')",
        "DESCRIBE layers",
        "SUMMARIZE layers",
        "SHOW ALL TABLES",
    ],
)
def test_queries_of_every_kind_are_run(session: Session, statement: str) -> None:
    assert ask(session, statement)

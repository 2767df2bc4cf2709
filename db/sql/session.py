"""A session: DuckDB over many tables at once, for statements that nobody has looked at.

Nothing a statement does leaves the process or outlives the session: tables are attached read-only, what it creates
is in memory, files and extensions are out of reach, and time and memory are bounded. DuckDB's settings see to
this, locked before the first statement. That only some kinds of statement are run at all is a second fence, and no
more than that: a query may hold a COPY in its WITH.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
from duckdb import StatementType
from duckdb.func import ARROW, SPECIAL

from db.errors import DamagedTable, MissingTable, TableError
from db.files import Closing
from db.paths import remedy
from db.sql.limits import DEFAULT_LIMITS, LimitReached, Limits, QueryError
from db.sql.scan import States, StateScan
from db.table_file import FORMAT

T = TypeVar("T")

_ROWS_AT_ONCE = 10_000
_ROWS_OF_A_BATCH = 131_072
_HEARD = 0.05  # seconds in which a statement should end when it is interrupted

_FENCES = (
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "allow_community_extensions = false",
    "allow_persistent_secrets = false",
    "python_enable_replacements = false",  # names of this program's variables are no tables
    "temp_directory = ''",  # what exceeds the memory is refused, not written to disk
    "enable_external_access = false",  # but attached files, and what DuckDB may write beside them, stay allowed paths
    "disabled_filesystems = 'LocalFileSystem'",  # so no statement opens a path; attached files stay open
    "lock_configuration = true",
)
_SET_VARIABLE = re.compile(r"SET\s+VARIABLE\s", re.IGNORECASE)  # DuckDB gives statements without leading comments
_EXPLAIN = re.compile(r"EXPLAIN\b\s*(ANALY[SZ]E\b\s*)?(\([^()]*\)\s*(?=[^\s;]))?", re.IGNORECASE)
_CREATE = re.compile(r"CREATE\s", re.IGNORECASE)
_TOO_MUCH = (duckdb.InterruptException, duckdb.OutOfMemoryException)
_UNREADABLE = (duckdb.IOException, duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of SQL, of table names and values: Arrow arrays of equal length to another of that length."""

    name: str
    parameter: str
    returns: str
    call: Callable[[pa.Array, pa.Array], pa.Array]


@dataclass(frozen=True, slots=True)
class AttachedTable:
    """A table in a session: its file, and its states, opened when a statement first reads them."""

    path: Path
    states: Callable[[], States]


class Result:
    """A statement that reads: run when its rows are asked for, once, before the next statement.

    `last` says that no later statement of the same text reads.
    """

    def __init__(self, session: Session, statement: duckdb.Statement, *, last: bool) -> None:
        self._session = session
        self._statement = statement
        self.last = last

    def rows(self) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """The names of the columns, and one row after another."""
        cursor = self._session.begun(self._statement)

        def rows() -> Iterator[tuple[Any, ...]]:
            with self._session.errors():
                while some := self._session.busy(lambda: cursor.fetchmany(_ROWS_AT_ONCE)):
                    yield from some

        return [column[0] for column in cursor.description or []], rows()

    def batches(self) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
        """The same as Arrow's columns, some rows at a time."""
        reader = self._session.begun_in_columns(self._statement)

        def batches() -> Iterator[pa.RecordBatch]:
            with self._session.errors():
                while (some := self._session.busy(lambda: next(reader, None))) is not None:
                    yield some

        return reader.schema, batches()


class Session(Closing):
    """One connection, for one thread. Raises QueryError, LimitReached, or what a function raised.

    `tables` are the digests of those attached, by name; `damaged` says what is wrong with others.
    """

    def __init__(
        self, tables: Mapping[str, AttachedTable], functions: Sequence[Function] = (), limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.limits = limits
        self.tables: dict[str, str] = {}
        self.damaged: list[TableError] = []
        self._raised: Exception | None = None
        self._deadline = 0.0
        self.busy_until: float | None = None
        self._thread = ThreadPoolExecutor(1)  # in which DuckDB is called
        self._connection = duckdb.connect()
        try:
            for function in functions:
                self._add(function)
            self._connection.execute(_sql("session"))
            for name, table in tables.items():
                self._attach(name, table)
            self._connection.execute("RESET VARIABLE puzzle")
            self._fence()
        except BaseException:
            self._connection.close()
            raise

    def set_puzzle(self, name: str) -> None:
        """Let the variable `puzzle` be the name of that table; raises MissingTable."""
        if name not in self.tables:
            raise MissingTable(f"there is no table {name!r}", f"tables: {', '.join(self.tables) or 'none'}")
        self._connection.execute("SET VARIABLE puzzle = ?", [name])

    def run(self, text: str) -> Iterator[Result]:
        """Run the statements of a text, and give the results of those that read."""
        with self.errors():
            statements = self._connection.extract_statements(text)
        reading = {number for number, statement in enumerate(statements) if self._reads(statement)}
        last = max(reading, default=None)
        for number, statement in enumerate(statements):
            if number in reading:
                yield Result(self, statement, last=number == last)
            elif _keeps(statement):
                self.begun(statement)
            else:
                raise QueryError(
                    f"this is not run here: {statement.query.strip()!r}",
                    "a session reads: SELECT, EXPLAIN SELECT, SET VARIABLE, CREATE of what lives in memory",
                )

    def _reads(self, statement: duckdb.Statement) -> bool:
        """Whether it is a query, or explains one."""
        kind, query = _kind(statement), statement.query
        if explains := _EXPLAIN.match(query):
            explained = self._parsed(query[explains.end() :])
            return len(explained) == 1 and not _EXPLAIN.match(explained[0].query) and self._reads(explained[0])
        if kind is StatementType.MULTI:  # what a PIVOT makes of the statement it stands in
            return bool(self._parsed(f"FROM (\n{_without_semicolon(query)}\n)"))
        return kind is StatementType.SELECT

    def _parsed(self, text: str) -> list[duckdb.Statement]:
        """The statements of a text, none where it is not SQL."""
        try:
            return self._connection.extract_statements(text)
        except duckdb.ParserException:
            return []

    def begun(self, statement: duckdb.Statement) -> duckdb.DuckDBPyConnection:
        """A statement on its way, its rows to be fetched."""
        with self.errors():
            self._deadline = monotonic() + self.limits.seconds
            return self.busy(lambda: self._connection.execute(statement))

    def begun_in_columns(self, statement: duckdb.Statement) -> pa.RecordBatchReader:
        """The same, its rows to be read as Arrow's columns."""
        with self.errors():
            self._deadline = monotonic() + self.limits.seconds
            return self.busy(lambda: self._connection.sql(statement).to_arrow_reader(_ROWS_OF_A_BATCH))

    def busy(self, call: Callable[[], T]) -> T:
        """What a call into DuckDB gives; while it lasts, `busy_until` tells until when it may. Ctrl-C ends it.

        It is made in a thread of its own. In the main one no signal is heard while DuckDB's threads work and it waits
        for them.
        """

        def timed() -> T:
            self.busy_until = self._deadline
            try:
                return call()
            finally:
                self.busy_until = None

        made = self._thread.submit(timed)
        try:
            return made.result()
        except KeyboardInterrupt:
            while wait([made], _HEARD).not_done:  # more than once: it may be about to begin, and forget it then
                self._connection.interrupt()
            raise

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what DuckDB raises into what it means."""
        self._raised = None
        try:
            yield
        except (duckdb.Error, pa.ArrowException) as error:
            raise self._meaning(self._raised or error) from error

    def _meaning(self, error: Exception) -> Exception:
        if not isinstance(error, duckdb.Error | pa.ArrowException):
            return error
        text = str(error)
        if isinstance(error, _TOO_MUCH):
            return LimitReached(
                f"the statement was stopped: {text.partition(chr(10))[0]}",
                f"it may take {self.limits.seconds:g} s and {self.limits.memory_mb} MB; ask for less, or allow it more",
            )
        if isinstance(error, _UNREADABLE):
            return DamagedTable(
                f"a table cannot be read: {text.partition(chr(10))[0]}", "check it: make verify PUZZLE=..."
            )
        if isinstance(error, duckdb.PermissionException):
            return QueryError(text, "a session reads the tables that are attached, and nothing else")
        return QueryError(text, "tables: SELECT puzzle FROM puzzles; what else there is: docs/sql.md")

    def _add(self, function: Function) -> None:
        answer = self._watched(function.call)

        def call(names: pa.ChunkedArray, values: pa.ChunkedArray) -> pa.Array:
            return answer(names.combine_chunks(), values.combine_chunks())

        self._connection.create_function(
            function.name,
            call,
            ["VARCHAR", function.parameter],
            function.returns,
            type=ARROW,
            null_handling=SPECIAL,
        )

    def _attach(self, name: str, table: AttachedTable) -> None:
        """A table that cannot be read is left out, and what is wrong with it kept."""
        connection = self._connection
        path, alias = str(table.path).replace("'", "''"), name.replace('"', '""')
        try:
            connection.execute(f"ATTACH '{path}' AS \"{alias}\" (READ_ONLY)")
            connection.execute("SET VARIABLE puzzle = ?", [name])
            connection.execute("SET VARIABLE format = ?", [FORMAT])
            connection.execute(_sql("attached"))
            ((digest,),) = connection.execute("SELECT digest FROM puzzles WHERE puzzle = ?", [name]).fetchall()
        except duckdb.Error as error:
            first = str(error).partition("\n")[0]
            self.damaged.append(
                DamagedTable(f"the table in {str(table.path)!r} is left out: {first}", remedy(table.path))
            )
            return
        self.tables[name] = digest

        def states() -> States:
            opened = table.states()
            return replace(opened, between=self._watched(opened.between))

        connection.register(f"states of {name}", StateScan(self._watched(states)))

    def _watched(self, function: Callable[..., T]) -> Callable[..., T]:
        """The same within a query: in time only, and what it raises is kept, as DuckDB passes on but the text.

        DuckDB looks at its clock between batches; one that is long in the making has to look itself.
        """

        def watched(*arguments: Any) -> T:
            try:
                self._in_time()
                return function(*arguments)
            except Exception as error:
                self._raised = error
                raise

        return watched

    def _in_time(self) -> None:
        if monotonic() > self._deadline:
            raise duckdb.InterruptException("its time is over")

    def _fence(self) -> None:
        limits = self.limits
        bounds = (
            f"memory_limit = '{limits.memory_mb}MB'",
            f"threads = {limits.threads}",
            f"max_execution_time = {max(round(limits.seconds * 1000), 1)}",
        )
        for setting in (*bounds, *_FENCES):
            self._connection.execute(f"SET {setting}")

    def close(self) -> None:
        """Let go of every table."""
        self._thread.shutdown()
        self._connection.close()


def _keeps(statement: duckdb.Statement) -> bool:
    """Whether it keeps something in memory until the session ends."""
    kind, query = _kind(statement), statement.query
    if kind is StatementType.SET:
        return bool(_SET_VARIABLE.match(query))
    return kind is StatementType.CREATE or (kind is StatementType.MULTI and bool(_CREATE.match(query)))


def _kind(statement: duckdb.Statement) -> StatementType | None:
    """None for one that has no name in Python, as CONNECT."""
    try:
        return statement.type
    except ValueError:
        return None


def _without_semicolon(query: str) -> str:
    """A statement without its semicolon and the comments behind that."""
    content = query.encode()
    ends = (at for at, _ in duckdb.tokenize(query) if content[at : at + 1] == b";")
    return content[: next(ends, len(content))].decode()


@cache
def _sql(name: str) -> str:
    return files("db.sql").joinpath(f"{name}.sql").read_text("utf-8")


def queries() -> dict[str, str]:
    """The text of every db/queries/NAME.sql by its name, each with a leading comment on what it shows."""
    folder = files("db.sql").joinpath("queries")
    texts = {Path(file.name).stem: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    return dict(sorted(texts.items()))

"""The DuckDB file of a table: how it is written, and how it is read."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Self

import duckdb
import numpy as np
import numpy.typing as npt

from db.blocks import BLOCK_SIZE, Block
from db.census import Census

FORMAT = 2
ANTIPODES_KEPT = 100_000
# Eight async threads by default, for each open table; the memory is DuckDB's own, what lookups need is kept by Table.
_READING = ("threads = 1", "async_threads = 1", "memory_limit = '256MB'")
_BLOCKS_AT_ONCE = 256  # a query's result is in memory as a whole
# Rows that DuckDB gathers before it writes them out. By default 122,880, a file of which is in memory twice before
# it is committed: 640 MB of blocks took 1.4 GB and 3.6 s, with 2048 rows 0.3 GB and 1.9 s.
_ROWS_AT_ONCE = 2048
_FILE_BLOCK = 16_384  # DuckDB's own; its smallest wastes least on files of a few MB
_FILE_HEADERS = 3 * 4096  # what DuckDB puts before its blocks
_CTRL_C = "Query interrupted"  # how DuckDB passes on that a signal came: as a RuntimeError


class TableError(Exception):
    """A table that cannot be used; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class MissingTable(TableError):
    """There is no table where one is needed."""


class UnwritableTable(TableError):
    """A table cannot be written where it should lie."""


class DamagedTable(TableError):
    """The file is there, and is not what was stored, or of another format."""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The header of a table; fields as in table.sql."""

    puzzle: str
    goal: str
    states: int
    reachable: int
    gods_number: int
    stored: str
    stored_size: int
    layers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """All of a graph's nodes and links were checked against the stored distances."""

    graph: str
    nodes: int
    links: int


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One phase of a build, for the log."""

    built: datetime
    version: str
    machine: str
    threads: int
    phase: str
    seconds: float


_CHECKSUMS = "SELECT checksum FROM block ORDER BY first_index"
BLOCK_HEADER = np.dtype([("first_index", np.int64), ("n", np.int32), ("base", np.int32), ("width", np.uint8)])


_LAYERS, _ORACLE = ".layers", ".oracle"


def table_path(data: Path, table_name: str) -> Path:
    """Where the table of a (puzzle, goal) lies."""
    return data / f"{table_name}.duckdb"


def layers_path(data: Path, table_name: str) -> Path:
    """Where the layers of a (puzzle, goal) lie."""
    return data / f"{table_name}{_LAYERS}.duckdb"


def oracle_path(data: Path, puzzle: str) -> Path:
    """Where the data of a puzzle's oracle lie."""
    return data / f"{puzzle}{_ORACLE}.duckdb"


def remedy(path: Path) -> str:
    """How to come by a sound file."""
    puzzle, _, goal = path.stem.removesuffix(_LAYERS).removesuffix(_ORACLE).partition("@")
    depth = " DEPTH=k" if path.stem.endswith(_LAYERS) else ""
    return f"build it: make build-db PUZZLE={puzzle}" + (f" GOAL={goal}" if goal else "") + depth


def digest(header: dict[str, object], layers: Iterable[int], checksums: Iterable[tuple[Any, ...]]) -> str:
    """What two equal builds share: a hash over the header, the layers and the checksum of every block or run."""
    total = hashlib.blake2b(json.dumps(header).encode(), digest_size=32)
    total.update(np.array([*layers], "<i8").tobytes())
    for (checksum,) in checksums:
        total.update(checksum)
    return total.hexdigest()


def _digest(info: TableInfo, checksums: Iterable[tuple[Any, ...]]) -> str:
    return digest({"format": FORMAT, **asdict(replace(info, layers=()))}, info.layers, checksums)


class Closing(ABC):
    """What lets go of a file, at the end of a with block too."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Writer(Closing):
    """A new file with the tables of db/schema/SCHEMA.sql, all empty. Raises UnwritableTable, as on a full disk."""

    schema: str

    def __init__(self, path: Path) -> None:
        self._path = path
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".wal").unlink(missing_ok=True)
        with self._writing():
            self._connection = self._begun()
            self._connection.execute(files("db").joinpath("schema", f"{self.schema}.sql").read_text("utf-8"))

    def _begun(self) -> duckdb.DuckDBPyConnection:
        connection = _attached(self._path, f"(BLOCK_SIZE {_FILE_BLOCK}, ROW_GROUP_SIZE {_ROWS_AT_ONCE})")
        self._pending = True
        return connection.begin()

    def _commit(self) -> None:
        """What was added, in the file itself and nothing in a log beside it; a second time nothing."""
        if self._pending:
            self._connection.commit()
            self._connection.execute("CHECKPOINT t")
            self._connection.close()
            self._pending = False

    @contextmanager
    def _finishing(self, checksums: str) -> Iterator[list[tuple[Any, ...]]]:
        """For what is known only at the end, when the rest is in the file: the checksums there, as this query reads."""
        with self._writing():
            self._commit()
            self._connection = self._begun()
            yield self._connection.execute(checksums).fetchall()
            self._commit()

    def _insert(self, table: str, rows: Iterable[tuple[Any, ...]], at_once: int = _ROWS_AT_ONCE) -> None:
        """Rows in the order of the table's columns, handed over by column: five times as fast as executemany."""
        left = iter(rows)
        while some := list(islice(left, at_once)):
            columns = {f"c{number}": _column(values) for number, values in enumerate(zip(*some, strict=True))}
            self._connection.register("given", columns)
            self._connection.execute(f"INSERT INTO {table} SELECT * FROM given")  # noqa: S608 (our own names)
            self._connection.unregister("given")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise MemoryError(_first_line(error)) from error
        except (duckdb.OperationalError, duckdb.FatalException) as error:
            raise UnwritableTable(
                f"{str(self._path)!r} cannot be written: {_first_line(error)}",
                "make room on the disk and run the same command again",
            ) from error

    def close(self) -> None:
        """Let go of the file; without `finish` before, it holds no table."""
        self._connection.close()


class TableWriter(Writer):
    """A new table's file. Blocks first, in order; then what they hold is examined; then `finish`.

    Until it is finished the file is no table, and whoever opens it as one is told so.
    """

    schema = "table"

    def add(self, blocks: Sequence[Block]) -> None:
        """Append blocks, if there are any."""
        with self._writing():
            self._insert("block", [(b.first_index, b.n, b.base, b.width, b.checksum, b.data) for b in blocks])

    def written(self, stored_size: int) -> BlockFile:
        """The blocks, all added, read back from the file."""
        with self._writing():
            self._commit()
        return BlockFile(self._path, stored_size)

    def finish(
        self,
        info: TableInfo,
        census: Census,
        antipodes: Iterable[tuple[int, str]],
        certificates: Iterable[Certificate] = (),
        steps: Iterable[BuildStep] = (),
    ) -> None:
        """Write all that is known only at the end, the digest among it, and close the file."""
        with self._finishing(_CHECKSUMS) as checksums:
            self._insert("table_info", [(FORMAT, *astuple(info)[:-1], BLOCK_SIZE, _digest(info, checksums))])
            self._insert("layer", enumerate(info.layers))
            firsts = range(0, info.states, BLOCK_SIZE)
            sizes = (min(BLOCK_SIZE, info.states - first) for first in firsts)
            ranges = zip(firsts, sizes, census, strict=True)
            self._insert("census", ((first, n, base, counts.tolist()) for first, n, (base, counts) in ranges), 64)
            self._insert("antipode", antipodes)
            self._insert("certificate", map(astuple, certificates))
            self._insert("build_log", map(astuple, steps))


class StoredFile(Closing):
    """A file open for reading; safe to use from several threads.

    It goes on reading the file it opened when a newer one takes its name. Raises MissingTable, or
    DamagedTable when the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise MissingTable(f"there is no table {path.stem!r}", remedy(path))
        self._connection = _attached(path, "(READ_ONLY)", _READING, self._reading())
        self.size = self._size()

    def _size(self) -> int:
        """Bytes of the file that is open; another may have its name by now."""
        ((block, blocks),) = self._rows(
            "SELECT block_size, total_blocks FROM pragma_database_size() WHERE database_name = 't'"
        )
        size: int = _FILE_HEADERS + block * blocks
        return size

    def check_format(self, table: str, expected: int) -> None:
        """Raise DamagedTable unless the one row of this table says that the file has the format expected."""
        found = self._rows(f"SELECT format FROM {table}")  # noqa: S608 (our own names)
        if found != [(expected,)]:
            raise self.damaged(f"has format {found[0][0] if found else None}, this version reads {expected}")

    def damaged(self, what: str) -> DamagedTable:
        """The error that names this file and the remedy."""
        return DamagedTable(f"the table in {str(self.path)!r} {what}", remedy(self.path))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._reading():
            cursor = self._connection.cursor()
            cursor.execute("USE t")
            return cursor.execute(sql, parameters).fetchall()

    def _numbers(self, sql: str) -> npt.NDArray[np.int64]:
        """The one column of a query whose rows are too many for Python's integers."""
        with self._reading():
            cursor = self._connection.cursor()
            cursor.execute("USE t")
            (column,) = cursor.execute(sql).fetchnumpy().values()
            return np.ma.filled(column, -1).astype(np.int64)

    @contextmanager
    def damage(self) -> Iterator[None]:
        """Turn what damaged data raises in whoever decodes it into DamagedTable."""
        try:
            yield
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise self.damaged(f"holds what cannot be: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """The same of what it raises in DuckDB, among it errors of C++; nothing else belongs into such a block."""
        try:
            with self.damage():
                yield
        except duckdb.OutOfMemoryException as error:
            raise MemoryError(_first_line(error)) from error
        except (duckdb.Error, RuntimeError) as error:
            if str(error) == _CTRL_C:
                raise KeyboardInterrupt from error
            raise self.damaged(f"cannot be read: {_first_line(error)}") from error


class BlockFile(StoredFile):
    """The blocks of a file, open for reading."""

    def __init__(self, path: Path, stored_size: int) -> None:
        super().__init__(path)
        self.stored_size = stored_size

    def block_headers(self) -> npt.NDArray[np.void]:
        """Header of every block, BLOCK_HEADER[blocks], in order and without gaps."""
        rows = self._rows("SELECT first_index, n, base, width FROM block ORDER BY first_index")
        with self.damage():
            headers = np.array(rows, BLOCK_HEADER)
        expected = np.arange(len(rows), dtype=np.int64) * BLOCK_SIZE
        ends = np.append(expected[1:], self.stored_size)
        if not rows or (headers["first_index"] != expected).any() or (headers["n"] != ends - expected).any():
            raise self.damaged("lacks blocks")
        return headers

    def blocks(self) -> Iterator[Block]:
        """Every block in order, few in memory at a time."""
        sql = (
            "SELECT first_index, n, base, width, checksum, data FROM block"
            " WHERE rowid >= ? AND rowid < ? ORDER BY rowid"
        )
        for first in range(0, -(-self.stored_size // BLOCK_SIZE), _BLOCKS_AT_ONCE):
            for row in self._rows(sql, [first, first + _BLOCKS_AT_ONCE]):
                yield Block(*row)

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order.

        One query for all: eleven, as many as a lookup may ask for, took five times as long one by one.
        """
        rows = self._rows(
            "SELECT first_index, n, base, width, checksum, data FROM block WHERE first_index = ANY(?)",
            [list(first_indices)],
        )
        found = {row[0]: Block(*row) for row in rows}
        if len(rows) != len(first_indices) or found.keys() != set(first_indices):
            raise self.damaged(f"has {len(rows)} blocks where there should be {len(first_indices)}")
        return [found[first] for first in first_indices]


class TableFile(BlockFile):
    """A table's file, open for reading; DamagedTable also when its format or its digest is wrong."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, 0)
        with self.damage():
            self.info, self.digest = self._header()
        self.stored_size = self.info.stored_size

    def _header(self) -> tuple[TableInfo, str]:
        self.check_format("table_info", FORMAT)
        (row,) = self._rows(
            "SELECT puzzle, goal, states, reachable, gods_number, stored, stored_size, block_size, digest"
            " FROM table_info"
        )
        ((layers,),) = self._rows("SELECT coalesce(list(states ORDER BY distance), []) FROM layer")
        puzzle, goal, states, reachable, gods_number, stored, stored_size, block_size, stored_digest = row
        info = TableInfo(puzzle, goal, states, reachable, gods_number, stored, stored_size, tuple(layers))
        if block_size != BLOCK_SIZE:
            raise self.damaged(f"has blocks of {block_size} indices, not {BLOCK_SIZE}")
        if _digest(info, self._rows(_CHECKSUMS)) != stored_digest:
            raise self.damaged("does not have its digest")
        return info, stored_digest

    def antipodes(self, offset: int = 0, limit: int = ANTIPODES_KEPT) -> list[tuple[int, str]]:
        """Index and text of states at the greatest distance, by index."""
        return self._rows("SELECT index, state FROM antipode ORDER BY index LIMIT ? OFFSET ?", [limit, offset])

    def census(self) -> Census:
        """The counts of every range of states; raises DamagedTable where they do not add up to the layers."""
        rows = self._rows("SELECT first_index, base, len(counts) FROM census ORDER BY first_index")
        counts = self._numbers("SELECT unnest(counts) FROM (SELECT counts FROM census ORDER BY first_index)")
        with self.damage():
            firsts, bases, lengths = np.array(rows, np.int64).reshape(-1, 3).T
            census = Census(bases, np.append(0, np.cumsum(lengths)), counts)
            layers = census.layers
        if firsts.tolist() != list(range(0, self.info.states, BLOCK_SIZE)) or layers != self.info.layers:
            raise self.damaged("has a census that does not add up to its layers")
        return census

    def certificates(self) -> list[Certificate]:
        """What has been proved of this table."""
        return [Certificate(*row) for row in self._rows("SELECT graph, nodes, links FROM certificate ORDER BY graph")]

    def build_steps(self) -> list[BuildStep]:
        """How this table was built, phase by phase."""
        sql = "SELECT epoch_us(built), version, machine, threads, phase, seconds FROM build_log ORDER BY rowid"
        rows = self._rows(sql)
        with self.damage():
            return [BuildStep(datetime.fromtimestamp(at / 1e6).astimezone(), *rest) for at, *rest in rows]


def _attached(
    path: Path,
    options: str = "",
    settings: Sequence[str] = (),
    attaching: AbstractContextManager[None] | None = None,
) -> duckdb.DuckDBPyConnection:
    """A connection whose one database is the file, as t; `attaching` is around what reads the file, and that alone."""
    connection = duckdb.connect()
    try:
        for setting in settings:
            connection.execute(f"SET {setting}")
        with attaching or nullcontext():
            connection.execute(f"ATTACH {_quoted(path)} AS t {options}")
            connection.execute("USE t")
    except BaseException:
        connection.close()
        raise
    return connection


def _column(values: Sequence[Any]) -> npt.NDArray[Any]:
    """Values as DuckDB reads them: numbers as they are, anything else as objects."""
    if isinstance(values[0], int | float):
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"

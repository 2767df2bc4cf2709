"""Write and read a DuckDB file, whatever it holds."""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import DamagedBlock
from puzzlebase.db.catalog import FORMAT, NO_EXTENSIONS, catalog_fault, statements
from puzzlebase.db.errors import DamagedTable, MissingTable, UnreadableTable, UnwritableTable
from puzzlebase.errors import first_line, unwritable_remedy
from puzzlebase.paths import build_remedy

if TYPE_CHECKING:
    import duckdb

    Connection = duckdb.DuckDBPyConnection

# On a sound file our statements stay within the limits of time and memory; distances are cached
# elsewhere.
_READING = (
    "threads = 1",
    "async_threads = 1",  # by default there are eight for each open file
    "memory_limit = '256MB'",
    # milliseconds; for every cursor: each has settings of its own
    "GLOBAL max_execution_time = 120000",
    *NO_EXTENSIONS,
    "temp_directory = ''",
)
# Rows that DuckDB gathers before it writes them out. With its own 122,880 rows a whole file is in
# memory twice before it is committed: 640 MB of blocks took 1.4 GB and 3.6 s, with 2048 rows 0.3 GB
# and 1.9 s.
ROWS_AT_ONCE = 2048
_FILE_BLOCK = (
    16_384  # bytes of DuckDB's own blocks: the smallest, which wastes least on files of a few MB
)
_CTRL_C = (
    "Query interrupted"  # the text of the RuntimeError by which DuckDB passes on that a signal came
)


def digest(
    header: dict[str, object], layers: Iterable[int], checksums: Iterable[tuple[Any, ...]]
) -> str:
    """The hash that two equal builds share: over the header,
    the layers and the checksum of every block or run.
    """
    total = hashlib.blake2b(json.dumps(header).encode(), digest_size=32)
    total.update(np.array([*layers], "<i8").tobytes())
    for (checksum,) in checksums:
        total.update(checksum)
    return total.hexdigest()


class Closing(ABC):
    """An object that `with` closes at its end."""

    @abstractmethod
    def close(self) -> None:
        """Close all that is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Writer(Closing):
    """A new file with the empty tables of its schema.
    Raises UnwritableTable, for example on a full disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".wal").unlink(missing_ok=True)
        with self._writing():
            self._connection = self._begun()
            self._connection.execute(statements("table"))

    def _begun(self) -> Connection:
        import duckdb  # noqa: PLC0415 -- only where a file is opened

        connection = duckdb.connect()
        options = f"BLOCK_SIZE {_FILE_BLOCK}, ROW_GROUP_SIZE {ROWS_AT_ONCE}"
        connection.execute(f"ATTACH {_quoted(self._path)} AS t ({options})")
        connection.execute("USE t")
        self._pending = True
        return connection.begin()

    def _commit(self) -> None:
        """Commit the added rows to the file itself,
        without a log beside it; a second call does nothing.
        """
        if self._pending:
            self._connection.commit()
            self._connection.execute("CHECKPOINT t")
            self._connection.close()
            self._pending = False

    @contextmanager
    def _finishing(self, checksums: str) -> Iterator[list[tuple[Any, ...]]]:
        """Commit all rows, yield the result of the query `checksums`,
        and commit the rows added at the end.
        """
        with self._writing():
            self._commit()
            self._connection = self._begun()
            yield self._connection.execute(checksums).fetchall()
            self._commit()

    def _insert(
        self, table: str, rows: Iterable[tuple[Any, ...]], batch: int = ROWS_AT_ONCE
    ) -> None:
        """Add rows, with values in the order of columns,
        `batch` at a time; column-wise is five times as fast.
        """
        left = iter(rows)
        while some := list(islice(left, batch)):
            columns = {
                f"c{number}": _column(values)
                for number, values in enumerate(zip(*some, strict=True))
            }
            self._connection.register("given", columns)
            self._connection.execute(f"INSERT INTO {table} SELECT * FROM given")  # noqa: S608 (our own names)
            self._connection.unregister("given")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn DuckDB's errors into MemoryError and UnwritableTable."""
        import duckdb  # noqa: PLC0415 -- only where a file is opened

        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise MemoryError(first_line(error)) from error
        except (duckdb.OperationalError, duckdb.FatalException) as error:
            raise UnwritableTable(
                f"{str(self._path)!r} cannot be written: {first_line(error)}",
                unwritable_remedy(error, "run the same command again"),
            ) from error

    def close(self) -> None:
        """Close the file; without a `finish` before, it cannot be opened."""
        self._connection.close()


class Identity(NamedTuple):
    """Traits of a file that change when it is replaced or written to,
    even if its time is set back.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def at(cls, path: Path) -> Identity | None:
        """The identity of the file of this name; None if there is none."""
        try:
            status = path.stat()
        except OSError:
            return None
        return cls(
            status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
        )


_NOTICED: dict[Identity, tuple[str, str]] = {}  # message and hint of the last damage in a file


def damage_of_file(identity: Identity | None) -> DamagedTable | None:
    """The damage that this process has met in a stored file, which need not be open now."""
    words = _NOTICED.get(identity) if identity else None
    return words and DamagedTable(*words)


def forget(identity: Identity) -> None:
    """Forget the damage that was noticed in a file."""
    _NOTICED.pop(identity, None)


def check_stored_file(path: Path) -> None:
    """Raise MissingTable for no file, UnreadableTable without the permission,
    DamagedTable for a pipe or a folder.
    """
    if not path.exists():
        raise MissingTable(f"there is no table {path.stem!r}", build_remedy(path))
    if not path.is_file():  # a pipe would be waited for
        raise DamagedTable(f"the table in {str(path)!r} is no regular file", build_remedy(path))
    if not os.access(path, os.R_OK):
        raise UnreadableTable(f"no permission to read {str(path)!r}", f"allow it: chmod a+r {path}")


class NamedFile(Closing):
    """A file by its name, and the errors of what it holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.identity = Identity.at(path)

    @property
    def size(self) -> int:
        """Bytes of the file; another one may have its name by now."""
        return self.identity.size if self.identity else 0

    def damaged(self, what: str) -> DamagedTable:
        """An error that names this file and the remedy; it is `noticed` from now on."""
        words = f"the table in {str(self.path)!r} {what}", build_remedy(self.path)
        if self.identity:
            _NOTICED[self.identity] = words
        return DamagedTable(*words)

    @contextmanager
    def damage(self) -> Iterator[None]:
        """Turn the errors of a reader of damaged data into DamagedTable."""
        try:
            yield
        except DamagedBlock as error:
            raise self.damaged(f"is damaged: {error}") from error
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise self.damaged(f"holds impossible values: {error}") from error


class StoredFile(NamedFile):
    """An open file, which stays readable even if a newer one takes its name;
    safe to use from several threads.

    Opening and reading raise MissingTable, and DamagedTable if the file cannot be read or holds
    more than its schema: nothing in it is run.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._connection = self._open()

    def _open(self) -> Connection:
        """A connection to the file, which holds only the tables of its schema."""
        import duckdb  # noqa: PLC0415 -- only where a file is opened

        check_stored_file(self.path)
        # DuckDB follows a link, and may open these, a log beside each, and nothing else.
        paths = self.path, self.path.resolve()
        allowed = ", ".join(
            _quoted(each) for path in paths for each in (path, path.with_name(path.name + ".wal"))
        )
        settings = *_READING, f"allowed_paths = [{allowed}]", "enable_external_access = false"
        with ExitStack() as opened:
            connection = opened.enter_context(duckdb.connect())
            for setting in settings:
                connection.execute(f"SET {setting}")
            with self._reading():
                connection.execute(f"ATTACH {_quoted(self.path)} AS t (TYPE duckdb, READ_ONLY)")
                found = catalog_fault(connection, "t")
            if found:
                raise self.damaged(found)
            opened.pop_all()
        return connection

    def check_format(self) -> None:
        """Raise DamagedTable unless the file states the format of this version;
        an unfinished file does not.
        """
        found = self._rows("SELECT format FROM t.table_info")
        if found != [(FORMAT,)]:
            stated = found[0][0] if found else None
            raise self.damaged(f"has format {stated}, this version reads {FORMAT}")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._reading():
            return self._connection.cursor().execute(sql, parameters).fetchall()

    def _numbers(self, sql: str) -> npt.NDArray[np.int64]:
        """The one column of a query, int64[rows]: Python's integers would be too many."""
        with self._reading():
            (column,) = self._connection.cursor().execute(sql).fetchnumpy().values()
            return np.ma.filled(column, -1).astype(np.int64)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn all of DuckDB's errors into DamagedTable,
        also its RuntimeError: put no other code into the block.
        """
        import duckdb  # noqa: PLC0415 -- only where a file is opened

        try:
            with self.damage():
                yield
        except (duckdb.Error, RuntimeError) as error:
            # out of memory too: a sound file needs little
            if str(error) == _CTRL_C:
                raise KeyboardInterrupt from error
            raise self.damaged(f"cannot be read: {first_line(error)}") from error


def _column(values: Sequence[Any]) -> npt.NDArray[Any]:
    if isinstance(values[0], int | float):
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"

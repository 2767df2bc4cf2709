"""The errors of stored files."""

from __future__ import annotations

from puzzlebase.errors import ErrorWithHint


class TableError(ErrorWithHint):
    """A stored file cannot be used."""


class MissingTable(TableError):
    """There is no file, but one is needed."""


class UnwritableTable(TableError):
    """A file cannot be written in its place."""


class DamagedTable(TableError):
    """A file does not hold what was stored, or has another format."""


class UnreadableTable(DamagedTable):
    """A file may not be read by the user of this program."""


class ReplacedTable(TableError):
    """Another file took the name of the one that was opened, and is not open yet."""

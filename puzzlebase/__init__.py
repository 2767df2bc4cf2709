"""Puzzlebase: exact distances and best moves of puzzles.

    import puzzlebase
    avenger = puzzlebase.open("avenger")
    avenger.lookup(".C.E.DAB.BDAEA.ECDBC.")
    puzzlebase.sql("SELECT distance, count(*) FROM states('avenger') GROUP BY ALL").df()

The folders beside this one are linked into it, so that one name stands in front of every module.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

    from puzzlebase.opened import OpenPuzzle
    from puzzlebase.paths import DataFolder

    __version__: str

__all__ = ["__version__", "open", "sql"]


def open(  # noqa: A001 -- puzzlebase.open reads best
    name: str,
    goal: str | None = None,
    data: Path | str | None = None,
    seconds: float = 30,
    rules: Path | str | None = None,
) -> OpenPuzzle:
    """`puzzlebase.open`: a puzzle by name, to a goal, by default its first.

    It answers as the service would.

    `data` is the folder of the tables, by default that of the program, or the address of a
    published folder. In place of a name and a goal, the address of a published table may stand.
    Answers come from the table there, else from an oracle, else from a search that gives up after
    so many seconds. `rules` is a file with a FAMILY, which is executed. Raises UnknownPuzzle,
    UnknownGoal and NoDataFolder.
    """
    from puzzlebase.opened import OpenPuzzle  # noqa: PLC0415 -- `import puzzlebase` stays quick
    from puzzlebase.puzzles.discovery import discover_rules  # noqa: PLC0415

    if rules:
        discover_rules(rules)
    return OpenPuzzle(name, goal, _folder(name if "://" in name else data), seconds)


def sql(
    query: str,
    data: Path | str | None = None,
    parquet: Path | str | None = None,
    **frames: object,
) -> duckdb.DuckDBPyRelation:
    """A query, as in docs/sql.md, over every table in the data folder:
    a DuckDB relation, with .df() or .fetchall().

    It may also read frames of pandas or polars, tables of Arrow and dicts of arrays, by the names
    that they have here. The rows are also written to the file `parquet` if one is named. Raises
    QueryError.
    """
    from puzzlebase.service.sql.tables import relation_over_tables  # noqa: PLC0415

    return relation_over_tables(query, _folder(data).existing(), frames, parquet)


def _folder(data: Path | str | None) -> DataFolder:
    from puzzlebase.paths import DataFolder  # noqa: PLC0415
    from puzzlebase.puzzles.discovery import discover_beside  # noqa: PLC0415

    folder = DataFolder.choose(data)
    discover_beside(Path(folder.place))
    return folder


def __getattr__(name: str) -> str:
    """The version, read when it is first asked for:
    that takes longer than the import of this module.
    """
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from puzzlebase.version import VERSION  # noqa: PLC0415

    return VERSION

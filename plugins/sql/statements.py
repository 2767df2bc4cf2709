"""Statements to run: a stored query by its name, a file, standard input, or SQL itself."""

from __future__ import annotations

import sys
from importlib.resources import files
from itertools import takewhile
from pathlib import Path

from puzzlebase import hooks
from puzzlebase.db.sql.session import Session
from puzzlebase.paths import build_command
from puzzlebase.service.error_status import InvalidRequest


def statements(session: Session, query: str, puzzle: str | None) -> str:
    """The text of a stored query by its name,
    of a file that ends in .sql, of "-", standard input, or SQL itself.

    A query of one table asks `puzzle`, or the only table there is. Raises InvalidRequest if several
    could be meant, and for a missing file.
    """
    stored = stored_queries()
    if query in stored:
        text = stored[query]
    elif query == "-":
        text = sys.stdin.read()
    else:
        text = query
        if query.endswith(".sql"):
            if not Path(query).is_file():
                raise InvalidRequest(
                    f"there is no file {query!r}", f"stored queries: {', '.join(stored)}"
                )
            text = Path(query).read_text("utf-8")
    if puzzle is None and "getvariable('puzzle')" in text:
        if len(session.tables) != 1:
            tables = ", ".join(session.tables) or f"none yet; {build_command('PUZZLE')} makes one"
            raise InvalidRequest(
                "this query asks one table", f"name it with --puzzle; there are: {tables}"
            )
        session.set_puzzle(next(iter(session.tables)))
    return text


def stored_queries() -> dict[str, str]:
    """The texts of plugins/sql/queries/*.sql and of the queries of plugins,
    by name, in the order of the names.
    """
    folder = files("puzzlebase.plugins.sql").joinpath("queries")
    stored = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    plugins = (
        reference.partition(":") for reference in hooks.plugin_references("queries").values()
    )
    stored += [files(package).joinpath(name) for package, _, name in plugins]
    return dict(sorted((Path(file.name).stem, file.read_text("utf-8")) for file in stored))


def listed_queries() -> list[dict[str, str]]:
    """The stored queries: `query`, the name of each, and `shows`, the comment at its beginning."""
    return [
        {"query": name, "shows": _leading_comment(text)} for name, text in stored_queries().items()
    ]


def _leading_comment(query: str) -> str:
    lines = takewhile(lambda line: line.startswith("--"), query.splitlines())
    return " ".join(line.removeprefix("--").strip() for line in lines)

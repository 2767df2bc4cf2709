"""Draw the pictures of plugins/sql/README.md from their queries,
with tables of a folder: `make pictures`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.session import Session
from puzzlebase.plugins.chart import write_chart
from puzzlebase.service.sql.tables import session_over_tables

QUERIES = sorted(Path(__file__).with_name("pictures").glob("*.sql"))
_SECONDS = 600


def draw(session: Session, query: Path, to: Path) -> None:
    """Draw the result of a query, whose first line is the title."""
    text = query.read_text("utf-8")
    *_, (columns, rows) = [result.rows() for result in session.run(text)]
    write_chart(to, columns, [*rows], title=text.splitlines()[0].removeprefix("-- "))


if __name__ == "__main__":
    with session_over_tables(Path(sys.argv[1]), StatementLimits(seconds=_SECONDS)) as tables:
        for each in QUERIES:
            draw(tables, each, each.with_suffix(".svg"))

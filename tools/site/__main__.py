"""The program `python -m puzzlebase.tools.site DATA SITE`, which writes the site of the tables in DATA into SITE."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from puzzlebase.db.paths import tables_in
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.tools.site.pages import write_site


def main() -> None:
    """Write the site, and say where it is; the exit status is 2 where that cannot be."""
    parser = ArgumentParser(prog="python -m puzzlebase.tools.site", description="Write the results site.")
    parser.add_argument("data", type=Path, metavar="DATA", help="folder of the tables")
    parser.add_argument("site", type=Path, metavar="SITE", help="folder to write to; it is made if it is not there")
    given = parser.parse_args()
    try:
        pages = write_site(given.data, given.site, lambda line: print(line, file=sys.stderr))  # noqa: T201
    except InvalidRequest as error:
        parser.exit(2, f"{error}\n  {error.hint}\n")
    count, tables = f"{len(pages)} page{'' if len(pages) == 1 else 's'}", len(tables_in(given.data))
    left_out = f" ({tables - len(pages)} of {tables} tables left out)" if tables > len(pages) else ""
    print(f"{count} of results{left_out}: open {given.site / 'index.html'} in a browser")  # noqa: T201


if __name__ == "__main__":
    main()

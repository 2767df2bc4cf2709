"""Lines of comma-separated values, for programs and for spreadsheets."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable

# The beginning of a formula. A minus also begins states: one that calls nothing is no more than an
# error in a cell.
_FORMULA = re.compile(r"[=+@\t\r]|-.*[(|!]", re.DOTALL)


def write_csv(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print lines, the names of the columns first.
    An apostrophe stands before a text that would be a formula.
    """
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(map(_cell, columns))
    lines.writerows(map(_cell, row) for row in rows)


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value

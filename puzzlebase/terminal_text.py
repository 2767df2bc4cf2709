"""Text for terminals and their readers: folded, in columns, without control characters."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import TextIO

_ROUNDED_UP = 999.5  # from this number on, three digits do not suffice: it is rounded to 1,000


def printable(text: str, instead: str = "") -> str:
    """The text without characters that a terminal would obey,
    or with something in place of each.
    """
    return "".join(letter if letter.isprintable() else instead for letter in text)


def align_columns(rows: Sequence[Sequence[str]], right: Container[int]) -> Iterator[str]:
    """Align cells of text in columns; those with the numbers `right` to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        yield "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width) for at, (cell, width) in cells
        ).rstrip()


def _columns(stream: TextIO) -> int:
    return get_terminal_size().columns if stream.isatty() else 1 << 20


def fold_line(line: str, indent: int = 0, stream: TextIO | None = None) -> str:
    """Fold a line for a terminal so that no word is broken; `stream` is by default standard output.

    It may have texts of files: a space stands for each character that a terminal would obey.
    """
    columns, after = _columns(stream or sys.stdout), " " * indent
    line = printable(line, " ")
    return fill(
        line, columns, subsequent_indent=after, break_long_words=False, break_on_hyphens=False
    )


def fact_line(name: str, value: object) -> str:
    """The name of a fact and its value, as one line, folded for a terminal."""
    return fold_line(f"{name:>13}  {value}", 15)


def bytes_as_text(count: float) -> str:
    """A number of bytes as text for people, such as 3.2 GB."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < _ROUNDED_UP or unit == "GB":
            break
        count /= 1000
    return f"{count:.3g} {unit}" if count < _ROUNDED_UP else f"{count:,.0f} {unit}"

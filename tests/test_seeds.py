"""docs/seeds.md: every command of its tables is run, and prints what the table says."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.commands import command

PAGE = Path(__file__).parent.parent / "docs" / "seeds.md"


class Row(NamedTuple):
    """A statement of a source, where it is here, and what that prints."""

    statement: str
    place: str
    prints: str


def rows() -> list[Row]:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines]
    assert all(len(row) == 3 for row in cells)
    return [
        Row(*(cell.strip().replace("\\|", "|") for cell in row))
        for row in cells
        if "command, or" not in row[1]
    ]


COMMANDS = [row for row in rows() if row.place.startswith("`puzzlebase ")]


@cache
def printed(line: str, data: Path) -> str:
    """The output of a command; where it fails, its errors."""
    done = command(data, *shlex.split(line)[1:], folder=PAGE.parent.parent)
    return " ".join((done.stdout if done.status in (0, None) else done.stderr).split())


@pytest.mark.slow(5)
@pytest.mark.matrix
def test_every_command_prints_what_the_table_says(data: Path) -> None:
    assert len(COMMANDS) > 60
    wrong = []
    for row in COMMANDS:
        expected = [" ".join(text.split()) for text in re.findall("`([^`]+)`", row.prints)]
        assert expected, row
        missing = [text for text in expected if text not in printed(row.place.strip("`"), data)]
        wrong += (
            [f"{row.place}: {missing} in {printed(row.place.strip('`'), data)[:400]}"]
            if missing
            else []
        )
    assert not wrong, "\n".join(wrong)

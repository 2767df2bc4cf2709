"""The program on systems that lack names of Linux: those that macOS lacks, and more."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from puzzlebase.puzzles import all_families, find
from tests.commands import printed
from tests.other_systems import LEAST, environment
from tests.serving import serving

STATE = "RBBBBBBBBBBBBRRRRRRRR"
"""A state of the Novice at distance 5."""

VERBS = """
import gc, io, sys
from contextlib import redirect_stderr, redirect_stdout
from puzzlebase.command_line.main import main

STATE = "RBBBBBBBBBBBBRRRRRRRR"
for words, status, expected in CASES:
    shown = io.TextIOWrapper(io.BytesIO(), "utf-8")
    sys.argv = ["puzzlebase", "--data", "tables", *words]
    with redirect_stdout(shown), redirect_stderr(shown):
        try:
            main()
            ended = 0
        except SystemExit as end:
            ended = end.code or 0
    shown.flush()
    text = shown.buffer.getvalue().decode()
    assert ended == status, text
    assert expected in text, text
    gc.collect()  # a verb would be a process of its own, whose end closes its files
"""

CASES: list[tuple[list[str], int, str]] = [
    (["build", "novice"], 0, "97,020 states, God's number 13"),
    (["verify", "novice"], 0, "is sound"),
    (["lookup", "novice", STATE], 0, "distance 5 (table)"),
]


def run(folder: Path, names: str, program: str, *words: str | Path) -> list[str]:
    """The lines that a program prints in a folder, where names are taken away."""
    command = [sys.executable, "-c", program, *words]
    return printed(command, folder, environment(folder, names)).splitlines()


@pytest.mark.needs("panex")
@pytest.mark.slow(20)
def test_where_most_is_missing_a_table_is_built_and_served(tmp_path: Path) -> None:
    """A distance is looked up, and one is searched for."""
    run(tmp_path, LEAST, f"CASES = {CASES!r}\n{VERBS}")
    paths = environment(tmp_path, LEAST)
    with serving(tmp_path / "tables", "--workers", "1", PYTHONPATH=paths["PYTHONPATH"]) as service:
        for name, state, expected in (
            ("novice", STATE, (5, "table")),
            ("panex-2", "ab||AB", (13, "search")),
        ):
            status, answer = service.get(f"/v1/puzzles/{name}/lookup?state={quote(state)}")
            assert (status, answer["distance"], answer["source"]) == (200, *expected)


def test_every_disk_can_have_the_names_of_tables() -> None:
    """No letter that a disk of Windows or macOS refuses, or takes for another one."""
    for family in all_families():
        for name in family.listed[:3]:
            puzzle = find(name)
            for goal in puzzle.goals if puzzle.enumerable else ():
                assert re.fullmatch("[a-z][a-z0-9@-]+", puzzle.table_name(goal)), name

"""Broken files of others: each is named in one line, and no other puzzle is harmed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from puzzlebase.puzzles import UnknownPuzzle, discovery, families, find
from puzzlebase.puzzles.contract.errors import BrokenPuzzle
from puzzlebase.puzzles.discovery import unreadable
from puzzlebase.service.answers import catalog

GOOD = """
from puzzlebase.puzzles import Family, permutation_puzzle

FAMILY = Family.of(permutation_puzzle("{name}", solved="ABC", moves={{"R": [(0, 1, 2)]}}))
"""
LATER = """
import re
from dataclasses import replace
from puzzlebase.puzzles import Family, Notation, permutation_puzzle

def make(name):
    {first}
    puzzle = permutation_puzzle(name, solved="ABC", moves={{"R": [(0, 1, 2)]}})
    return replace(puzzle, notation=Notation("letters", "R", ()), {changed})

FAMILY = Family(name="{name}", pattern=re.compile("{name}"), members=("{name}",), make=make, place=-1)
"""
FILES = {
    "sound": GOOD.format(name="sound"),
    "at_import": GOOD.format(name="at-import") + "\nprint(1 / 0)\n",
    "lacks": "import a_module_that_nobody_has\n",
    "needs_a_tool": "from puzzlebase.tools.taken_away.record import Oracle\n",
    "made": LATER.format(name="made", first="raise IndexError('list index\\nout of range')", changed=""),
    "listed": LATER.format(name="listed", first="", changed="goals=()"),
}
BROKEN = {
    "at_import": "at_import.py, line 6: ZeroDivisionError: division by zero",
    "lacks": "lacks.py, line 1: ModuleNotFoundError: No module named 'a_module_that_nobody_has'",
}


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of broken files, which discovery searches beside ours while a test runs."""
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(tmp_path)])
    known = discovery._every, discovery._find, discovery._is_ours, discovery._ours, catalog._log
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    for each in known:
        each.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    for each in known:
        each.cache_clear()
    for name in FILES:
        sys.modules.pop(f"{families.__name__}.{name}", None)


def test_a_family_whose_tool_is_taken_away_is_gone_and_says_what_it_needs(strangers: Path) -> None:
    assert (strangers / "needs_a_tool.py").exists()
    assert "needs_a_tool" not in unreadable()
    with pytest.raises(UnknownPuzzle) as raised:
        find("needs-a-tool-3")
    assert str(raised.value) == "puzzles of needs_a_tool need the tool 'taken_away', which is missing"


def test_none_of_ours_is_broken() -> None:
    assert not unreadable()


def test_the_others_are_found_and_each_broken_one_is_named_in_a_line(strangers: Path) -> None:
    assert find("sound").play("ABC", "R") == "CAB"
    assert find("novice").name == "novice"
    assert unreadable().keys() == BROKEN.keys()
    for name, message in BROKEN.items():
        line = str(unreadable()[name])
        assert f"{strangers}/{message}" in line
        assert "\n" not in line
        with pytest.raises(BrokenPuzzle) as raised:
            find(name.replace("_", "-"))
        assert str(raised.value) == line
    with pytest.raises(BrokenPuzzle, match=r"made.py, line 7: IndexError: list index out of range"):
        find("made")


@pytest.mark.usefixtures("strangers")
def test_the_service_answers_for_all_others(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        names = {puzzle["name"] for puzzle in client.get("/v1/puzzles").get_json()["puzzles"]}
        assert {"sound", "avenger"} <= names
        assert not {"made", "listed"} & names
        assert client.get("/").status_code == 200
    for name in ("made", "listed"):
        assert len([line for line in caplog.messages if f"{name} is broken" in line]) == 1
    assert client.get("/v1/puzzles/made").status_code == 404
    assert client.get("/v1/puzzles/sound").status_code == 200

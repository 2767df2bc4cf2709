"""service/answers/catalog.py: the list of puzzles, and what is said of one."""

from __future__ import annotations

from pathlib import Path

from puzzlebase.builder import LayersJob, TableJob
from puzzlebase.puzzles import find
from puzzlebase.service.answers import catalog
from puzzlebase.service.sources.folder import Tables
from tests.conftest import opened, quiet
from tests.http.asking import SOLVED


def test_the_list_and_the_description(tables: Tables) -> None:
    listed = {line["name"]: line for line in catalog.puzzle_list(tables)["puzzles"]}
    assert listed["avenger"]["states"] == 52_390_800
    assert listed["avenger"]["coverage"] == "table"
    assert listed["avenger-sixths"] == {
        "name": "avenger-sixths",
        "title": "Avenger in sixths of a turn",
        "family": "wheels",
        "states": None,
        "gods_number": None,
        "coverage": "none",
    }
    avenger = find("avenger")
    known = catalog.about(tables, avenger, avenger.goal())
    assert known["goals"] == [{"name": "solved", "start": SOLVED, "solved": SOLVED}]
    assert (known["inventor"], known["link"]) == ("Douglas Engel", None)
    sinking = find("panex-3")
    sink = catalog.about(tables, sinking, sinking.goal())["goals"][3]
    assert sink == {"name": "sink", "start": "c|ab|ABC", "solved": "ab|c|ABC"}
    refused = find("hanoi-rbb-3")
    assert catalog.about(tables, refused, refused.goal())["goals"][1]["solved"] is None
    assert known["moves"][3] == {"move": "L2'", "group": "left wheel"}
    assert known["table"] is not None
    assert known["table"]["encoding"] == "orbits"
    assert known["table"]["digest"] == opened(tables, "avenger").table.file.digest
    other = find("avenger-sixths")
    assert catalog.about(tables, other, other.goal())["table"] is None


def test_every_file_is_listed(tmp_path: Path) -> None:
    two, five = find("panex-2"), find("quantum-2x2-5")
    TableJob(two, two.goal("centre"), tmp_path, "test", 1, quiet()).build()
    LayersJob(five, five.goal(), tmp_path, report=quiet(), depth=3).build()
    listed = {line["name"]: line["coverage"] for line in catalog.puzzle_list(Tables(tmp_path))["puzzles"]}
    assert listed["quantum-2x2-5"] == "layers", "of no family's members"
    assert listed["panex-2"] == "none", "for its default goal"

"""service/answers/catalog.py: the list of puzzles, and the description of one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs import results
from puzzlebase.builder import LayersJob
from puzzlebase.puzzles import all_families, find
from puzzlebase.puzzles.discovery import known_numbers
from puzzlebase.service.answers import catalog
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import TABLES, build_table, opened, quiet_job

DOCUMENT = Path(__file__).parents[2] / "docs" / "puzzles.md"


@pytest.mark.needs("panex", "quantum")
def test_every_file_is_listed(tmp_path: Path) -> None:
    five = find("quantum-2x2-5")
    build_table(tmp_path, "panex-2", "centre")
    quiet_job(LayersJob, five, tmp_path, depth=3).build()
    listed = {
        line["name"]: line["coverage"] for line in catalog.puzzle_list(Sources(tmp_path))["puzzles"]
    }
    assert listed["quantum-2x2-5"] == "layers", "of no family's members"
    assert listed["panex-2"] == "none", "for its default goal"


@pytest.mark.needs("classical", "hanoi", "oriented", "panex", "panguru", "quantum", "tiles")
def test_the_list_has_every_puzzle_of_the_document_the_flagship_first() -> None:
    listed = {
        line["name"]: line for line in catalog.puzzle_list(Sources(Path("/nonexistent")))["puzzles"]
    }
    assert next(iter(listed)) == "avenger"
    assert [*dict.fromkeys(line["family"] for line in listed.values())] == [
        family.name for family in all_families() if {*family.listed} - {*family.patterns}
    ]
    rows = re.findall(
        r"^\| `([^`]+)` \|[^|]*\| ([^|]*) \| ([^|]*) \|$", DOCUMENT.read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) >= 13
    for name, states, gods_number in rows:
        exact = {"states": states, "gods_number": gods_number}
        numbers = {
            field: int(text.replace(",", ""))
            for field, text in exact.items()
            if re.fullmatch("[0-9,]+", text)
        }
        assert numbers.items() <= listed[name].items(), name


@pytest.mark.needs("classical", "hanoi", "oriented", "panex", "panguru", "quantum", "tiles")
def test_what_is_known_is_what_tables_and_publications_say(
    tables: Sources, golden: dict[str, Any]
) -> None:
    known = known_numbers()
    for name in TABLES:
        info = opened(tables, name).table.info
        assert known[name] == {"states": info.states, "gods_number": info.gods_number}
    for name, numbers in known.items():
        published = find(name).goal().published
        if published:
            assert published.states in (None, numbers["states"]), name
            assert published.gods_number in (None, numbers["gods_number"]), name
    assert known["turnstile"]["states"] == golden["turnstile"]["states"]
    for units, states in enumerate(golden["quantum"]["matrices_2x2_k1_to_8"][:4], 1):
        assert known[f"quantum-2x2-{units}"]["states"] == (states if units > 1 else states // 2)
    results = (Path(__file__).parents[2] / "docs" / "results.md").read_text("utf-8")
    oriented = results.partition("## The Novice with oriented corners: God's number is 21")[
        2
    ].partition("\n## ")[0]
    layers = [
        int(states.replace(",", ""))
        for states in re.findall(r"^\| \d+ \| ([\d,]+) \|$", oriented, re.MULTILINE)
    ]
    assert known["novice-oriented"] == {"states": sum(layers), "gods_number": len(layers) - 1}
    assert {*known} <= {name for family in all_families() for name in family.listed}


def test_the_lines_of_results_are_those_of_tables(tables: Sources) -> None:
    known, built = results.read_lines(), results.lines_of(tables.folder.data)
    common = known.keys() & built.keys()
    assert len(common) >= len(TABLES)
    assert [known[key] for key in common] == [built[key] for key in common]

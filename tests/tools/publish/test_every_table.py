"""`publish --all`: every table of a folder that has a form, and a line with the reason for each of the others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.commands import Done, command
from tests.conftest import build_table

WITHOUT_FORM = """
from puzzlebase.puzzles import Family, rules_puzzle

def read(text):
    if set(text) - {"é"}:
        raise ValueError("it is a row of é")
    return len(text)

def moves(state):
    if state < 5: yield "longer", state + 1

FAMILY = Family.of(rules_puzzle(
    "rows", start=1, solved=lambda state: state == 5, moves=moves, read=read, write=lambda state: "é" * state
))
"""  # of texts that are no ASCII and not of one length


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with sound tables, of another goal too, and with others; and the file of rules of one of these."""
    folder = tmp_path_factory.mktemp("mixed")
    rules = folder.with_name("rows.py")
    rules.write_text(WITHOUT_FORM, "utf-8")
    tables = folder / "data"
    tables.mkdir()
    assert command(tables, "--rules", str(rules), "build", "rows").status == 0
    for name, goal in (("panex-2", None), ("panex-2", "centre"), ("sliding-2x3", None)):
        build_table(tables, name, goal)
    shutil.copy(tables / "panex-2.duckdb", tables / "my-own.duckdb")
    (tables / "challenger.duckdb").write_bytes(b"no table")
    return tables, rules


def published(mixed: tuple[Path, Path], *words: str) -> Done:
    tables, rules = mixed
    return command(tables, "--rules", str(rules), "publish", *words)


@pytest.mark.slow(20)
def test_what_has_a_form_is_published_and_the_others_are_named(mixed: tuple[Path, Path], tmp_path: Path) -> None:
    to = tmp_path / "site"
    done = published(mixed, "--all", str(to))
    assert done.status in (0, None), done.stderr
    tables = {"panex-2", "panex-2@centre", "sliding-2x3"}
    assert {path.parent.name for path in to.glob("*/header.json")} == tables
    assert {Path(line.split("  ")[0]).name for line in done.stdout.splitlines()} == tables
    index = (to / "index.html").read_text("utf-8")
    for name in tables:
        assert (to / name / "index.html").is_file()
        assert name in index
    left_out = [line for line in done.stderr.splitlines() if line.startswith("left out: ")]
    assert [line.split(", ")[0] for line in left_out] == ["left out: challenger", "left out: my-own", "left out: rows"]
    damaged, unknown, formless = left_out
    assert "challenger.duckdb" in damaged
    assert "there is no puzzle 'my-own'" in unknown
    assert "rows cannot be published: " in formless
    assert not [*to.glob(".publish.*")]
    assert {"panex-2/header.json", "index.html"} <= {*json.loads((to / "manifest.json").read_text("ascii"))}
    again = json.loads(published(mixed, "--all", str(to), "--json").stdout)
    assert {*again["left_out"]} == {"challenger", "my-own", "rows"}
    assert {table["name"] for table in again["tables"]} == tables


@pytest.mark.slow(5)
def test_a_table_that_was_named_and_has_no_form_is_an_error(mixed: tuple[Path, Path], tmp_path: Path) -> None:
    done = published(mixed, "rows", str(tmp_path / "to"))
    assert (done.status, "rows cannot be published: " in done.stderr) == (2, True)
    done = published(mixed, "challenger", str(tmp_path / "to"))
    assert done.status == 1
    assert not [*(tmp_path / "to").glob("*/header.json")]


def test_all_goes_with_a_folder_alone(tmp_path: Path) -> None:
    for words in (["to"], ["--all", "novice", "to"], ["--all", "to", "--goal", "solved"]):
        done = command(tmp_path, "publish", *words, folder=tmp_path)
        assert (done.status, "or give --all without puzzles" in done.stderr) == (2, True), words
    done = command(tmp_path, "publish", "--all", str(tmp_path / "to"))
    assert (done.status, "there is no table in" in done.stderr, "build PUZZLE" in done.stderr) == (
        2, True, True,
    )  # fmt: skip
    assert not [*(tmp_path / "to").glob("*")]

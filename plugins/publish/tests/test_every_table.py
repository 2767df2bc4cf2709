"""`publish --all`: every table of a folder that has a form, and a line with the reason for each of the others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from puzzlebase.plugins.publish import stored
from tests.commands import command, ran
from tests.documents import ROOT, assert_shown, examples
from tests.fixtures import build_table


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sound tables, of another goal too, with a damaged one, and with one whose puzzle is unknown."""
    folder = tmp_path_factory.mktemp("mixed")
    for name, goal in (("quantum-2x2-1", None), ("sliding-2x3", None), ("sliding-2x3", "blank-0")):
        build_table(folder, name, goal)
    shutil.copy(folder / "quantum-2x2-1.duckdb", folder / "my-own.duckdb")
    (folder / "challenger.duckdb").write_bytes(b"no table")
    return folder


@pytest.fixture(autouse=True)
def few_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored moves hold fewer states than those of a quantum board, so that it has no form."""
    monkeypatch.setattr(stored, "MOST", 10)


@pytest.mark.slow(20)
def test_what_has_a_form_is_published_and_the_others_are_named(tables: Path, tmp_path: Path) -> None:
    to = tmp_path / "everything"
    (example,) = [each for each in examples(ROOT / "plugins" / "publish" / "README.md") if "--all" in each.command]
    done = ran(tables, *example.command.split()[1:], folder=tmp_path)
    assert_shown(example, done.stdout)
    names = {"sliding-2x3", "sliding-2x3@blank-0"}
    assert {path.parent.name for path in to.glob("*/header.json")} == names
    assert {Path(line.split("  ")[0]).name for line in done.stdout.splitlines()} == names
    index = (to / "index.html").read_text("utf-8")
    for name in names:
        assert (to / name / "index.html").is_file()
        assert name in index
    left_out = [line for line in done.stderr.splitlines() if line.startswith("left out: ")]
    assert [line.split(", ")[0] for line in left_out] == [
        "left out: challenger", "left out: my-own", "left out: quantum-2x2-1",
    ]  # fmt: skip
    damaged, unknown, formless = left_out
    assert "challenger.duckdb" in damaged
    assert "there is no puzzle 'my-own'" in unknown
    assert "quantum-2x2-1 cannot be published: more than 10 states" in formless
    assert not [*to.glob(".publish.*")]
    assert {"sliding-2x3/header.json", "index.html"} <= {*json.loads((to / "manifest.json").read_text("ascii"))}
    again = json.loads(command(tables, "publish", "--all", str(to), "--json").stdout)
    assert {*again["left_out"]} == {"challenger", "my-own", "quantum-2x2-1"}
    assert {table["name"] for table in again["tables"]} == names


@pytest.mark.slow(5)
def test_a_table_that_was_named_and_has_no_form_is_an_error(tables: Path, tmp_path: Path) -> None:
    done = command(tables, "publish", "quantum-2x2-1", str(tmp_path / "to"))
    assert (done.status, "quantum-2x2-1 cannot be published: " in done.stderr) == (2, True)
    assert command(tables, "publish", "challenger", str(tmp_path / "to")).status == 1
    assert not [*(tmp_path / "to").glob("*")]


def test_all_goes_with_a_folder_alone(tmp_path: Path) -> None:
    for words in (["to"], ["--all", "novice", "to"], ["--all", "to", "--goal", "solved"]):
        done = command(tmp_path, "publish", *words, folder=tmp_path)
        assert (done.status, "or give --all without puzzles" in done.stderr) == (2, True), words
    done = command(tmp_path, "publish", "--all", str(tmp_path / "to"))
    assert (done.status, "there is no table in" in done.stderr) == (2, True)
    assert "build PUZZLE" in done.stderr
    assert not [*(tmp_path / "to").glob("*")]

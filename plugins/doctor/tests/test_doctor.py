"""`puzzlebase doctor`: what is sound, and each kind of fault with its remedy."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.commands import command

Damage = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path, data: Path) -> Path:
    """A data folder with the table of novice."""
    shutil.copy(data / "novice.duckdb", tmp_path)
    return tmp_path


def test_a_sound_folder(folder: Path) -> None:
    done = command(folder, "doctor", "--json")
    told = json.loads(done.stdout)
    assert (done.status, told["wrong"], told["tables"]) == (0, [], {"novice": "sound"})
    assert told["places"]["data"].startswith(f"{folder}: read and write; 1 files, ")
    assert told["versions"]["duckdb"] == version("duckdb")
    assert re.fullmatch(r"\d+ processors, .*B of memory free", told["machine"])


def definition_that_cannot_be_read(folder: Path) -> None:
    (folder / "puzzles.d").mkdir()
    (folder / "puzzles.d" / "ring.tws").write_text("Name Ring\nSet PIECES", "utf-8")


@pytest.mark.needs("definitions")
@pytest.mark.parametrize(
    ("damage", "words", "what", "remedy"),
    [
        (
            lambda folder: (folder / "novice.duckdb").write_bytes(b"cut"),
            [],
            "novice.duckdb",
            "puzzlebase build novice",
        ),
        (
            lambda folder: (folder / "novice.duckdb").rename(folder / "gone.duckdb"),
            [],
            "no puzzle is called 'gone'",
            "--puzzles",
        ),
        (definition_that_cannot_be_read, [], "ring", ""),
        (
            lambda folder: (folder / "file").touch(),
            ["--cache", "file/cache"],
            "'file/cache' cannot be written",
            "PUZZLEBASE_CACHE",
        ),
        (shutil.rmtree, [], "there is no folder", "--data"),
    ],
)
def test_what_is_wrong(
    folder: Path,
    damage: Damage,
    words: list[str],
    what: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder.parent if damage is shutil.rmtree else folder)
    damage(folder)
    done = command(folder, "doctor", *words)
    first, second = done.stdout.splitlines()[-2:]
    assert done.status == 1
    assert first.startswith("        wrong  ")
    assert what in first
    assert remedy in second

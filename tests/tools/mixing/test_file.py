"""tools/mixing/file.py: what was written is read, and anything else is an error."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.tools.mixing import file
from puzzlebase.tools.mixing.file import Measurement, Mixing

WALK = Mixing("novice", "solved", "any", (1, 10), (Measurement(0, 0.5, 1, (1 / 3, 2 / 3)),))
OF: dict[str, Any] = {"puzzle": "novice", "goal": "solved", "walk": "any", "layers": (1, 10)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file.write(tmp_path / "file.json", WALK)
    return tmp_path / "file.json"


def test_what_is_written_is_read(path: Path) -> None:
    assert file.read(path, "again", **OF) == WALK


def test_no_file_and_one_of_another_table(path: Path) -> None:
    with pytest.raises(MissingTable, match="the walk any of novice has not been computed yet") as caught:
        file.read(path.with_name("other"), "puzzlebase mixing novice", **OF)
    assert caught.value.hint == "puzzlebase mixing novice"
    with pytest.raises(MissingTable, match="from another table") as caught:
        file.read(path, "puzzlebase mixing novice", **OF | {"layers": (1, 9)})
    assert caught.value.hint == "compute it again: puzzlebase mixing novice"


def assert_damaged(path: Path) -> None:
    with pytest.raises(DamagedTable, match="is not what was written") as caught:
        file.read(path, "puzzlebase mixing novice", **OF)
    assert caught.value.hint == "compute it again: puzzlebase mixing novice"


def test_a_flipped_bit_of_each_byte_and_each_shorter_file_is_noticed(path: Path) -> None:
    written = path.read_bytes()
    flipped = [bytes([*written[:at], byte ^ 1 << at % 8, *written[at + 1 :]]) for at, byte in enumerate(written)]
    for content in (*flipped, *(written[:length] for length in range(len(written))), written + b"\n"):
        path.write_bytes(content)
        assert_damaged(path)


@pytest.mark.parametrize("change", [{"format": 3}, {"layers": ["1", 10]}, {"goal": None}])
def test_another_form_is_refused(path: Path, change: dict[str, object]) -> None:
    fields = json.dumps(asdict(WALK) | change).encode()[:-1]
    path.write_bytes(fields + file._checksum(fields))
    assert_damaged(path)


def test_a_file_without_end(path: Path) -> None:
    with path.open("wb") as endless:
        endless.truncate(1 << 40)
    assert_damaged(path)

"""tools/json_file.py: content that was written is read, and anything else is an error."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import pytest

from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.tools.json_file import JsonFiles


@dataclass(frozen=True)
class Result:
    """A content."""

    table: str
    numbers: tuple[int, ...]
    shares: dict[str, float]
    format: Literal[2] = 2


FILES = JsonFiles(Result, "find", 1 << 20)
RESULT = Result("novice", (0, 2, 3), {"a": 1 / 3})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    FILES.write(tmp_path / "file.json", RESULT)
    return tmp_path / "file.json"


def test_what_is_written_is_read(path: Path) -> None:
    assert FILES.read(path) == FILES.read(path, table="novice") == RESULT


def test_no_file_and_one_of_another_table(path: Path) -> None:
    missing = MissingTable("there is none", "puzzlebase find novice")
    with pytest.raises(MissingTable, match="there is none"):
        FILES.read(path.with_name("other"), missing)
    with pytest.raises(MissingTable, match="from another table") as caught:
        FILES.read(path, missing, table="avenger")
    assert caught.value.hint == "compute it again: puzzlebase find novice"


def test_each_flipped_bit_and_each_shorter_file_is_noticed(path: Path) -> None:
    written = path.read_bytes()
    flipped = [
        bytes([*written[:at], written[at] ^ 1 << bit, *written[at + 1 :]])
        for at in range(len(written))
        for bit in range(8)
    ]
    for content in (*flipped, *(written[:length] for length in range(len(written))), written + b"\n"):
        path.write_bytes(content)
        with pytest.raises(DamagedTable, match="is not what was written") as caught:
            FILES.read(path)
        assert caught.value.hint.endswith("puzzlebase find")


@pytest.mark.parametrize("change", [{"format": 3}, {"numbers": ["3"]}, {"table": None}])
def test_another_form_is_refused(path: Path, change: dict[str, object]) -> None:
    JsonFiles(dict[str, object], "find", 1 << 20).write(path, asdict(RESULT) | change)
    with pytest.raises(DamagedTable, match="is not what was written"):
        FILES.read(path)


def test_a_file_without_end(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DamagedTable, match="is not what was written"):
        FILES.read(path)

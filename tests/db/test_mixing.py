"""db/mixing.py: what is written is read, and anything else is an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db import DamagedTable, MissingTable, Mixing, Turn, read_mixing, write_mixing

MIXING = Mixing("novice", "solved", "any", (1, 3), (Turn(0, 0.75, 1, (1.0, 0.0)), Turn(1, 1 / 12, 3, (1 / 3, 2 / 3))))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_mixing(tmp_path / "walk.json", MIXING)
    assert read_mixing(tmp_path / "walk.json") == MIXING


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match=r"there is no 'walk\.json' yet"):
        read_mixing(tmp_path / "walk.json")


WRONG: dict[str, Callable[[Any], None]] = {
    "a sum": lambda content: content["turns"][1]["by_distance"].__setitem__(0, 0.9),
    "a number of layers": lambda content: content["layers"].append(5),
    "an order": lambda content: content["turns"].reverse(),
    "a distance from uniform": lambda content: content["turns"][0].update(from_uniform=-0.5),
    "no number": lambda content: content["turns"][0].update(from_uniform="nan"),
    "too many states": lambda content: content["turns"][0].update(reached=5),
    "another format": lambda content: content.update(format=2),
    "no turn": lambda content: content["turns"].clear(),
    "a missing field": lambda content: content.pop("walk"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_was_changed(tmp_path: Path, what: str) -> None:
    path = tmp_path / "walk.json"
    write_mixing(path, MIXING)
    content = json.loads(path.read_text("utf-8"))
    WRONG[what](content)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DamagedTable, match="is not what was written"):
        read_mixing(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"a": NaN}'])
def test_a_file_that_is_something_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "walk.json"
    path.write_bytes(content)
    with pytest.raises(DamagedTable, match="is not what was written"):
        read_mixing(path)


def test_a_file_without_end(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DamagedTable, match="is not what was written"):
        read_mixing(path)

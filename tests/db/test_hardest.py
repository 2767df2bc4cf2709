"""db/hardest.py: the file of the hardest states, and what is refused as one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db import DamagedTable, Found, Hardest, MissingTable, read_hardest, write_hardest

FOUND = Found((0, 2, 3), 2, 3, 2, ("a", "b"))
NONE = Found((0, 0, 0), None, 0, None, ())
HARDEST = Hardest(
    "novice",
    "solved",
    "ab" * 32,
    2,
    {"antipodes": FOUND, "one-solution": NONE, "one-good-move": FOUND, "local-maxima": FOUND},
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_hardest(tmp_path / "hardest.json", HARDEST)
    assert read_hardest(tmp_path / "hardest.json") == HARDEST


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(MissingTable, match=r"there is no 'hardest\.json' yet"):
        read_hardest(tmp_path / "hardest.json")


WRONG: dict[str, Callable[[Any], None]] = {
    "a count": lambda content: content["kinds"]["antipodes"].update(count=4),
    "a distance": lambda content: content["kinds"]["antipodes"].update(distance=7),
    "no distance": lambda content: content["kinds"]["antipodes"].update(distance=None),
    "a negative one": lambda content: content["kinds"]["antipodes"].update(distance=-1),
    "too many": lambda content: content["kinds"]["antipodes"].update(states=["a", "b", "c"]),
    "more than there are": lambda content: content["kinds"]["antipodes"].update(different=4, states=["a"] * 4),
    "none of them": lambda content: content["kinds"]["antipodes"].update(states=[]),
    "another kind": lambda content: content["kinds"].update(easy=content["kinds"]["antipodes"]),
    "a kind less": lambda content: content["kinds"].pop("antipodes"),
    "another format": lambda content: content.update(format=2),
    "a missing field": lambda content: content.pop("digest"),
    "no number": lambda content: content["kinds"]["antipodes"].update(by_distance=[0, 2, "3"]),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_was_changed(tmp_path: Path, what: str) -> None:
    path = tmp_path / "hardest.json"
    write_hardest(path, HARDEST)
    content = json.loads(path.read_text("utf-8"))
    WRONG[what](content)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DamagedTable, match="is not what was written"):
        read_hardest(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_file_that_is_something_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hardest.json"
    path.write_bytes(content)
    with pytest.raises(DamagedTable, match="is not what was written"):
        read_hardest(path)

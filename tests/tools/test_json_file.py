"""tools/json_file.py, with both kinds of files: content that was written is read, and anything else is an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.tools.hardest import file as hardest
from puzzlebase.tools.hardest.file import Found, Hardest
from puzzlebase.tools.json_file import JsonFiles
from puzzlebase.tools.mixing import file as mixing
from puzzlebase.tools.mixing.file import Measurement, Mixing

MIXING = Mixing(
    "novice", "solved", "any", (1, 3), (Measurement(0, 0.75, 1, (1.0, 0.0)), Measurement(1, 1 / 12, 3, (1 / 3, 2 / 3)))
)

FOUND = Found((0, 2, 3), 2, 3, 2, ("a", "b"))
NONE = Found((0, 0, 0), None, 0, None, ())
HARDEST = Hardest(
    "novice",
    "solved",
    "ab" * 32,
    2,
    {"antipodes": FOUND, "one-solution": NONE, "one-good-move": FOUND, "local-maxima": FOUND},
)

KINDS: dict[str, tuple[JsonFiles[Any], Any]] = {
    "walk": (mixing._FILES, MIXING),
    "hardest": (hardest._FILES, HARDEST),
}
"""By the names of their files: how they are read, and a content."""

WRONG: dict[str, dict[str, Callable[[Any], None]]] = {
    "walk": {
        "a sum": lambda content: content["turns"][1]["by_distance"].__setitem__(0, 0.9),
        "a number of layers": lambda content: content["layers"].append(5),
        "an order": lambda content: content["turns"].reverse(),
        "a distance from uniform": lambda content: content["turns"][0].update(from_uniform=-0.5),
        "no number": lambda content: content["turns"][0].update(from_uniform="nan"),
        "too many states": lambda content: content["turns"][0].update(reached=5),
        "another format": lambda content: content.update(format=2),
        "no turn": lambda content: content["turns"].clear(),
        "a missing field": lambda content: content.pop("walk"),
    },
    "hardest": {
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
    },
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_what_is_written_is_read(tmp_path: Path, kind: str) -> None:
    files, content = KINDS[kind]
    files.write(tmp_path / "file.json", content)
    assert files.read(tmp_path / "file.json") == content


def test_no_file(tmp_path: Path, kind: str) -> None:
    files, _ = KINDS[kind]
    with pytest.raises(MissingTable, match=rf"there is no '{kind}\.json' yet"):
        files.read(tmp_path / f"{kind}.json")


@pytest.mark.parametrize(("kind", "what"), [(kind, what) for kind, some in WRONG.items() for what in some])
def test_a_file_that_was_changed(tmp_path: Path, kind: str, what: str) -> None:
    files, sound = KINDS[kind]
    path = tmp_path / "file.json"
    files.write(path, sound)
    content = json.loads(path.read_text("utf-8"))
    WRONG[kind][what](content)
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DamagedTable, match="is not what was written"):
        files.read(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"a": NaN}'])
def test_a_file_that_is_something_else(tmp_path: Path, kind: str, content: bytes) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(DamagedTable, match="is not what was written"):
        KINDS[kind][0].read(path)


@pytest.mark.slow
def test_a_file_without_end(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DamagedTable, match="is not what was written"):
        KINDS[kind][0].read(path)

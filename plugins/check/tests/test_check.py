"""The words of `puzzlebase check`: no line contradicts another, and people can read its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.plugins.check.report import report
from puzzlebase.plugins.definitions import space
from puzzlebase.plugins.definitions.tests.small_definitions import (
    CUBE,
    SMALL,
    turning,
    whole_cube,
    written,
)
from tests.commands import command
from tests.naive.definition import NaiveDefinition


def printed(folder: Path, text: str) -> dict[str, list[str]]:
    """The lines of `check`, by the words before them."""
    path = written(folder, "checked", text).path
    checked = command(folder, "check", str(path))
    assert (checked.status, checked.stderr) == (0, "")
    lines: dict[str, list[str]] = {}
    for line in checked.stdout.splitlines()[1:]:
        name, _, rest = line.strip().partition("  ")
        lines.setdefault(name, []).append(rest)
    return lines


def test_numbers_with_gaps_are_told_from_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Definitions that are too large for a list have gaps too: here none is made."""
    monkeypatch.setattr(space, "LISTED_BYTES", 1)
    monkeypatch.setattr(space, "MOST_ELEMENTS", 1)
    # the same permutation of five pieces in each of two sets
    linked = printed(tmp_path, SMALL["linked"].text)
    assert linked["states"] == ["120, exactly"]
    # of equal parity
    assert linked["numbered"] == ["by rows and columns, with gaps: 7,200 numbers"]
    equal = printed(tmp_path, SMALL["linked-equal"].text)
    assert equal["states"] == ["at most 300"]  # 5! / (2! 2!) times 5! / (2! 3!)
    assert equal["numbered"] == ["by rows and columns, perhaps with gaps"]


@pytest.mark.needs("patterns")
def test_numbers_of_large_puzzles_can_be_read(tmp_path: Path) -> None:
    cube = printed(tmp_path, whole_cube())
    assert cube["states"] == ["43,252,003,274,489,856,000, exactly"]
    assert cube["pattern"] == [
        (
            "checked~p1: 53,210,234,880 states, about 3,325,639,680 stored, 1,662,819,840 bytes in "
            "memory, seen in 3 ways"
        )
    ]
    swap = f"Move S\nC\n2 1 {' '.join(map(str, range(3, 101)))}\nEnd\n"
    assert printed(tmp_path, turning(100) + swap)["states"] == ["about 10^157"]  # 100! = 9.33e157


def test_a_table_that_does_not_fit_is_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlebase.builder.preflight.spare_memory", lambda: 1 << 20)
    lines = printed(tmp_path, SMALL["linked"].text)
    assert lines["table"][0].endswith("; this does not fit here")
    monkeypatch.undo()
    assert "fit" not in printed(tmp_path, SMALL["linked"].text)["table"][0]


@pytest.mark.parametrize("name", SMALL)
def test_no_fewer_states_are_counted_than_there_are(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, name, SMALL[name].text)
    found = report(file, 1)
    states = len(NaiveDefinition(SMALL[name].text).distances(powers=True))
    assert found["states"] >= states
    assert found["exact"] is False or found["states"] == states
    assert SMALL[name].kind in (None, found["way"])


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    checked = command(tmp_path, "check", str(written(tmp_path, "mine", CUBE).path))
    assert (checked.status, checked.stderr) == (0, "")
    assert "6, exactly" in checked.stdout
    refused = command(tmp_path, "check", str(written(tmp_path, "broken", "Set").path))
    assert (refused.status, refused.stdout) == (1, "")
    assert "line 1" in refused.stderr


@pytest.mark.needs("stickers")
def test_a_drawing_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "mine", CUBE)
    (tmp_path / "mine.svg").write_text("<svg>", "utf-8")
    refused = command(tmp_path, "check", str(tmp_path / "mine.tws"))
    assert (refused.status, refused.stdout) == (1, "")
    assert "mine.svg" in refused.stderr


def test_remarks_are_shown_and_groups_named(tmp_path: Path) -> None:
    lines = printed(tmp_path, "# about: A ring\n# label R: ring\n# rows C: 3\n" + CUBE)
    assert lines["about"] == ["A ring"]
    assert lines["hints name"] == ["ring (R R2 R3 R2' R')"]
    assert lines["rows"] == ["C: 3"]

"""Tables whose states are too many to be read at once are published as others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.tools.publish import states
from puzzlebase.tools.publish.folder import read_header
from tests.commands import command
from tests.conftest import build_table


@pytest.mark.slow(20)
def test_states_in_pieces_give_the_same_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Numbered piece by piece, with an alphabet from a sample, and some of them compared with the moves."""
    build_table(tmp_path, "sliding-2x3")
    folders = [tmp_path / "whole", tmp_path / "pieces"]
    for folder in folders:
        done = command(tmp_path, "publish", "sliding-2x3", str(folder))
        assert done.status in (0, None), done.stderr
        monkeypatch.setattr(states, "LISTED", 50)
        monkeypatch.setattr(states, "_EVERY", 100)
        monkeypatch.setattr(states, "_COMPARED", 200)
        monkeypatch.setattr(states, "_CHUNK", 30)
    whole, pieces = (folder / "sliding-2x3" for folder in folders)
    assert read_header(whole / "header.json") == read_header(pieces / "header.json")
    assert (whole / "distances.0").read_bytes() == (pieces / "distances.0").read_bytes()

"""Tables whose states are too many to be read at once are published as others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.tests.small_definitions import SMALL
from puzzlebase.plugins.publish import states
from puzzlebase.plugins.publish.folder import read_folder_json
from tests.commands import ran


@pytest.mark.slow(20)
def test_states_in_pieces_give_the_same_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Numbered piece by piece, with an alphabet from a sample,
    and some of them compared with the moves.
    """
    (tmp_path / "corners.tws").write_text(f"{SMALL['corners'].text}\n", "utf-8")
    of_them = ("--puzzles", str(tmp_path))
    ran(tmp_path, *of_them, "build", "corners")
    folders = [tmp_path / "whole", tmp_path / "pieces"]
    for folder in folders:
        done = ran(tmp_path, *of_them, "publish", "corners", str(folder))
        monkeypatch.setattr(states, "LISTED", 50)
        monkeypatch.setattr(states, "_EVERY", 100)
        monkeypatch.setattr(states, "_COMPARED", 200)
        monkeypatch.setattr(states, "_CHUNK", 30)
    assert "number corners" in done.stderr
    whole, pieces = (folder / "corners" for folder in folders)
    assert read_folder_json((whole / "header.json").read_bytes()) == read_folder_json(
        (pieces / "header.json").read_bytes()
    )
    assert (whole / "distances.0").read_bytes() == (pieces / "distances.0").read_bytes()

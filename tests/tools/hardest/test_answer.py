"""tools/hardest/answer.py and its verb: the states found for this table, and the remedy where there are none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.sources.folder import Tables
from puzzlebase.tools.hardest.answer import hardest
from puzzlebase.tools.hardest.file import HARDEST_FILES, hardest_path
from tests.commands import command
from tests.conftest import build_table


def test_the_verb_finds_keeps_and_shows(tmp_path: Path) -> None:
    build_table(tmp_path, "panguru-4")
    tables = Tables(tmp_path)
    with pytest.raises(MissingTable) as caught:
        hardest(tables.get("panguru-4"))
    assert caught.value.hint == "puzzlebase hardest panguru-4"
    done = command(tmp_path, "hardest", "panguru-4", "--limit", "2")
    assert done.status == 0, done.stderr
    assert "43 in all; 43 at distance 11" in done.stdout
    found = json.loads(command(tmp_path, "hardest", "panguru-4", "--json").stdout)
    assert found == hardest(tables.get("panguru-4"))
    assert [kind["count"] for kind in found["kinds"]] == [43, 12, 64, 15]
    assert all(sum(kind["by_distance"]) == kind["states"] for kind in found["kinds"])


def test_what_another_table_has_is_not_shown(tmp_path: Path) -> None:
    build_table(tmp_path, "panguru-4")
    command(tmp_path, "hardest", "panguru-4")
    path = hardest_path(tmp_path, "panguru-4")
    sound = HARDEST_FILES.read(path)
    HARDEST_FILES.write(path, replace(sound, digest="0" * 64))
    with pytest.raises(MissingTable, match="was computed from another table"):
        hardest(Tables(tmp_path).get("panguru-4"))
    path.write_bytes(b"damaged")
    assert command(tmp_path, "hardest", "panguru-4").status == 0
    assert HARDEST_FILES.read(path) == sound

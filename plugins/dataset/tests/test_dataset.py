"""Datasets: the rows are those of the rules, symmetric states lie together, no half one stands."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from puzzlebase.plugins.dataset.rows import SPLITS
from tests import naive
from tests.commands import command, ran
from tests.size import ROOT
from tests.waiting import PATIENCE


def columns(folder: Path, what: str) -> dict[str, Any]:
    """Columns of all parts, with the name of the part."""
    files = str(folder / "data" / "*.parquet")
    query = f"SELECT {what}, parse_filename(filename) AS part FROM read_parquet('{files}')"
    relation = duckdb.sql(query)
    assert relation
    rows: dict[str, Any] = relation.to_arrow_table().to_pydict()
    return rows


def test_the_rows_are_those_of_the_rules(data: Path, tmp_path: Path, known: dict[str, int]) -> None:
    """The distances of all states, and the moves of some, are those of the reference;
    a state and its mirror image lie in one split.
    """
    folder = tmp_path / "novice"
    ran(data, "dataset", "novice", str(folder), "--texts")
    rows = columns(folder, "*")
    assert dict(zip(rows["state"], rows["distance"], strict=True)) == known
    assert len(rows["state"]) == len(known)
    texts = [bytes(board).decode() for board in rows["board"]]
    assert texts == rows["state"]
    for text, optimal in [*zip(texts, rows["optimal"], strict=True)][::50]:
        after = [known[naive.turn(text, move)] for move in naive.FULL_TURNS]
        assert optimal == [distance < known[text] for distance in after]
    parts = dict(zip(texts, rows["part"], strict=True))
    assert all(
        parts[text[8::-1] + text[11:8:-1] + text[:11:-1]] == part for text, part in parts.items()
    )
    card = (folder / "README.md").read_text("utf-8")
    front = yaml.safe_load(card.split("---\n")[1])
    (config,) = front["configs"]
    described = {each["split"]: [*folder.glob(each["path"])] for each in config["data_files"]}
    assert sorted(described) == sorted(SPLITS)
    for split, (path,) in described.items():
        file = pq.read_metadata(path)
        states = file.num_rows
        assert abs(states / len(known) - (0.8 if split == "train" else 0.1)) < 0.01
        assert f" {states:,} |" in card.partition("| all |")[2]
        assert file.metadata[b"digest"].decode() in card


def test_states_are_drawn_and_split_by_a_seed(data: Path, tmp_path: Path) -> None:
    def drawn(*words: str) -> dict[str, Any]:
        folder = tmp_path / "-".join(words)
        ran(data, "dataset", "challenger", str(folder), *words)
        return columns(folder, "index, distance")

    balanced = drawn("--per-distance", "9", "--seed", "1")
    assert np.bincount(balanced["distance"]).tolist() == [1, *[9] * 13]
    some = [drawn("--states", "500", "--seed", seed) for seed in ("1", "2")]
    assert all(len({*each["index"]}) == 500 for each in some)
    assert some[0]["index"] != some[1]["index"]
    again = drawn("--seed", "1", "--states", "500")
    assert again == some[0]


@pytest.mark.needs("levels")
@pytest.mark.needs("levels")
def test_lost_states_are_left_out(tmp_path: Path) -> None:
    rules = ("--rules", str(ROOT / "examples" / "frogs.py"))
    ran(tmp_path, *rules, "build", "frogs")
    folder = tmp_path / "frogs"
    ran(tmp_path, *rules, "dataset", "frogs", str(folder))
    assert max(columns(folder, "distance")["distance"]) == 15
    assert "42 indices are left out" in (folder / "README.md").read_text("utf-8")


def test_what_cannot_be_written_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    full = command(data, "dataset", "novice", str(tmp_path / "full"))
    assert "is not empty" in full.stderr
    assert "name another one" in full.stderr
    missing = command(data, "dataset", "sliding-2x3", str(tmp_path / "new"))
    assert "puzzlebase build sliding-2x3" in missing.stderr
    both = command(
        data, "dataset", "novice", str(tmp_path / "new"), "--states", "1", "--per-distance", "1"
    )
    assert [full.status, missing.status, both.status] == [2, 2, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


@pytest.mark.slow
def test_a_killed_process_leaves_no_dataset(data: Path, tmp_path: Path) -> None:
    """It ends before the card is written."""
    words = ["puzzlebase", "--data", str(data), "dataset", "novice", str(tmp_path / "novice")]
    program = f"""
import os, sys
from puzzlebase.command_line.main import main
from puzzlebase.plugins.dataset import publishing
publishing._card = lambda *_: os.kill(os.getpid(), {int(signal.SIGKILL)})
sys.argv = {words!r}
main()
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".writing")
    assert [path.name for path in left.iterdir()] == ["data"]
    ran(data, "dataset", "novice", str(tmp_path / "novice"))

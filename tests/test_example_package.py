"""The package in examples/: installed from a copy, its game is built and played; its numbers are the published ones."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from puzzlebase.puzzles import find
from tests.commands import command
from tests.puzzles.test_rules import rules_from
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "examples" / "klotski-package"
GAME = PACKAGE / "klotski.py"
START = "ABBC/ABBC/DEEF/DGHF/I..J"
MOVES, CELLS, STATES = 81, 116, 25_955
"""Of the literature since M. Gardner, 1964: the moves of a piece along any path, or of a cell each; and all states."""


def walked(moves: Callable[[Any], Iterable[tuple[str, Any]]], start: Hashable) -> dict[Any, int]:
    """The states that moves lead to, with the fewest moves to each."""
    depths = {start: 0}
    for state in (states := [start]):
        for _, after in moves(state):
            if after not in depths:
                depths[after] = depths[state] + 1
                states.append(after)
    return depths


def test_the_game_needs_public_names_alone() -> None:
    source = GAME.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module != "puzzlebase.puzzles":
            assert node.module == "collections.abc"
        assert not isinstance(node, ast.Import)
    assert f"```python\n{source}```\n" in (ROOT / "docs" / "your-own-puzzle.md").read_text("utf-8")


@pytest.mark.slow
def test_its_numbers_are_published() -> None:
    game = run_path(str(GAME))
    by_pieces = walked(game["moves"], game["read"](START))
    by_cells = walked(
        lambda state: (each for each in game["moves"](state) if each[0].count("-") == 1), game["read"](START)
    )
    for depths, distance in ((by_pieces, MOVES), (by_cells, CELLS)):
        assert len(depths) == STATES
        assert min(depth for state, depth in depths.items() if game["solved"](state)) == distance
    assert all(game["read"](game["write"](state)) == state for state in by_pieces)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where pip has installed the package, from a copy: a build leaves nothing in the tree."""
    copy, target = shutil.copytree(PACKAGE, tmp_path_factory.mktemp("copy") / "klotski"), tmp_path_factory.mktemp("lib")
    uv = Path(sys.executable).with_name("uv")
    offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--python", sys.executable]
    done = subprocess.run(
        [uv, "pip", "install", *offline, "--target", target, copy],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.slow
@pytest.mark.matrix
def test_an_installed_game_is_built_and_played(installed: Path, tmp_path: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "puzzlebase", "--data", tmp_path / "tables", *words],
            env={**os.environ, "PYTHONPATH": str(installed)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "is executed" not in done.stderr
        return done.stdout

    assert f"{STATES:,} states" in run("build", "klotski")
    assert f"{START}  distance {MOVES} (table)" in run("lookup", "klotski", START)
    assert "klotski " in run("list")


@pytest.mark.slow
def test_the_same_file_serves_as_rules(tmp_path: Path) -> None:
    before = command(tmp_path, "--rules", str(GAME), "lookup", "klotski", START)
    assert f"{START}  distance {MOVES} (search)" in before.stdout
    assert f"there is no table of klotski yet in {tmp_path}, so this is a search" in before.stderr
    built = command(tmp_path, "--rules", str(GAME), "build", "klotski")
    assert built.status == 0
    assert f"{STATES:,} states" in built.stdout
    assert command(tmp_path, "--rules", str(GAME), "verify", "klotski").status == 0
    outside = command(tmp_path, "--rules", str(GAME), "lookup", "klotski", ".ABC/DDBC/EFG./HIIJ/HIIJ")
    assert "distance 0 (search)" in outside.stdout
    assert f"it is not in {tmp_path}/klotski.duckdb, and this is a search" in outside.stderr
    with rules_from(GAME):
        published = find("klotski").goal().published
        assert published
        assert (published.states, published.start_distance) == (STATES, MOVES)

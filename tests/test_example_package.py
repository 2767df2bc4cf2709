"""The package in examples/: installed from a copy,
its game is built and played; its numbers are the published ones.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "examples" / "klotski-package"
GAME = PACKAGE / "klotski.py"
START = "ABBC/ABBC/DEEF/DGHF/I..J"
MOVES, STATES = 81, 25_955
"""Of the literature since M. Gardner, 1964: the moves of a piece along any path; and all states."""


@pytest.mark.needs("definitions")
def test_the_game_needs_public_names_alone() -> None:
    source = GAME.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module != "puzzlebase.puzzles":
            assert node.module == "collections.abc"
        assert not isinstance(node, ast.Import)
    assert f"```python\n{source}```\n" in (
        ROOT / "plugins" / "definitions" / "README.md"
    ).read_text("utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where pip has installed the package,
    from a copy: a build leaves nothing in the tree.
    """
    copy, target = (
        shutil.copytree(PACKAGE, tmp_path_factory.mktemp("copy") / "klotski"),
        tmp_path_factory.mktemp("lib"),
    )
    uv = Path(sys.executable).with_name("uv")
    offline = [
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--python",
        sys.executable,
    ]
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
@pytest.mark.matrix
def test_the_game_obeys_the_laws(tmp_path: Path) -> None:
    """As its author runs them."""
    copy = shutil.copytree(PACKAGE, tmp_path / "klotski")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout

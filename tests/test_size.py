"""`make size` counts the files that git holds, and knows which are plugins'."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.size import ALL_LINES, CORE_LINES, ROOT, counted, families, is_plugin, report, tools


def write(root: Path, name: str, text: str) -> None:
    """A file in a repository, and the folders above it."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, "utf-8")


def git(root: Path, *words: str) -> None:
    """A command of git."""
    subprocess.run(["git", *words], cwd=root, capture_output=True, timeout=60, check=True)


def test_it_counts_what_git_holds(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(tmp_path, "db/table.py", '"""A docstring\n\nof three lines."""\n\n# a comment\nX = 1\n')
    write(tmp_path, "db/sql/scan.py", "X = 1")
    write(tmp_path, "db/schema.sql", "SELECT 1;\n")
    write(tmp_path, "puzzles/families/wheels/index.py", "X = 1\nY = 2\n")
    write(tmp_path, "puzzles/families/panex/deep/index.py", "X = 1\nY = 2\nZ = 3\n")
    write(tmp_path, "puzzles/families/oriented.py", "X = 1\n")
    write(tmp_path, "tools/mixing/walk.py", "X = 1\n" * 7)
    write(tmp_path, "tests/test_x.py", "X = 1\n")
    (tmp_path / "puzzlebase").mkdir()
    (tmp_path / "puzzlebase" / "db").symlink_to("../db")
    git(tmp_path, "add", ".")
    write(tmp_path, "db/scratch.py", "X = 1\n" * 100)
    core, plugins = counted(tmp_path)
    assert core == {"db": 6, "db/sql": 1, "puzzles/families": 2}
    assert plugins == {"puzzles/families/panex": 3, "puzzles/families": 1, "tools/mixing": 7}
    assert report(core, plugins).endswith("core 9 of 24,000\neverything 20 of 49,800")


def test_plugins_are_those_of_the_tree() -> None:
    assert {"panex", "hanoi", "classical", "quantum", "panguru", "oriented", "tiles"} == families()
    tools_of_ours = (
        "charts check cluster cubing experiments formulas hardest methods mixing page parquet parts patterns play"
    )
    assert {*tools_of_ours.split(), "levels", "proxies", "publish", "release", "sql", "stickers"} == tools()
    for name, expected in {
        "puzzles/families/panex/index.py": True,
        "puzzles/families/tiles/__init__.py": True,
        "puzzles/families/sliding/__init__.py": False,
        "db/table.py": False,
        "tools/charts/chart.py": True,
    }.items():
        assert is_plugin(Path(name)) == expected


def test_the_core_and_everything_are_within_the_budget() -> None:
    core, plugins = (lines.total() for lines in counted())
    assert core <= CORE_LINES
    assert core + plugins <= ALL_LINES


def test_the_target_prints_it_and_the_guide_has_the_budget() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.size"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert printed.stdout == report(*counted()) + "\n"
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert f"{CORE_LINES:,}" in guide
    assert f"{ALL_LINES:,}" in guide

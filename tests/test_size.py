"""`make size` counts the tokens of the files that git holds, and knows what is core, plugin and test."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.size import LIMITS, ROOT, counted, families, part, report, tokens, tools


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x = 1", 3),
        ("x = 1  # a comment\n\n\n# and one more\n", 3),
        ("if x:\n    y(1)\n", 7),
        ("if x: y(1)", 7),
        ('def f():\n    """A docstring\n\n    of three lines."""\n    return (\n        1\n    )\n', 9),
        ('x = "a text"', 3),
        (f"x = '{'a' * 78}'", 3),
        (f"x = '{'a' * 94}'", 2 + 12),
        (f"x = f'{'a' * 93}'", 2 + 12),
        ("x = f'{a} and {b.c[0]:>{d}}'", 3 + 1 + 4 + 1),
        ("x = f'''{a}\nand {b}'''; y", 3 + 1 + 1 + 2),
        ("x = 'one' f'{two}' 'three'", 2 + 3 + 1),
    ],
)
def test_tokens_of_a_file(source: str, count: int) -> None:
    assert tokens(source) == count


@pytest.mark.parametrize(
    ("kind", "files"),
    {
        "core": "db/table.py db/sql/scan.py puzzles/families/wheels/index.py puzzlebase/plugins.py service/x/y.py",
        "plugins": "tools/mixing/walk.py puzzles/families/panex/deep/index.py puzzles/families/oriented.py "
        "puzzles/definitions/read.py plugins/levels/par.py",
        "kit": "puzzlebase/testing.py puzzlebase/testing/laws.py",
        "tests": "tests/x.py tests/db/test_x.py plugins/levels/tests/games.py research/panex/test_x.py",
        "other": "benchmarks/lookup.py docs/x.py research/panex/x.py examples/leaping.py setup.py",
    }.items(),
)
def test_parts_of_the_tree(kind: str, files: str) -> None:
    assert {name: part(Path(name)) for name in files.split()} == dict.fromkeys(files.split(), kind)


def test_it_counts_what_git_holds(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, timeout=60, check=True)

    for name in ("builder", "db", "puzzlebase", "tests", "tools", "docs"):
        (tmp_path / name).mkdir()
    (tmp_path / "puzzlebase" / "db").symlink_to("../db")
    (tmp_path / "db" / "table.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "db" / "schema.sql").write_text("SELECT 1;\n", "utf-8")
    (tmp_path / "tools" / "tool.py").write_text("x = 1\nreturn x\n", "utf-8")
    (tmp_path / "docs" / "fields.py").write_text("x\n", "utf-8")
    (tmp_path / "tests" / "test_x.py").write_text("x = 'é'\n" * 4, "utf-8")
    git("init")
    git("add", ".")
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "-mx")
    (tmp_path / "db" / "scratch.py").write_text("x = 1\n", "utf-8")
    sizes = counted(tmp_path)
    parts = {"core": 3, "plugins": 5, "kit": 0, "other": 1, "tests": 12}
    assert sizes == parts | {"package": 8, "all but tests": 9}
    git("rm", "-f", "tools/tool.py")
    assert counted(tmp_path)["package"] == 3
    assert counted(tmp_path, "HEAD") == sizes


def test_plugins_are_those_of_the_tree() -> None:
    assert {"panex", "hanoi", "classical", "quantum", "panguru", "oriented", "tiles"} == families()
    tools_of_ours = (
        "charts check cluster cubing experiments formulas hardest methods mixing page parquet parts patterns play"
    )
    assert {*tools_of_ours.split(), "levels", "proxies", "publish", "release", "sql", "stickers"} == tools()


@pytest.mark.slow(4)
def test_the_target_prints_sizes_within_the_limits_and_the_guide_has_these() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.size"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    ).stdout
    lines = re.findall(r"^(\w+(?: \w+)*) +([\d,]+) tokens", printed, re.MULTILINE)
    sizes = {name: int(size.replace(",", "")) for name, size in lines}
    assert printed == report(sizes) + "\n"
    assert not {name: sizes[name] for name, limit in LIMITS.items() if sizes[name] > limit}, "take something away"
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert not {name: limit for name, limit in LIMITS.items() if f"{limit:,}" not in guide}

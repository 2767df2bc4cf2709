"""`make size` counts the tokens of the files that git holds, and knows what is core, plugin and test."""

from __future__ import annotations

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
        (f"x = '{'a' * 94}'", 14),
        (f"x = f'{'a' * 93}'", 14),
        ("x = f'{a} and {b.c[0]:>{d}}'", 9),
        ("x = f'''{a}\nand {b}'''; y", 7),
        ("x = 'one' f'{two}' 'three'", 6),
    ],
)
def test_tokens_of_a_file(source: str, count: int) -> None:
    assert tokens(source) == count


@pytest.mark.parametrize(
    ("kind", "files"),
    {
        "core": "db/table.py db/sql/scan.py puzzles/families/wheels/index.py puzzlebase/plugins.py",
        "plugins": "tools/mixing/walk.py puzzles/families/panex/deep/index.py puzzles/families/oriented.py "
        "puzzles/definitions/read.py plugins/levels/par.py",
        "kit": "puzzlebase/testing.py puzzlebase/testing/laws.py",
        "tests": "tests/x.py tests/db/test_x.py plugins/levels/tests/games.py research/panex/test_x.py",
        "other": "benchmarks/lookup.py research/panex/x.py setup.py",
    }.items(),
)
def test_parts_of_the_tree(kind: str, files: str) -> None:
    assert {part(Path(name)) for name in files.split()} == {kind}


def test_it_counts_what_git_holds(tmp_path: Path) -> None:
    def git(words: str) -> None:
        subprocess.run(["git", *words.split()], cwd=tmp_path, capture_output=True, timeout=60, check=True)

    for name, text in {"db/table": "x = 1\n", "tools/tool": "x = 1\nx()", "docs/x": "x", "tests/x": "x = 'é'"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "db" / "schema.sql").write_text("SELECT 1;\n", "utf-8")
    (tmp_path / "linked").symlink_to("db")
    (tmp_path / "link.py").symlink_to("db/table.py")
    git("init")
    git("add .")
    git("-c user.name=x -c user.email=x commit -mx")
    sizes = {"core": 3, "plugins": 6, "package": 9, "other": 1, "all but tests": 10, "tests": 3}
    (tmp_path / "db" / "scratch.py").write_text("x = 1\n", "utf-8")
    assert counted(tmp_path) == sizes
    git("rm -f tools/tool.py")
    assert counted(tmp_path)["package"] == 3
    assert counted(tmp_path, "HEAD") == sizes


@pytest.mark.slow(4)
def test_the_target_prints_sizes_within_the_limits() -> None:
    assert {"panex", "oriented"} < families()
    assert "wheels" not in families()
    assert {"levels", "sql"} < tools()
    printed = subprocess.run(
        [sys.executable, "-m", "tests.size"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    ).stdout
    sizes = {line[:13].strip(): int(line[13:].split()[0].replace(",", "")) for line in printed.splitlines()}
    assert printed == report(sizes) + "\n"
    assert not {name: sizes[name] for name, limit in LIMITS.items() if sizes[name] > limit}, "take something away"

"""Kernels: each uses its own file alone, and machine code of another source is never run."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kernels

ROOT = Path(__file__).parent.parent
OURS = {*kernels.FOLDERS, "kernels"}


def files_with_kernels() -> list[Path]:
    found = [path for folder in kernels.FOLDERS for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "@kernel" in path.read_text("utf-8"))


def is_kernel(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == "kernel" for decorator in node.decorator_list
    )


def test_no_kernel_uses_what_another_file_defines() -> None:
    """Else numba would go on running what was compiled before the other file was changed."""
    found = 0
    for path in files_with_kernels():
        tree = ast.parse(path.read_text("utf-8"))
        imported = {
            alias.asname or alias.name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0] in OURS  # type: ignore[union-attr]
        }
        for node in filter(is_kernel, ast.walk(tree)):
            found += 1
            assert isinstance(node, ast.FunctionDef)
            names = {part.id for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Name)}
            assert not names & imported, f"{path.name}: {node.name} uses {names & imported}"
    assert found > 100


def test_every_function_that_numba_compiles_is_a_kernel() -> None:
    for path in (path for folder in kernels.FOLDERS for path in (ROOT / folder).rglob("*.py")):
        assert "njit" not in path.read_text("utf-8"), path
        assert "numba.jit" not in path.read_text("utf-8"), path


def test_the_hash_covers_every_kernel(tmp_path: Path) -> None:
    """It changes with any of them: with each one's last line, and with the name of its file."""
    for folder in kernels.FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    hashes = {kernels.source_hash(tmp_path)}
    assert hashes == {kernels.source_hash()}
    wanted = 1
    for path in files_with_kernels():
        copy = tmp_path / path.relative_to(ROOT)
        lines = copy.read_text("utf-8").splitlines(keepends=True)
        for node in filter(is_kernel, ast.walk(ast.parse("".join(lines)))):
            assert isinstance(node, ast.FunctionDef)
            assert node.end_lineno
            changed = [*lines]
            changed[node.end_lineno - 1] = changed[node.end_lineno - 1].rstrip() + "  # changed\n"
            copy.write_text("".join(changed), "utf-8")
            kernels.source_hash.cache_clear()
            hashes.add(kernels.source_hash(tmp_path))
            wanted += 1
        copy.write_text("".join(lines), "utf-8")
    assert len(hashes) == wanted


UNPACK = """
import numpy as np
from db.blocks import BLOCK_SIZE, decode, encode, unpack_rows
block = encode(0, np.arange(8, dtype=np.int32) % 5)
distances = np.empty((1, 8), np.int16)
start, base, width = np.zeros(1, np.int64), np.array([block.base], np.int32), np.array([block.width], np.uint8)
unpack_rows(np.zeros(1, np.int64), BLOCK_SIZE, decode(block), start, base, width, distances)
print(distances[0].tolist())
"""


@pytest.mark.slow
def test_a_kernel_that_was_changed_is_compiled_anew(tmp_path: Path) -> None:
    """With a warm cache, from a copy of the sources, in which the kernel that another one calls is changed."""
    root, cache = tmp_path / "root", tmp_path / "cache"
    for folder in ("db", "puzzles"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "kernels.py", root)

    def run() -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", UNPACK], cwd=root, env=environment, check=True, capture_output=True
        )
        return done.stdout.decode().strip()

    assert run() == "[0, 1, 2, 3, 4, 0, 1, 2]"
    assert run() == "[0, 1, 2, 3, 4, 0, 1, 2]"
    (first,) = cache.iterdir()
    blocks = root / "db" / "blocks.py"
    text = blocks.read_text("utf-8")
    assert text.count("-1 if code == 15 else base + code") == 1
    blocks.write_text(
        text.replace("-1 if code == 15 else base + code", "-1 if code == 15 else base + code + 1"), "utf-8"
    )
    assert run() == "[1, 2, 3, 4, 5, 1, 2, 3]"
    assert len([*cache.iterdir()]) == 2
    blocks.write_text(text, "utf-8")
    assert run() == "[0, 1, 2, 3, 4, 0, 1, 2]"
    assert first in [*cache.iterdir()]
    assert len([*cache.iterdir()]) == 2

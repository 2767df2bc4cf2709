"""Kernels: each uses its own file alone, and machine code of another source is never run."""

from __future__ import annotations

import ast
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from itertools import cycle
from pathlib import Path
from subprocess import PIPE
from threading import Barrier
from typing import Any

import pytest

from puzzlebase import kernels
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent


def files_with_kernels() -> list[Path]:
    return [path for path in kernels.sources() if "@kernel" in path.read_text("utf-8")]


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
            if (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0] == "puzzlebase"  # type: ignore[union-attr]
        }
        for node in filter(is_kernel, ast.walk(tree)):
            found += 1
            assert isinstance(node, ast.FunctionDef)
            names = {part.id for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Name)}
            assert not names & imported, f"{path.name}: {node.name} uses {names & imported}"
    assert found > 100


def test_every_function_that_numba_compiles_is_a_kernel() -> None:
    for path in kernels.sources():
        assert "njit" not in path.read_text("utf-8"), path
        assert "numba.jit" not in path.read_text("utf-8"), path


@pytest.mark.slow
def test_the_hash_covers_every_kernel(tmp_path: Path) -> None:
    """It changes with any of them: with each one's last line, and with the name of its file."""
    root = tmp_path / "puzzlebase"
    shutil.copytree(ROOT / "puzzlebase", root, ignore=shutil.ignore_patterns("__pycache__"))
    hashes = {kernels.source_hash(root)}
    assert hashes == {kernels.source_hash()}
    wanted = 1
    for path in files_with_kernels():
        copy = root / path.relative_to(ROOT / "puzzlebase")
        lines = copy.read_text("utf-8").splitlines(keepends=True)
        for node in filter(is_kernel, ast.walk(ast.parse("".join(lines)))):
            assert isinstance(node, ast.FunctionDef)
            assert node.end_lineno
            changed = [*lines]
            changed[node.end_lineno - 1] = changed[node.end_lineno - 1].rstrip() + "  # changed\n"
            copy.write_text("".join(changed), "utf-8")
            kernels.source_hash.cache_clear()
            hashes.add(kernels.source_hash(root))
            wanted += 1
        copy.write_text("".join(lines), "utf-8")
    assert len(hashes) == wanted


UNPACK = """
import numpy as np
from puzzlebase.db.blocks import BLOCK_SIZE, decode, encode, unpack_rows
block = encode(0, np.arange(8, dtype=np.int32) % 5)
distances = np.empty((1, 8), np.int16)
start, base, width = np.zeros(1, np.int64), np.array([block.base], np.int32), np.array([block.width], np.uint8)
unpack_rows(np.zeros(1, np.int64), BLOCK_SIZE, decode(block), start, base, width, distances)
print(distances[0].tolist())
"""


def unpacked(cache: Path, root: Path = ROOT, **popen: Any) -> tuple[str, str]:
    """What UNPACK prints in a process of its own, and what it says on standard error."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(root)}
    words = [sys.executable, "-c", UNPACK]
    done = subprocess.run(
        words, cwd=root, env=environment, check=True, capture_output=True, text=True, timeout=PATIENCE, **popen
    )
    return done.stdout.strip(), done.stderr


def test_threads_that_call_a_kernel_first_at_once_have_it_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "called_at_once.py").write_text(
        """
from time import sleep

from puzzlebase.kernels import kernel

told = []


def before_compiling():
    told.append(1)
    sleep(0.1)


@kernel
def doubled(number):
    return 2 * number
""",
        "utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    module = import_module("called_at_once")
    doubled, together = module.doubled, Barrier(4)

    def call(number: int) -> int:
        together.wait(PATIENCE)
        return int(doubled(number))

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(call, range(4))] == [0, 2, 4, 6]
    assert module.told == [1]


def files_in(cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_kernel_that_was_changed_is_compiled_anew(tmp_path: Path) -> None:
    """With a warm cache, from a copy of the sources, in which the kernel that another one calls is changed."""
    root, cache = tmp_path / "root", tmp_path / "cache"
    shutil.copytree(ROOT / "puzzlebase", root / "puzzlebase", ignore=shutil.ignore_patterns("__pycache__"))
    right, wrong = ("[0, 1, 2, 3, 4, 0, 1, 2]", ""), ("[1, 2, 3, 4, 5, 1, 2, 3]", "")
    assert unpacked(cache, root) == right
    assert unpacked(cache, root) == right
    (first,) = cache.iterdir()
    blocks = root / "puzzlebase" / "db" / "blocks.py"
    text = blocks.read_text("utf-8")
    assert text.count("== 15 else base + ") == 4
    blocks.write_text(text.replace("== 15 else base + ", "== 15 else 1 + base + "), "utf-8")
    assert unpacked(cache, root) == wrong
    assert len([*cache.iterdir()]) == 2
    blocks.write_text(text, "utf-8")
    assert unpacked(cache, root) == right
    assert first in [*cache.iterdir()]
    assert len([*cache.iterdir()]) == 2


@pytest.mark.slow
def test_machine_code_is_kept_and_compiled_anew_where_it_is_damaged(tmp_path: Path) -> None:
    """Machine code does not depend on where the sources lie. Files are damaged as a power failure may leave them."""
    cache, copy = tmp_path / "cache", tmp_path / "copy"
    right = "[0, 1, 2, 3, 4, 0, 1, 2]", ""
    assert unpacked(cache) == right
    kept = files_in(cache)
    assert kept
    shutil.copytree(ROOT / "puzzlebase", copy / "puzzlebase", ignore=shutil.ignore_patterns("__pycache__"))
    for path in kept:
        os.utime(path, (0, 0))
    assert unpacked(cache, copy) == right
    assert {path.stat().st_mtime for path in kept} == {0}  # nothing was compiled
    damages: tuple[Callable[[bytes], bytes], ...] = (
        lambda _content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: bytes(len(content)),
    )
    assert len(kept) >= len(damages)
    for (path, content), damaged in zip(kept.items(), cycle(damages), strict=False):
        path.write_bytes(damaged(content))
    assert unpacked(cache) == right
    assert files_in(cache).keys() == kept.keys()
    assert all(len(content) > 1000 and content.strip(b"\0") for content in files_in(cache).values())


DAY = 24 * 3600.0


def folder_unused_for(days: float, path: Path) -> Path:
    path.mkdir()
    (path / "code").write_bytes(b"x")
    then = time.time() - days * DAY
    os.utime(path, (then, then))
    return path


@pytest.mark.slow
def test_a_new_folder_of_machine_code_replaces_those_unused_for_a_month(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    unused, lately = (folder_unused_for(days, cache / f"kernels-{days:016x}") for days in (31, 29))
    others = folder_unused_for(400, cache / "kernels-of-mine"), folder_unused_for(400, tmp_path / "elsewhere")
    (cache / f"kernels-{'1' * 16}").symlink_to(others[1])
    held = cache / f"kernels-{'2' * 16}"
    with subprocess.Popen([sys.executable, "-c", HOLD, held], stdin=PIPE, stdout=PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        os.utime(held, (0, 0))
        assert unpacked(cache)[1] == ""
        assert (unused.exists(), lately.exists(), held.exists()) == (False, True, True)
        assert all((other / "code").exists() for other in others)
    (made,) = set(cache.iterdir()) - {lately, held, others[0], cache / f"kernels-{'1' * 16}"}
    os.utime(made, (0, 0))
    assert unpacked(cache)[1] == ""  # it was used, and no folder was made
    assert made.stat().st_mtime > time.time() - DAY
    assert held.exists()
    shutil.rmtree(made)
    unpacked(cache)
    assert not held.exists(), "the process that used it has ended"


HOLD = """
import sys
from pathlib import Path
from puzzlebase.machine_code import _use
_use(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", ["no folder", "full"])
def test_kernels_are_compiled_where_machine_code_cannot_be_kept(tmp_path: Path, place: str) -> None:
    """And it is said once, with the remedy."""
    cache = tmp_path / "cache"
    if place == "no folder":
        cache.write_text("a file")
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100)) if place == "full" else None
    printed, said = unpacked(cache, preexec_fn=full)
    assert printed == "[0, 1, 2, 3, 4, 0, 1, 2]"
    (line,) = said.splitlines()
    assert line.endswith("set NUMBA_CACHE_DIR to a folder that can be written")
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path != cache]

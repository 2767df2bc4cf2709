"""Kernels: machine code of another source is never run, and unchanged code is not compiled anew."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from inspect import unwrap
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from puzzlebase import machine_code
from tests.kernel_process import KernelProcess
from tests.test_imports import OURS, files

ROOT = Path(__file__).parent.parent


def test_every_function_that_numba_compiles_is_a_kernel() -> None:
    for path in files():
        if path.name not in ("kernels.py", "machine_code.py"):
            assert "njit" not in path.read_text("utf-8"), path
            assert "numba.jit" not in path.read_text("utf-8"), path


KERNEL = """
from math import pi
import numpy as np
from puzzlebase.kernels import kernel

STEP = (2, (3, np.uint8(4)))
WORD = np.uint64

def before_compiling(): return _BITS
def _ones(word): return word
_BITS = 8

@kernel
def _inner(x): return x + STEP[0]

@kernel
def outer(x, y=1):
    return sum([_inner(x) for _ in range(3)]) + WORD(y) + x.size + _ones(y) + np.int64(pi)
"""

CHANGES = (
    ("x + STEP", "x - STEP"),
    ("STEP = (2", "STEP = (5"),
    ("np.uint8(4)", "np.uint8(5)"),
    ("np.uint8(4)", "np.int8(4)"),
    ("np.uint8(4)", "4"),
    ("(3, np", "(3., np"),
    ("(3, np", "(-3, np"),
    ("STEP[0]", "STEP[1]"),
    ("STEP[0]", "STEP[False]"),
    ("range(3)", "range(4)"),
    ("_inner(x)", "_ones(x)"),
    ("y=1", "y=2"),
    ("y=1", "z=1, y=1"),
    ("x.size", "x.ndim"),
    ("WORD = np.uint64", "WORD = np.uint32"),
    ("_BITS = 8", "_BITS = 9"),
    ("return word", "return 2 * word"),
    ("import pi", "import tau as pi"),
    ("@kernel\ndef _inner", "def _inner"),
)


def key_of(text: str) -> object:
    names: dict[str, Any] = {"__name__": "kernel_of_a_test"}
    exec(text, names)
    return machine_code._source(unwrap(names["outer"]))


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_key_changes_with_all_that_is_compiled(before: str, after: str) -> None:
    assert before in KERNEL
    assert key_of(KERNEL) != key_of(KERNEL.replace(before, after))


def test_a_key_does_not_depend_on_where_the_source_lies() -> None:
    other = (
        "OTHER = 3\n"
        + KERNEL.replace("\n@kernel", "\n\n# another line\n@kernel")
        + "\n\n@kernel\ndef new(x): return x"
    )
    assert key_of(KERNEL) == key_of(other)


def test_a_kernel_that_names_what_has_no_key_is_refused() -> None:
    """A list may be changed in its place, and numba would not see it."""
    with pytest.raises(
        TypeError, match="kernel 'outer' names 'STEP', <class 'list'>: a kernel may name kernels, "
    ):
        key_of(
            "from puzzlebase.kernels import kernel\nSTEP = [1]\n@kernel\ndef "
            "outer(x): return STEP[0]"
        )


UNPACK = """
import numpy as np
from puzzlebase.db.blocks import BLOCK_SIZE, decode, encode, unpack_block_rows
block = encode(0, np.arange(8, dtype=np.int32) % 5)
distances = np.empty((1, 8), np.int16)
start, base = np.zeros(1, np.int64), np.array([block.base], np.int32)
width = np.array([block.width], np.uint8)
unpack_block_rows(np.zeros(1, np.int64), BLOCK_SIZE, decode(block), start, base, width, distances)
print(distances[0].tolist())
"""


def unpacked(
    cache: Path, root: Path = ROOT, script: str = UNPACK, most_bytes: int | None = None
) -> tuple[str, str]:
    """The output of a script in a process of its own, and its standard error."""
    with KernelProcess(root, cache, script, most_bytes=most_bytes) as process:
        return process.go_on()


def copied(root: Path) -> Path:
    """A copy of the sources."""
    shutil.copytree(OURS, root / "puzzlebase", ignore=shutil.ignore_patterns("__pycache__"))
    return root


def files_in(cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}


def written(cache: Path) -> set[tuple[str, int]]:
    """The files there. One that is written again is another file."""
    return {(path.name, path.stat().st_ino) for path in cache.rglob("*") if path.is_file()}


STEPS = """
STEP = 1
"""

CALLED = """
from puzzlebase.kernels import kernel
from steps import STEP

@kernel
def stepped(number):
    return number + STEP
"""

CALLER = """
from puzzlebase.kernels import kernel
from called import stepped

@kernel
def twice(number):
    return stepped(stepped(number))
"""

CALL = "from caller import twice; print(twice(10))"


def plugin(folder: Path) -> Path:
    """A folder with a kernel that calls another file's kernel,
    which uses a third file's constant.
    """
    folder.mkdir()
    for name, text in {"steps": STEPS, "called": CALLED, "caller": CALLER}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


@pytest.mark.slow
def test_a_kernel_is_compiled_anew_when_a_constant_or_a_kernel_of_another_file_changes(
    tmp_path: Path,
) -> None:
    folder, cache = plugin(tmp_path / "plugin"), tmp_path / "cache"
    assert unpacked(cache, folder, CALL) == ("12", "")
    edit(folder / "steps.py", "1", "5")
    assert unpacked(cache, folder, CALL) == ("20", "")
    edit(folder / "called.py", "number + STEP", "number - STEP")
    assert unpacked(cache, folder, CALL) == ("0", "")
    before = written(cache)
    assert len(before) == 6
    edit(folder / "called.py", "number - STEP", "number + STEP")
    assert unpacked(cache, folder, CALL) == ("20", "")
    assert written(cache) == before


def waiting_for(folder: Path, cache: Path, script: str) -> KernelProcess:
    """A process that has imported all, and goes on with a script when it is told so."""
    return KernelProcess(folder, cache, script, first="import steps, called, caller")


@pytest.mark.slow
def test_an_edit_while_a_process_runs_stores_no_wrong_code(tmp_path: Path) -> None:
    folder, cache = plugin(tmp_path / "plugin"), tmp_path / "cache"
    with waiting_for(folder, cache, "print(caller.twice(10))") as former:
        edit(folder / "steps.py", "1", "5")
        edit(folder / "called.py", "number +", "3 * number +")
        assert former.go_on() == ("12", "")
    assert unpacked(cache, folder, CALL) == ("110", "")


COUNTED = """
from numba.core import compiler
anew, count = compiler.compile_extra, 0
def compile_extra(*given, **more):
    global count
    count += 1
    return anew(*given, **more)
compiler.compile_extra = compile_extra
print(caller.twice(10), count)
"""


@pytest.mark.slow
def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path: Path) -> None:
    folder, cache = plugin(tmp_path / "plugin"), tmp_path / "cache"
    with ExitStack() as stack, ThreadPoolExecutor(3) as pool:
        waiting = [stack.enter_context(waiting_for(folder, cache, COUNTED)) for _ in range(3)]
        printed = [output.split() for output, _ in pool.map(KernelProcess.go_on, waiting)]
    assert [result for result, _ in printed] == ["12"] * 3
    assert sum(int(count) for _, count in printed) == 2  # kernels
    before = written(cache)
    assert len(before) == 2
    assert unpacked(cache, folder, CALL) == ("12", "")
    assert written(cache) == before


@pytest.mark.slow
def test_machine_code_is_kept_and_compiled_anew_where_it_is_damaged(tmp_path: Path) -> None:
    """Machine code does not depend on where the sources lie.
    Files are damaged as a power failure may leave them.
    """
    cache, copy = tmp_path / "cache", tmp_path / "copy"
    right = "[0, 1, 2, 3, 4, 0, 1, 2]", ""
    assert unpacked(cache) == right
    stored, before = files_in(cache), written(cache)
    assert stored
    assert unpacked(cache, copied(copy)) == right
    assert written(cache) == before
    damages: tuple[Callable[[bytes], bytes], ...] = (
        lambda _content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: bytes(len(content)),
    )
    assert len(stored) >= len(damages)
    for (path, content), damaged in zip(stored.items(), cycle(damages), strict=False):
        path.write_bytes(damaged(content))
    assert unpacked(cache) == right
    assert files_in(cache).keys() == stored.keys()
    assert all(len(content) > 1000 and content.strip(b"\0") for content in files_in(cache).values())


@pytest.mark.slow
@pytest.mark.parametrize("place", ["no folder", "full"])
def test_kernels_are_compiled_where_machine_code_cannot_be_kept(tmp_path: Path, place: str) -> None:
    """The warning comes once, with the remedy."""
    folder, cache = plugin(tmp_path / "plugin"), tmp_path / "cache"
    if place == "no folder":
        cache.write_text("a file")
    answer, warnings = unpacked(cache, folder, CALL, most_bytes=100 if place == "full" else None)
    assert answer == "12"
    (line,) = warnings.splitlines()
    assert line.endswith("set NUMBA_CACHE_DIR to a folder that can be written")
    assert not [path for path in cache.rglob("*") if path.is_file()]

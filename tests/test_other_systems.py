"""The program on systems without the features of Linux: here their names are taken away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db.mapped import NOT_MAPPED
from puzzlebase.db.paths import table_path
from puzzlebase.db.table import Table
from tests.waiting import PATIENCE

WITHOUT_LINUX = """
import ctypes, fcntl, mmap, os, resource, select, signal, socket, sys

MACOS = {"MADV_NORMAL", "MADV_RANDOM", "MADV_SEQUENTIAL", "MADV_WILLNEED", "MADV_DONTNEED", "MADV_FREE"}
GONE = {
    mmap: {name for name in dir(mmap) if name.startswith("MADV_")} - MACOS | {"MAP_POPULATE", "MAP_STACK"},
    os: {
        *("copy_file_range", "eventfd", "memfd_create", "pidfd_open", "posix_fadvise", "posix_fallocate"),
        *("process_cpu_count", "sched_getaffinity", "sched_setaffinity", "splice", "O_PATH", "O_TMPFILE"),
    },
    socket: {"TCP_USER_TIMEOUT", "TCP_QUICKACK", "SO_PEERCRED", "SOCK_CLOEXEC", "SOCK_NONBLOCK"},
    fcntl: {"F_ADD_SEALS", "F_GET_SEALS", "F_SETPIPE_SZ", "F_OFD_SETLK", "F_SETSIG", "F_SETLEASE", "F_GETLEASE"},
    resource: {"prlimit"},
    select: {"epoll"},
    signal: {"pidfd_send_signal", "sigtimedwait"},
}
for module, names in GONE.items():
    for name in names & {*dir(module)}:
        delattr(module, name)


def refuse(*_):
    raise ValueError("current limit exceeds maximum limit")


resource.setrlimit = refuse
"""

EVERY_MODULE = """
from importlib import import_module
from pathlib import Path

NOT_ALWAYS_INSTALLED = "cluster", "drawing", "charts"
root = Path(sys.argv[1])
count = 0
for folder in (root, *(each for each in root.iterdir() if each.is_dir())):
    for path in sorted(folder.glob("*.py") if folder == root else folder.rglob("*.py")):
        name = ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
        if not name.endswith("__main__") and not {*NOT_ALWAYS_INSTALLED} & {*name.split(".")}:
            import_module(name)
            count += 1
print(count)
"""

USE = """
from pathlib import Path
import numpy as np
from puzzlebase.builder import Reporter, TableJob
from puzzlebase.builder.threads import default_threads
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.paths import table_path
from puzzlebase.db.table import Table
from puzzlebase.puzzles import find
from puzzlebase.service.http.server import _raise_file_limit

data, own = map(Path, sys.argv[1:3])
assert default_threads() == os.cpu_count()
_raise_file_limit()
novice = find("novice")
TableJob(novice, novice.goal(), own, "test", 2).build()
for in_memory in (0, 1 << 40):
    mapped = MappedFiles(own / "cache", always=True, in_memory=in_memory)
    with Table(table_path(data, "avenger"), mapped=mapped) as table:
        print(table.probe(np.arange(0, 10_432_800, 10_007)).sum(), table.info.gods_number, table.in_memory)
print(*sorted(path.suffix for path in own.glob("cache/*")))
"""


def without_linux(program: str, *words: str | Path) -> list[str]:
    command = [sys.executable, "-c", WITHOUT_LINUX + program, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_every_module_can_be_imported() -> None:
    (count,) = without_linux(EVERY_MODULE, Path(__file__).parent.parent / "puzzlebase")
    assert int(count) > 250


@pytest.mark.slow
def test_a_table_is_built_and_another_is_read_into_memory(data: Path, tmp_path: Path) -> None:
    with Table(table_path(data, "avenger"), mapped=NOT_MAPPED) as table:
        total = table.probe(np.arange(0, 10_432_800, 10_007)).sum()
    *read, suffixes = without_linux(USE, data, tmp_path)
    assert read == [f"{total} 15 True"] * 2
    assert ".distances" not in suffixes, "nothing can be mapped"

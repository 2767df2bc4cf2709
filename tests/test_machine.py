"""puzzlebase/machine.py: the free memory,
by the limits of the process and of its control groups.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from puzzlebase.machine import left_by_control_groups
from tests.waiting import PATIENCE

MB = 1 << 20


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


LIMITED = """
import resource
from puzzlebase.machine import spare_memory

print(spare_memory())
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))
print(spare_memory())
"""


def test_limits_of_the_process_count() -> None:
    child = [sys.executable, "-c", LIMITED]
    printed = subprocess.run(
        child, capture_output=True, check=True, text=True, timeout=PATIENCE
    ).stdout
    free, limited = map(int, printed.split())
    assert 0 < limited <= 1 << 30
    assert limited <= free


def test_control_groups(tmp_path: Path) -> None:
    assert left_by_control_groups(tmp_path) == []
    write(tmp_path / "proc/self/cgroup", "0::/outer/inner\n")
    for group, limit, used, cached in (
        ("outer", 500 * MB, 100 * MB, 30 * MB),
        ("outer/inner", "max", 90 * MB, 0),
    ):
        folder = tmp_path / "sys/fs/cgroup" / group
        write(folder / "memory.max", f"{limit}\n")
        write(folder / "memory.current", f"{used}\n")
        write(folder / "memory.stat", f"anon 1\ninactive_file {cached}\n")
    assert left_by_control_groups(tmp_path) == [430 * MB]
    write(tmp_path / "sys/fs/cgroup/outer/inner/memory.max", f"{200 * MB}\n")
    assert left_by_control_groups(tmp_path) == [110 * MB, 430 * MB]

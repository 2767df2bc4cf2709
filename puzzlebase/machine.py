"""The processors of the machine, and the memory that it has left for a process."""

from __future__ import annotations

import os
from pathlib import Path

from puzzlebase import system


def spare_memory() -> int:
    """The bytes that this process may still take,
    by the machine, its control groups and its limits.
    """
    import psutil  # noqa: PLC0415 -- the help of verbs needs the number of processors alone

    process = psutil.Process().memory_info()
    spare = [psutil.virtual_memory().available + process.rss]
    limits = filter(None, map(system.resource_limit, ("RLIMIT_AS", "RLIMIT_DATA")))
    spare.extend(limit - process.vms + process.rss for limit in limits)
    spare.extend(left + process.rss for left in left_by_control_groups(Path("/")))
    return max(min(spare), 0)


def left_by_control_groups(root: Path) -> list[int]:
    """The bytes that each control group (version 2) of this process has left;
    cached files count as free.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text("utf-8").splitlines()
    except OSError:
        return []
    paths = [line.removeprefix("0::/") for line in lines if line.startswith("0::")]
    mount = root / "sys/fs/cgroup"
    left = []
    for group in [group for path in paths for group in (mount / path, *(mount / path).parents)]:
        try:
            most = (group / "memory.max").read_text("ascii").strip()
            used = int((group / "memory.current").read_text("ascii"))
            kinds = dict(map(str.split, (group / "memory.stat").read_text("ascii").splitlines()))
        except (OSError, ValueError):
            continue
        if most != "max":
            left.append(int(most) - used + int(kinds.get("inactive_file", 0)))
    return left


def processors() -> int:
    """The number of processors that this process may use;
    if the system does not tell, the number of all.
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

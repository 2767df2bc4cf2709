"""The memory that the machine has left for a process."""

from __future__ import annotations

from pathlib import Path

import psutil

from puzzlebase import system


def ran_out(error: BaseException) -> bool:
    """True if an error means that the process has no more memory: for arrays, for a thread, for a library."""
    words_of = {RuntimeError: "can't start new thread", ImportError: "failed to map segment"}
    return isinstance(error, MemoryError) or any(
        isinstance(error, kind) and words in str(error) for kind, words in words_of.items()
    )


def spare_memory() -> int:
    """The bytes that this process may still take, by the machine, its control groups and its limits."""
    process = psutil.Process().memory_info()
    spare = [psutil.virtual_memory().available + process.rss]
    limits = filter(None, map(system.limit, ("RLIMIT_AS", "RLIMIT_DATA")))
    spare.extend(limit - process.vms + process.rss for limit in limits)
    spare.extend(left + process.rss for left in left_by_control_groups(Path("/")))
    return max(min(spare), 0)


def left_by_control_groups(root: Path) -> list[int]:
    """The bytes that each control group of this process has left, version 2 or 1; cached files count as free."""
    try:
        lines = (root / "proc/self/cgroup").read_text("utf-8").splitlines()
    except OSError:
        return []
    left = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            mount, limit, usage, cached = root / "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            mount, limit, usage = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
            cached = "total_inactive_file"
        else:
            continue
        below = mount / path.lstrip("/")
        for group in (below, *below.parents):
            if group == mount.parent:
                break
            try:
                most = (group / limit).read_text("ascii").strip()
                used = int((group / usage).read_text("ascii"))
                lines_of = dict(map(str.split, (group / "memory.stat").read_text("ascii").splitlines()))
            except (OSError, ValueError):
                continue
            if most != "max":
                left.append(int(most) - used + int(lines_of.get(cached, 0)))
    return left

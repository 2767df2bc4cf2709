"""The machine and the versions that figures come from."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

_PACKAGES = ("numpy", "numba", "duckdb", "pyarrow", "zstandard", "flask", "granian")


def load() -> str:
    """The load averages over 1, 5 and 15 minutes."""
    return ", ".join(f"{average:.2f}" for average in os.getloadavg())


def describe(load_before: str) -> str:
    """A list in Markdown, to be made when a section has been measured."""
    lines = {
        "Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "Machine": f"{len(os.sched_getaffinity(0))} processors ({_field('/proc/cpuinfo', 'model name')}), "
        f"{int(_field('/proc/meminfo', 'MemTotal').split()[0]) * 1024 / 1e9:.1f} GB, "
        f"{platform.system()} {platform.release()}",
        "Load average over 1, 5, 15 minutes": f"{load_before} before, {load()} after",
        "Versions": ", ".join(
            [f"Python {platform.python_version()}", *(f"{package} {version(package)}" for package in _PACKAGES)]
        ),
    }
    return "\n".join(f"- {name}: {text}" for name, text in lines.items())


def _field(file: str, name: str) -> str:
    """The first value of that name in a file of `name: value` lines; "unknown" where there is none."""
    for line in Path(file).read_text("utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "unknown"

"""The machine and the versions that figures come from."""

from __future__ import annotations

import os
import platform
import re
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil

_PACKAGES = ("numpy", "numba", "duckdb", "pyarrow", "zstandard", "flask", "granian")


_ADDITIONS = 5_000_000


def conditions() -> dict[str, str]:
    """The load and the speed of the machine at this moment, by name; takes a second.
    A busy host may make all of it several times slower.
    """
    load = ", ".join(f"{average:.2f}" for average in os.getloadavg())
    began = time.process_time()
    total = 0
    for number in range(_ADDITIONS):
        total += number
    return {
        "Load average over 1, 5, 15 minutes": load,
        f"{_ADDITIONS:,} additions in Python": f"{time.process_time() - began:.2f} s",
    }


def describe(before: dict[str, str]) -> str:
    """A list in Markdown, to be made when a section has been measured;
    `before` are the conditions when that began.
    """
    after = conditions()
    lines = {
        "Date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "Machine": f"{len(os.sched_getaffinity(0))} processors "
        f"({_processor()}), {psutil.virtual_memory().total / 1e9:.1f} GB, "
        f"{platform.system()} {platform.release()}",
        **{name: f"{text} before, {after[name]} after" for name, text in before.items()},
        "Versions": ", ".join(
            [
                f"Python {platform.python_version()}",
                *(f"{package} {version(package)}" for package in _PACKAGES),
            ]
        ),
    }
    return "\n".join(f"- {name}: {text}" for name, text in lines.items())


def _processor() -> str:
    """The name of the processors; "unknown" where the system does not tell it."""
    name = re.search("model name\\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    return name[1] if name else "unknown"

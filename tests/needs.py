"""The plugins that tests need, by the mark `needs`; `make lint` refuses one that no plugin has.

Else a test of a plugin that has another name now would be left out, and nobody would know.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.size import ROOT, families, plugins

PRESENT = families() | plugins()
"""The plugins and families that are there."""


def of_whole_file(path: Path) -> set[str]:
    """The plugins that all tests of a file need, by its `pytestmark`; none of another path."""
    text = path.read_text("utf-8") if path.name.startswith("test_") and path.is_file() else ""
    return {*_named(re.findall(r"(?m)^pytestmark = .*", text))}


def _named(lines: list[str]) -> Iterator[str]:
    for marked in re.findall(r"\bmark\.needs\(([^*)]*)\)", "\n".join(lines)):
        yield from re.findall(r"\w+", marked)


def unknown() -> list[str]:
    """The files with a mark that names no plugin, and the name."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [path for path in listed.stdout.split() if "/test_" in path or path.endswith("conftest.py")]
    marks = ((path, name) for path in files for name in _named([(ROOT / path).read_text("utf-8")]))
    return [f"{path} needs {name!r}, which is no plugin" for path, name in marks if name not in PRESENT]


if __name__ == "__main__":
    sys.exit("\n".join(unknown()) or None)

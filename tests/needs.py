"""The plugins that tests need, by the mark `needs`; `make lint` refuses one that no plugin has.

Else a test of a plugin that has another name now would be left out, and nobody would know.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.size import CORE_FAMILIES, FAMILIES, ROOT, families, plugins

_MODULES = {path.stem for path in (ROOT / "plugins").iterdir()}
"""The plugins, and the modules beside them, that are there."""


def imported_plugins(folder: Path) -> set[str]:
    """The plugins, and the modules beside them, that a folder's files import."""
    sources = [
        path.read_text("utf-8") for path in folder.rglob("*.py") if "tests" not in path.parts
    ]
    return {*re.findall(r"puzzlebase\.plugins\.(\w+)", "".join(sources))}


PRESENT = {
    *(name for name in plugins() if imported_plugins(ROOT / "plugins" / name) <= _MODULES),
    *(name for name in families() if imported_plugins(ROOT / FAMILIES / name) <= _MODULES),
}
"""The plugins and families that are there, with the plugins that these need."""


def of_whole_file(path: Path) -> set[str]:
    """The plugins that all tests of a file need:
    by its `pytestmark`, and that in whose folder it lies.
    """
    if not (path.name.startswith("test_") and path.is_file()):
        return set()
    marks = re.findall(r"(?m)^pytestmark = .*", path.read_text("utf-8"))
    return ({*_named(marks)} - CORE_FAMILIES) | plugin_of(path)


def plugin_of(path: Path) -> set[str]:
    """The plugin in whose folder a file lies, if it lies in one."""
    owner = re.match(r"(?:plugins|puzzles/families)/(\w+)(?:/|$)", str(path.relative_to(ROOT)))
    return {*(owner.groups() if owner else ())} - CORE_FAMILIES


def _named(lines: list[str]) -> Iterator[str]:
    for marked in re.findall(r"\bmark\.needs\(([^*)]*)\)", "\n".join(lines)):
        yield from re.findall(r"\w+", marked)


def unknown() -> list[str]:
    """The files with a mark that names no plugin, and the name."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [
        path for path in listed.stdout.split() if "/test_" in path or path.endswith("conftest.py")
    ]
    marks = ((path, name) for path in files for name in _named([(ROOT / path).read_text("utf-8")]))
    return [
        f"{path} needs {name!r}, which is no plugin" for path, name in marks if name not in PRESENT
    ]


if __name__ == "__main__":
    sys.exit("\n".join(unknown()) or None)

"""`make size`: the lines of the package's Python by folder, the core and the plugins apart, with what each may have."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ("builder", "db", "puzzlebase", "puzzles", "tools", "service")
CORE_LINES, ALL_LINES = 24_000, 49_800
"""The budget: whoever needs more takes something away, or says why in a decision."""
FAMILIES = Path("puzzles", "families")
CORE_FAMILIES = {"__init__", "sliding", "wheels"}
TOOLS = Path("tools")


def families(root: Path = ROOT) -> set[str]:
    """The families that are plugins."""
    folder = root / FAMILIES
    return {path.stem for path in folder.iterdir() if path.suffix in {"", ".py"}} - CORE_FAMILIES - {"__pycache__"}


def tools(root: Path = ROOT) -> set[str]:
    """The tools that are plugins."""
    return {path.name for path in (root / TOOLS).iterdir() if path.is_dir()} - {"__pycache__"}


def is_plugin(file: Path) -> bool:
    """True if a file, given by its path in the repository, belongs to a plugin."""
    if file.is_relative_to(FAMILIES):
        return file.relative_to(FAMILIES).parts[0].removesuffix(".py") not in CORE_FAMILIES
    return file.is_relative_to(TOOLS)


def tracked(root: Path = ROOT) -> list[Path]:
    """The package's Python files that git holds, by their paths in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *(f"{folder}/*.py" for folder in PACKAGE)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return [Path(name) for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def counted(root: Path = ROOT) -> tuple[Counter[str], Counter[str]]:
    """Lines of the core and of the plugins, docstrings, comments and empty lines among them, by folder."""
    core, plugins = Counter[str](), Counter[str]()
    for file in tracked(root):
        lines = len((root / file).read_text("utf-8").splitlines())
        if is_plugin(file):
            plugins["/".join(file.parts[:-1][:3])] += lines
        else:
            core["/".join(file.parts[:-1][:2])] += lines
    return core, plugins


def report(core: Counter[str], plugins: Counter[str]) -> str:
    """The table that `make size` prints."""
    lines = []
    for title, folders in ("core", core), ("plugins", plugins):
        lines += [f"{count:7,}  {folder}" for folder, count in sorted(folders.items())]
        lines += [f"{folders.total():7,}  {title}", ""]
    everything = core.total() + plugins.total()
    lines += [f"core {core.total():,} of {CORE_LINES:,}", f"everything {everything:,} of {ALL_LINES:,}"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(*counted()))  # noqa: T201

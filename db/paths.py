"""Where stored files lie, and the command that builds one."""

from __future__ import annotations

from pathlib import Path

_LAYERS, _ORACLE = ".layers", ".oracle"


def table_path(data: Path, table_name: str) -> Path:
    """The file of the table of a puzzle and goal."""
    return data / f"{table_name}.duckdb"


def layers_path(data: Path, table_name: str) -> Path:
    """The file of the layers of a puzzle and goal."""
    return data / f"{table_name}{_LAYERS}.duckdb"


def oracle_path(data: Path, puzzle: str) -> Path:
    """The file of the data of a puzzle's oracle."""
    return data / f"{puzzle}{_ORACLE}.duckdb"


def remedy(path: Path) -> str:
    """The command that builds a file of this name."""
    puzzle, _, goal = path.stem.removesuffix(_LAYERS).removesuffix(_ORACLE).partition("@")
    depth = " DEPTH=k" if path.stem.endswith(_LAYERS) else ""
    return f"build it: make build-db PUZZLE={puzzle}" + (f" GOAL={goal}" if goal else "") + depth

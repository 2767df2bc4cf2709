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


def mixing_path(data: Path, table_name: str, walk: str) -> Path:
    """The file of a walk from a puzzle's goal."""
    return data / f"{table_name}.mixing-{walk}.json"


def remedy(path: Path) -> str:
    """The command that builds a file of this name."""
    puzzle, _, goal = path.stem.removesuffix(_LAYERS).removesuffix(_ORACLE).partition("@")
    return f"build it: {build_command(puzzle, goal, layers=path.stem.endswith(_LAYERS))}"


def build_command(puzzle: str, goal: str = "", *, layers: bool = False) -> str:
    """The command that builds a table or layers."""
    if _in_checkout():
        return f"make build-db PUZZLE={puzzle}" + (f" GOAL={goal}" if goal else "") + (" DEPTH=k" if layers else "")
    return f"puzzlebase build {puzzle}" + (f" --goal {goal}" if goal else "") + (" --depth k" if layers else "")


def verify_command(puzzle: str) -> str:
    """The command that checks a table."""
    return f"make verify PUZZLE={puzzle}" if _in_checkout() else f"puzzlebase verify {puzzle}"


def _in_checkout() -> bool:
    """Whether the current folder is the one of the sources, where make does it all."""
    here = Path.cwd()
    return here in Path(__file__).resolve().parents and (here / "Makefile").is_file()

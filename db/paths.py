"""Where stored files lie, and the command that builds one."""

from __future__ import annotations

import shlex
from pathlib import Path

_LAYERS, _ORACLE = ".layers", ".oracle"
_DATA_OF_MAKE = Path("data")


def table_path(data: Path, table_name: str) -> Path:
    """The file of the table of a puzzle and goal."""
    return data / f"{table_name}.duckdb"


def layers_path(data: Path, table_name: str) -> Path:
    """The file of the layers of a puzzle and goal."""
    return data / f"{table_name}{_LAYERS}.duckdb"


def oracle_path(data: Path, puzzle: str) -> Path:
    """The file of the data of a puzzle's oracle."""
    return data / f"{puzzle}{_ORACLE}.duckdb"


def tables_in(data: Path) -> list[Path]:
    """The files of all tables in a folder, by name. Layers and oracles have a dot more in theirs."""
    paths = (path for path in data.glob("*.duckdb") if "." not in path.stem and path.is_file())
    return sorted(paths, key=lambda path: path.stem)


def remedy(path: Path, *, named: bool = False) -> str:
    """The command that builds a file of this name; in its folder, if that was `named` and is not the usual one."""
    puzzle, _, goal = path.stem.removesuffix(_LAYERS).removesuffix(_ORACLE).partition("@")
    folder = path.parent if named else None
    layers, oracle = path.stem.endswith(_LAYERS), path.stem.endswith(_ORACLE)
    return f"build it: {build_command(puzzle, goal, layers=layers, oracle=oracle, folder=folder)}"


def build_command(
    puzzle: str, goal: str = "", *, layers: bool = False, oracle: bool = False, folder: Path | None = None
) -> str:
    """The command that builds a table, layers or an oracle's data."""
    where = shlex.quote(str(folder)) if folder else ""
    if _in_checkout():
        where = "" if folder == _DATA_OF_MAKE else where
        words = f"make build-db PUZZLE={puzzle}", f" GOAL={goal}", " DEPTH=k", " ORACLE=1", f" DATA={where}"
    else:
        words = f"puzzlebase build {puzzle}", f" --goal {goal}", " --depth k", " --oracle", f" --data {where}"
    return "".join(word for word, given in zip(words, (True, goal, layers, oracle, where), strict=True) if given)


def verify_command(puzzle: str) -> str:
    """The command that checks a table."""
    return f"make verify PUZZLE={puzzle}" if _in_checkout() else f"puzzlebase verify {puzzle}"


def _in_checkout() -> bool:
    """Whether the current folder is the one of the sources, where make does it all."""
    here = Path.cwd()
    return here in Path(__file__).resolve().parents and (here / "Makefile").is_file()

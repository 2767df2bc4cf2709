"""The paths of stored files, their folder, and the command that builds one."""

from __future__ import annotations

import hashlib
import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from puzzlebase.errors import ErrorWithHint

# Variables of the environment:
VARIABLE = "PUZZLEBASE_DATA"  # the data folder, if no option names one
# the folder of files that can be made again, NOWHERE for none; set by the option --cache
CACHE = "PUZZLEBASE_CACHE"
NOWHERE = "none"

BESIDE_TABLES = "cache"  # its name in a data folder, unless another one is named
_HERE = Path("data")
_LAYERS = ".layers"  # before the ending


def table_path(data: Path, table_name: str) -> Path:
    """The path of the table's file of a puzzle and goal."""
    return data / f"{table_name}.duckdb"


def layers_path(data: Path, table_name: str) -> Path:
    """The path of the layers' file of a puzzle and goal."""
    return data / f"{table_name}{_LAYERS}.indices"


def table_paths(data: Path) -> list[Path]:
    """The paths of all tables in a folder, by name."""
    paths = (path for path in data.glob("*.duckdb") if "." not in path.stem and path.is_file())
    return sorted(paths, key=lambda path: path.stem)


def build_remedy(path: Path) -> str:
    """The remedy for a path that lacks its file: the command that builds it in its folder;
    without a folder, in the usual one.
    """
    puzzle, _, goal = path.stem.removesuffix(_LAYERS).partition("@")
    goal = "GOAL" if goal.startswith("set-") else goal  # whose key does not give it back
    return (
        "build it: "
        f"{build_command(puzzle, goal, layers=path.stem.endswith(_LAYERS), to=path.parent)}"
    )


def build_command(puzzle: str, goal: str = "", *, layers: bool = False, to: Path = Path()) -> str:
    """The command that builds a table or layers, in the usual folder unless another is named."""
    usual = Path(DataFolder.choose().place)
    words = [f"puzzlebase build {puzzle}"]
    if goal:
        words.append(f"--goal {goal}")
    if layers:
        words.append("--depth k")
    if to not in (Path(), usual, usual.absolute()):
        words.append(f"--data {shlex.quote(str(to))}")
    return " ".join(words)


def cache_folder(data: Path) -> Path | None:
    """The folder of files that can be made again, for a data folder; None if nothing is cached."""
    named = os.environ.get(CACHE)
    if named == NOWHERE:
        return None
    return Path(named) if named else data / BESIDE_TABLES


class NoDataFolder(ErrorWithHint):
    """A named folder does not exist."""


@dataclass(frozen=True)
class DataFolder:
    """A folder of tables or its address, with the words for its choice;
    one that a person named should exist.
    """

    place: str | Path
    chosen_by: str
    named: bool

    @classmethod
    def choose(cls, option: str | Path | None = None) -> DataFolder:
        """The folder of the option --data, else of PUZZLEBASE_DATA,
        else ./data if it exists, else the user's own.
        """
        if option is not None:
            return cls(option, "--data", named=True)
        if variable := os.environ.get(VARIABLE):
            return cls(variable, VARIABLE, named=True)
        if _HERE.is_dir():
            return cls(_HERE, "the current folder", named=False)
        from platformdirs import user_data_path  # noqa: PLC0415 -- few calls need it

        return cls(user_data_path("puzzlebase", appauthor=False), "your data folder", named=False)

    @property
    def scheme(self) -> str:
        """The scheme of an address, such as https; empty for a folder."""
        return str(self.place).rpartition("://")[0].lower()

    @property
    def path(self) -> Path:
        """The folder; raises NoDataFolder for an address."""
        if self.scheme:
            raise NoDataFolder(
                f"{self.place!r}, which {self.chosen_by} names, is an address, and this needs a "
                "folder of tables",
                "name a folder; answers about one puzzle are read from an address too",
            )
        return Path(self.place)

    def existing(self) -> Path:
        """The folder, to read from; raises NoDataFolder if it was named and does not exist."""
        if self.named and not self.path.is_dir():
            raise NoDataFolder(
                f"there is no folder {str(self.path)!r}, which {self.chosen_by} names",
                f"correct the name, or make the folder: puzzlebase --data {self.path} build PUZZLE",
            )
        return self.path

    def __str__(self) -> str:
        """The folder and the reason for it, for people."""
        there = "" if self.path.is_dir() else ", not there yet"
        return f"{self.path} ({self.chosen_by}{there})"


def cache_stem(path: Path) -> str:
    """The beginning of the names of a path's files in the cache folder, which folders share."""
    folder = hashlib.blake2b(str(path.parent.resolve()).encode(), digest_size=4)
    return f"{path.stem}-{folder.hexdigest()}"

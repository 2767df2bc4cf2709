"""Where stored files lie: in the folder that was named, in ./data if it is there, or in the user's data folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PUZZLEBASE_DATA"
"""Of the environment: the folder, where no option names one."""

PARTS = "PUZZLEBASE_PARTS"
"""Of the environment: folders or addresses of blocks that lie in no table's file, which the option --parts sets."""

CACHE = "PUZZLEBASE_CACHE"
"""Of the environment: the folder of what can be made again, which the option --cache sets; NOWHERE for none."""

NOWHERE = "none"
BESIDE_TABLES = "cache"
"""The folder in a data folder, unless another one is named."""

_HERE = Path("data")


def cache_folder(data: Path) -> Path | None:
    """The folder of what can be made again, for a data folder; None where nothing is to be cached."""
    named = os.environ.get(CACHE)
    if named == NOWHERE:
        return None
    return Path(named) if named else data / BESIDE_TABLES


class NoDataFolder(Exception):
    """A folder was named that is not there; `hint` is the remedy."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(f"there is no folder {str(folder.path)!r}, which {folder.chosen_by} names")
        self.hint = f"correct the name, or make the folder: puzzlebase --data {folder.path} build PUZZLE"


@dataclass(frozen=True)
class DataFolder:
    """A folder, what chose it in words, and whether a person named it, so that it should be there."""

    path: Path
    chosen_by: str
    named: bool

    @classmethod
    def choose(cls, option: Path | None = None) -> DataFolder:
        """The folder of the option --data, else of PUZZLEBASE_DATA, else ./data if it is there, else the user's own."""
        if option is not None:
            return cls(option, "--data", named=True)
        if variable := os.environ.get(VARIABLE):
            return cls(Path(variable), VARIABLE, named=True)
        if _HERE.is_dir():
            return cls(_HERE, "the current folder", named=False)
        from platformdirs import user_data_path  # noqa: PLC0415 -- few calls need it

        return cls(user_data_path("puzzlebase", appauthor=False), "your data folder", named=False)

    def existing(self) -> Path:
        """The folder, to read from; raises NoDataFolder if it was named and is not there."""
        if self.named and not self.path.is_dir():
            raise NoDataFolder(self)
        return self.path

    def __str__(self) -> str:
        """For people: the folder, and what chose it."""
        there = "" if self.path.is_dir() else ", not there yet"
        return f"{self.path} ({self.chosen_by}{there})"

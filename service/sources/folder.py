"""The files of a data folder: tables and layers, by puzzle and goal."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.layers import LayersFile
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.table import Table
from puzzlebase.paths import cache_folder, layers_path, table_path, table_paths
from puzzlebase.puzzles import RANKING_TABLES, Goal, Puzzle, PuzzleError, Space, find
from puzzlebase.service.sources.memory import Memory
from puzzlebase.service.sources.watched import Files

# of the memory: for the blocks of one table that is not mapped, all or the recent ones
_TABLE_SHARE = 1 / 2
_LOG = logging.getLogger(__name__)
_TOO_LARGE = (
    "%s does not fit into memory: lookups take longer, and searches go without it; make room in "
    "the cache, name "
    "another one with --cache, or give more --memory, then start anew"
)


class FolderFile(NamedTuple):
    """A file of the folder, with a table or with layers, and its puzzle and goal."""

    path: Path
    is_table: bool
    puzzle: Puzzle
    goal: Goal


class Folder:
    """The files of a data folder; safe to use from several threads.

    `memory` is the bound in bytes of all that is held. A file is checked for a new version
    `recheck_after` seconds after the last check. `mapped` has the files of distances that all
    processes map, by default those of the cache folder.
    """

    def __init__(
        self,
        data: Path,
        memory: int = DEFAULT_MEMORY,
        recheck_after: float = 0.0,
        mapped: MappedFiles | None = None,
    ) -> None:
        self.data = data
        self.mapped = mapped or MappedFiles(cache_folder(data))
        self.memory = Memory(memory)
        self.recheck_after = recheck_after
        layers = partial(LayersFile, memory=self.memory.bound)
        rest = recheck_after, self.memory
        tables = self._read_table
        self.tables = Files(
            lambda puzzle, goal: table_path(data, puzzle.table_name(goal)), tables, *rest
        )
        self.layers = Files(
            lambda puzzle, goal: layers_path(data, puzzle.table_name(goal)), layers, *rest
        )

    def _read_table(self, path: Path) -> Table:
        table = Table(path, int(self.memory.bound * _TABLE_SHARE), self.mapped)
        if self.memory.bound and not table.load(self.memory.make_room).in_memory:
            _LOG.warning(_TOO_LARGE, path)  # without memory only the header is read
        return table

    def space(self, puzzle: Puzzle, goal: Goal) -> Space:
        """The space of a puzzle and a goal, made with `numbering`. Raises NoSpace."""
        with self.numbering():
            return puzzle.space(goal)

    def numbering(self) -> AbstractContextManager[None]:
        """Inside this block of `with`, what numbers states is cached for this folder."""
        return RANKING_TABLES.stored_in(self.mapped.numberings)

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        return [(file.puzzle, file.goal) for file in self.files() if file.is_table]

    def files(self) -> Iterator[FolderFile]:
        """The files with the name of a table or of layers, by name."""
        tables, layers = table_paths(self.data), self.data.glob(layers_path(self.data, "*").name)
        for path in sorted([*tables, *layers]):
            for puzzle, goal in _named(path.stem.partition(".")[0]):
                yield FolderFile(path, path in tables, puzzle, goal)


def _named(table_name: str) -> list[tuple[Puzzle, Goal]]:
    """The puzzle and the goals whose table has this name."""
    name, _, key = table_name.partition("@")
    try:
        puzzle = find(name)
        if not puzzle.enumerable:
            return []
        goals = [goal for goal in puzzle.goals if puzzle.table_name(goal) == table_name]
        goals = goals or [
            goal
            for goal in ([puzzle.goal(key)] if key else ())
            if puzzle.table_name(goal) == table_name
        ]
    except PuzzleError:
        return []
    return [(puzzle, goal) for goal in goals]

"""The tables in a data folder, opened when first asked for and again when their file changes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from db import DEFAULT_MEMORY, MissingTable, Table, TableError, remedy, table_path
from puzzles import Distances, Goal, Indices, Puzzle, PuzzleError, Space, find


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A puzzle, a goal and their table: everything an answer needs, from one build and no other."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    table: Table

    def distances(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; UNREACHED for -1 and where there is no way."""
        return self.space.distances(indices, self.table.probe)


class _Known(NamedTuple):
    """A table and the file it was opened from."""

    path: Path
    signature: tuple[int, int, int] | None
    opened: OpenTable


def _signature(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is replaced; None where there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 (a third of the time of path.stat())
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


class Tables:
    """Tables by puzzle and goal; safe to use from several threads.

    A request asks once and keeps what it got, so that its answer comes from one table even when the
    file is replaced meanwhile. `memory` bounds the bytes of distances each open table may hold.
    """

    def __init__(self, data: Path, memory: int = DEFAULT_MEMORY) -> None:
        self.data = data
        self._memory = memory
        self._lock = Lock()
        self._open: dict[str, _Known] = {}

    def get(self, puzzle: Puzzle, goal: Goal) -> OpenTable:
        """The table as it now lies in the folder; raises MissingTable or DamagedTable."""
        name = puzzle.table_name(goal)
        known = self._open.get(name)
        if known and known.signature == _signature(known.path):
            return known.opened
        with self._lock:
            path = table_path(self.data, name)
            signature = _signature(path)
            if signature is None:
                raise MissingTable(f"there is no table of {name} yet", remedy(path))
            known = self._open.get(name)
            if known is None or known.signature != signature:
                known = self._open[name] = _Known(path, signature, self._load(puzzle, goal, path))
            return known.opened

    def _load(self, puzzle: Puzzle, goal: Goal, path: Path) -> OpenTable:
        table = Table(path, self._memory)
        space = puzzle.space(goal)
        info = table.info
        if (info.puzzle, info.states, info.stored_size) != (puzzle.name, space.size, space.stored_size):
            raise table.file.damaged(f"is of {info.puzzle} with {info.stored_size} distances, from another version")
        return OpenTable(puzzle, goal, space, table)

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        found: list[tuple[Puzzle, Goal]] = []
        for path in sorted(self.data.glob("*.duckdb")):
            name = path.stem.partition("@")[0]
            try:
                puzzle = find(name)
            except PuzzleError:
                continue
            found.extend((puzzle, goal) for goal in puzzle.goals if puzzle.table_name(goal) == path.stem)
        return found

    def warm(self) -> dict[str, TableError | None]:
        """Open every table and look up one state in it; what is wrong with each, or None."""
        state: dict[str, TableError | None] = {}
        for puzzle, goal in self.built():
            name = puzzle.table_name(goal)
            try:
                opened = self.get(puzzle, goal)
                opened.distances(opened.space.zeros)
                state[name] = None
            except TableError as error:
                state[name] = error
        return state

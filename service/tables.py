"""The tables in a data folder, opened when first asked for and again when their file changes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic

import numpy as np

from db import DEFAULT_MEMORY, MissingTable, Table, TableError, remedy, table_path
from puzzles import Distances, Goal, IllegalMove, Indices, Puzzle, PuzzleError, Space, find


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A puzzle, a goal and their table: everything an answer needs, from one build and no other."""

    puzzle: Puzzle
    goal: Goal
    space: Space
    table: Table

    @property
    def digest(self) -> str:
        """What tells this build's answers from another's."""
        return self.table.file.digest

    def index(self, text: str) -> int:
        """The index of a state, -1 outside the space; raises as the puzzle's `parse` does."""
        letters = self.puzzle.letters
        if letters and len(text) == letters.length and text.isascii():
            index: int = self.space.rank(np.frombuffer(text.encode(), np.uint8).reshape(1, -1)).item()
            if index >= 0:
                return index
        return self.puzzle.index(text, self.goal)

    def played(self, text: str) -> list[str]:
        """The states after each move of a state that parses, illegal moves having any text."""
        letters = self.puzzle.letters
        if letters is None:
            return self.played_by_rules(text)
        length = letters.length
        after = letters.play(np.frombuffer(text.encode(), np.uint8).reshape(1, length)).tobytes().decode()
        return [after[at : at + length] for at in range(0, len(after), length)]

    def played_by_rules(self, text: str) -> list[str]:
        """The same, slowly, an illegal move having no text: for states outside the space too."""
        return [_played(self.puzzle, text, move.name) for move in self.puzzle.moves]

    def distances(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; UNREACHED for -1 and where there is no way."""
        return self.space.distances(indices, self.table.probe)

    def around(self, index: int) -> tuple[list[int], list[int]]:
        """Where each move of a state leads, -1 for an illegal one, and last the state itself; and their distances."""
        indices, distances = self.space.around(index, self.table.probe)
        return indices.tolist(), distances.tolist()

    def closer(self, index: int, distance: int) -> list[tuple[int, int]]:
        """The optimal moves of a state at `distance` and where they lead, in the puzzle's order."""
        if distance <= 0:
            return []
        around, distances = self.around(index)
        moves = range(len(around) - 1)
        return [(move, around[move]) for move in moves if distances[move] == distance - 1 and around[move] >= 0]


def _played(puzzle: Puzzle, text: str, move: str) -> str:
    try:
        return puzzle.play(text, move)
    except IllegalMove:
        return ""


@dataclass(slots=True)
class _File:
    """A table, the file it was opened from, and when that file was last looked at."""

    path: Path
    signature: tuple[int, int, int]
    table: Table
    seen: float

    def current(self, trust: float) -> bool:
        """Whether the file is still the same; it is not looked at again within `trust` seconds."""
        now = monotonic()
        if now - self.seen < trust:
            return True
        same = _signature(self.path) == self.signature
        if same:
            self.seen = now
        return same


def _signature(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is replaced; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _checked(opened: OpenTable) -> OpenTable:
    """The same, unless the table is of something else; raises DamagedTable."""
    info, space = opened.table.info, opened.space
    found = (info.puzzle, info.goal, info.states, info.stored_size)
    if found != (opened.puzzle.name, opened.goal.key, space.size, space.stored_size):
        raise opened.table.file.damaged(f"is of {info.puzzle}, goal {info.goal}, or from another version")
    if opened.distances(space.zeros).any():
        raise opened.table.file.damaged("does not have distance 0 where the goal is")
    return opened


class Tables:
    """Tables by puzzle and goal; safe to use from several threads.

    A request asks once and keeps what it got, so that its answer comes from one table even when the
    file is replaced meanwhile. `memory` bounds the bytes of distances each open table may hold; a
    file is looked at again `trust` seconds after it was looked at last.
    """

    def __init__(self, data: Path, memory: int = DEFAULT_MEMORY, trust: float = 0.0) -> None:
        self.data = data
        self._memory = memory
        self._trust = trust
        self._lock = Lock()
        self._files: dict[Path, _File] = {}
        self._opened: dict[tuple[str, str | None], tuple[_File, OpenTable]] = {}

    def get(self, name: str, goal: str | None = None) -> OpenTable:
        """The table of a puzzle and a goal, by default its first, as it now lies in the folder.

        Raises MissingTable or DamagedTable, UnknownPuzzle or UnknownGoal.
        """
        known = self._opened.get((name, goal))
        if known is not None and known[0].current(self._trust):
            return known[1]
        puzzle = find(name)
        aim = puzzle.goal(goal)
        with self._lock:
            file = self._file(table_path(self.data, puzzle.table_name(aim)))
            opened = _checked(OpenTable(puzzle, aim, puzzle.space(aim), file.table))
            self._opened[name, goal] = file, opened
            return opened

    def _file(self, path: Path) -> _File:
        """The file as it now is; what was read from a former one of that name is forgotten."""
        signature = _signature(path)
        if signature is None:
            self._forget(self._files.pop(path, None))
            raise MissingTable(f"there is no table of {path.stem} yet", remedy(path))
        file = self._files.get(path)
        if file is None or file.signature != signature:
            self._forget(file)
            file = self._files[path] = _File(path, signature, Table(path, self._memory), monotonic())
        return file

    def _forget(self, file: _File | None) -> None:
        self._opened = {key: known for key, known in self._opened.items() if known[0] is not file}

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        found: list[tuple[Puzzle, Goal]] = []
        for path in sorted(self.data.glob("*.duckdb")):
            name, _, key = path.stem.partition("@")
            try:
                puzzle = find(name)
                goals = [goal for goal in puzzle.goals if puzzle.table_name(goal) == path.stem]
                if key and not goals:
                    goals = [goal for goal in [puzzle.goal(key)] if puzzle.table_name(goal) == path.stem]
            except PuzzleError:
                continue
            found.extend((puzzle, goal) for goal in goals)
        return found

    def warm(self) -> dict[str, TableError | None]:
        """Open every table and look up one state in it; what is wrong with each, or None."""
        state: dict[str, TableError | None] = {}
        for puzzle, goal in self.built():
            name = puzzle.table_name(goal)
            try:
                self.get(puzzle.name, goal.name)
                state[name] = None
            except TableError as error:
                state[name] = error
        return state

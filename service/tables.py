"""The tables in a data folder, opened when first asked for and again when their file changes."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic

import numpy as np

from db import DEFAULT_MEMORY, DamagedTable, MissingTable, Table, TableError, remedy, table_path
from puzzles import Distances, Goal, IllegalMove, Indices, Puzzle, PuzzleError, Space, find

_DAMAGE_TRUST = 30.0  # seconds until a damaged file that has not changed is opened once more
_AT_HAND = 256  # names of puzzles and goals are chosen by callers, so what is kept of them is bounded


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
    """A file as it was when it was opened: its table, or what is wrong with it; and when it was last looked at."""

    path: Path
    signature: tuple[int, int, int]
    table: Table | None
    damage: tuple[str, str]  # no exception: its traceback would keep alive all that was open when it was raised
    opened: float
    seen: float = -inf

    def current(self, trust: float) -> bool:
        """Whether the file is still the same; it is not looked at again within `trust` seconds.

        Damage is not believed for ever: what could not be read may have lacked no more than a permission.
        """
        now = monotonic()
        if now - self.seen < trust:
            return True
        same = _signature(self.path) == self.signature
        same &= self.table is not None or now - self.opened < _DAMAGE_TRUST
        if same:
            self.seen = now
        return same

    def sound(self) -> Table:
        """The table; raises DamagedTable, anew each time."""
        if self.table is None:
            raise DamagedTable(*self.damage)
        return self.table


class _Place:
    """Where a table lies, the file now open there, and the lock of who opens the next one."""

    def __init__(self, path: Path, memory: int, trust: float) -> None:
        self.path = path
        self.file: _File | None = None
        self._memory = memory
        self._trust = trust
        self._lock = Lock()

    def now(self) -> _File:
        """The file as it now is, all of it checked; while another thread opens a changed one, the former.

        Only the first opening is waited for. Raises MissingTable.
        """
        file = self.file
        if file is not None and file.current(self._trust):
            return file
        if not self._lock.acquire(blocking=file is None):
            assert file is not None
            return file
        try:
            file = self.file
            if file is None or not file.current(self._trust):
                self.file = file = self._read()
        except MissingTable:
            self.file = None
            raise
        finally:
            self._lock.release()
        return file

    def _read(self, tries: int = 3) -> _File:
        """Open what lies there; an error in a file that was replaced meanwhile says nothing of the new one."""
        signature = _signature(self.path)
        if signature is None:
            raise MissingTable(f"there is no table of {self.path.stem} yet", remedy(self.path))
        try:
            table = Table(self.path, self._memory)
            table.load()
            return _File(self.path, signature, table, ("", ""), monotonic())
        except TableError as error:
            damage = str(error), error.hint
        if tries > 1 and _signature(self.path) != signature:
            return self._read(tries - 1)
        return _File(self.path, signature, None, damage, monotonic())


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
    file is replaced meanwhile; a former table is freed when the last answer from it has been made. The
    thread that notices a change opens the new file, the others go on with the former one until
    it is open, and no other table waits. A file that proves damaged is an error even where a sound one was
    open before: what is answered depends on the folder alone, not on when the process began. It
    is not read again until it changes, or half a minute has passed.

    `memory` bounds the bytes of distances each open table may hold; a file is looked at again
    `trust` seconds after it was looked at last.
    """

    def __init__(self, data: Path, memory: int = DEFAULT_MEMORY, trust: float = 0.0) -> None:
        self.data = data
        self._memory = memory
        self._trust = trust
        self._lock = Lock()  # of the two below; never held while a file is read
        self._places: dict[Path, _Place] = {}
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
        file = self._file(table_path(self.data, puzzle.table_name(aim)))
        if known is not None and known[0] is file:
            return known[1]
        opened = _checked(OpenTable(puzzle, aim, puzzle.space(aim), file.sound()))
        self._keep((name, goal), file, opened)
        return opened

    def _file(self, path: Path) -> _File:
        """The file to answer from; what was kept of a former one is let go."""
        with self._lock:
            place = self._places.setdefault(path, _Place(path, self._memory, self._trust))
        former = place.file
        try:
            file = place.now()
        except MissingTable:
            with self._lock:
                if place.file is None and self._places.get(path) is place:
                    del self._places[path]
                self._forget(path)
            raise
        if file is not former:
            with self._lock:
                self._forget(path)
        return file

    def _forget(self, path: Path) -> None:
        self._opened = {key: known for key, known in self._opened.items() if known[0].path != path}

    def _keep(self, key: tuple[str, str | None], file: _File, opened: OpenTable) -> None:
        """Have an open table at hand: so many as there may be, the last ones, and none of a former file."""
        with self._lock:
            place = self._places.get(file.path)
            if place is None or place.file is not file:
                return
            while len(self._opened) >= _AT_HAND:
                del self._opened[next(iter(self._opened))]
            self._opened[key] = file, opened

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
        """Open every table and look up one state in it; what is wrong with each, or None.

        Damage that lookups came upon later, in a block read then, counts too.
        """
        state: dict[str, TableError | None] = {}
        for puzzle, goal in self.built():
            name = puzzle.table_name(goal)
            try:
                noticed = self.get(puzzle.name, goal.name).table.noticed
                state[name] = DamagedTable(*noticed) if noticed else None
            except TableError as error:
                state[name] = error
        return state

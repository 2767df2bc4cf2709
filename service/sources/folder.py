"""The tables in a data folder, source when first asked for and again when their file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from db import (
    DEFAULT_MEMORY,
    DamagedTable,
    MissingTable,
    StoredLayers,
    Table,
    TableError,
    layers_path,
    oracle_path,
    remedy,
    table_path,
)
from puzzles import Goal, NoSpace, Puzzle, PuzzleError, find
from service.sources.oracle import StoredOracle
from service.sources.source import Source
from service.sources.table import OpenTable

_DAMAGE_TRUST = 30.0  # seconds until a damaged file that has not changed is source once more


_AT_HAND = 256  # names of puzzles and goals are chosen by callers, so what is kept of them is bounded


Content = TypeVar("Content")


@dataclass(slots=True)
class _File(Generic[Content]):
    """A file as it was when it was source: what it holds, or what is wrong with it; and when it was last looked at."""

    path: Path
    signature: tuple[int, int, int]
    content: Content | None
    damage: tuple[str, str]  # no exception: its traceback would keep alive all that was open when it was raised
    source: float
    seen: float = -inf

    def current(self, trust: float) -> bool:
        """Whether the file is still the same; it is not looked at again within `trust` seconds.

        Damage is not believed for ever: what could not be read may have lacked no more than a permission.
        """
        now = monotonic()
        if now - self.seen < trust:
            return True
        same = _signature(self.path) == self.signature
        same &= self.content is not None or now - self.source < _DAMAGE_TRUST
        if same:
            self.seen = now
        return same

    def sound(self) -> Content:
        """What it holds; raises DamagedTable, anew each time."""
        if self.content is None:
            raise DamagedTable(*self.damage)
        return self.content


class _Place(Generic[Content]):
    """Where a table, or layers, lie, the file now open there, and the lock of who opens the next one."""

    def __init__(self, path: Path, read: Callable[[Path], Content], trust: float) -> None:
        self.path = path
        self.file: _File[Content] | None = None
        self._open = read
        self._trust = trust
        self._lock = Lock()

    def now(self) -> _File[Content]:
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

    def _read(self, tries: int = 3) -> _File[Content]:
        """Open what lies there; an error in a file that was replaced meanwhile says nothing of the new one."""
        signature = _signature(self.path)
        if signature is None:
            raise MissingTable(f"there is no table of {self.path.stem} yet", remedy(self.path))
        try:
            return _File(self.path, signature, self._open(self.path), ("", ""), monotonic())
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


def _checked(source: OpenTable) -> OpenTable:
    """The same, unless the table is of something else; raises DamagedTable."""
    info, space = source.table.info, source.space
    found = (info.puzzle, info.goal, info.states, info.stored_size)
    if found != (source.puzzle.name, source.goal.key, space.size, space.stored_size):
        raise source.table.file.damaged(f"is of {info.puzzle}, goal {info.goal}, or from another version")
    if source.distances(space.goal_states).any():
        raise source.table.file.damaged("does not have distance 0 where the goal is")
    return source


class Tables:
    """Tables by puzzle and goal; safe to use from several threads.

    A request asks once and keeps what it got, so that its answer comes from one table even when the
    file is replaced meanwhile; a former table is freed when the last answer from it has been made. The
    thread that notices a change opens the new file, the others go on with the former one until
    it is open, and no other table waits. A file that proves damaged is an error even where a sound one was
    open before: what is answered depends on the folder alone, not on when the process began. It
    is not read again until it changes, or half a minute has passed.

    `memory` bounds the bytes of distances each open table may hold; a file is looked at again
    `trust` seconds after it was looked at last. `count` hears of the blocks asked of tables that do
    not fit: how many were in memory, and how many had to be read.
    """

    def __init__(
        self,
        data: Path,
        memory: int = DEFAULT_MEMORY,
        trust: float = 0.0,
        count: Callable[[int, int], None] | None = None,
    ) -> None:
        self.data = data
        self._count = count
        self._memory = memory
        self._trust = trust
        self._lock = Lock()  # of the two below; never held while a file is read
        self._places: dict[Path, _Place[Table]] = {}
        self._layers: dict[Path, _Place[StoredLayers]] = {}
        self._oracles: dict[Path, _Place[StoredOracle]] = {}
        self._opened: dict[tuple[str, str | None], tuple[_File[Table], OpenTable]] = {}

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
        source = _checked(OpenTable(puzzle, aim, puzzle.space(aim), file.sound()))
        self._keep((name, goal), file, source)
        return source

    def at_hand(self, name: str) -> OpenTable | None:
        """A puzzle's table, of its first goal, where it is in memory and `get` answers without a look at the file."""
        known = self._opened.get((name, None))
        return known[1] if known and known[0].current(self._trust / 2) and known[1].table.resident else None

    def source(self, name: str, goal: str | None = None) -> Source:
        """What knows every distance: the table, or the puzzle's oracle. Raises as `get` does."""
        try:
            return self.get(name, goal)
        except (MissingTable, NoSpace):
            puzzle = find(name)
            if puzzle.oracle is None:
                raise
            if stored := self.oracle(name):
                return stored.open(puzzle, puzzle.goal(goal))
            if puzzle.enumerable:
                raise
        path = oracle_path(self.data, name)
        raise MissingTable(f"the data that {name} is answered from are not there yet", remedy(path))

    def layers(self, name: str, goal: str | None = None) -> StoredLayers | None:
        """The stored layers of a puzzle and a goal; None where there are none. Raises as `get` does."""
        puzzle = find(name)
        aim = puzzle.goal(goal)
        path = layers_path(self.data, puzzle.table_name(aim))
        layers = self._beside(self._layers, path, lambda path: StoredLayers(path, self._memory))
        if layers and (layers.info.puzzle, layers.info.goal) != (puzzle.name, aim.key):
            raise layers.file.damaged(f"is of {layers.info.puzzle}, goal {layers.info.goal}")
        return layers

    def oracle(self, name: str) -> StoredOracle | None:
        """The data of a puzzle's oracle; None where there are none. Raises DamagedTable."""
        return self._beside(self._oracles, oracle_path(self.data, name), StoredOracle)

    def _beside(
        self, places: dict[Path, _Place[Content]], path: Path, read: Callable[[Path], Content]
    ) -> Content | None:
        """What lies there now, if anything does."""
        with self._lock:
            place = places.setdefault(path, _Place(path, read, self._trust))
        try:
            return place.now().sound()
        except MissingTable:
            with self._lock:
                places.pop(path, None)
            return None

    def _read_table(self, path: Path) -> Table:
        table = Table(path, self._memory, self._count)
        table.load()
        return table

    def _file(self, path: Path) -> _File[Table]:
        """The file to answer from; what was kept of a former one is let go."""
        with self._lock:
            place = self._places.setdefault(path, _Place(path, self._read_table, self._trust))
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

    def _keep(self, key: tuple[str, str | None], file: _File[Table], source: OpenTable) -> None:
        """Have an open table at hand: so many as there may be, the last ones, and none of a former file."""
        with self._lock:
            place = self._places.get(file.path)
            if place is None or place.file is not file:
                return
            while len(self._opened) >= _AT_HAND:
                del self._opened[next(iter(self._opened))]
            self._opened[key] = file, source

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        return [(puzzle, goal) for _, kind, puzzle, goal in self._files() if not kind and puzzle.enumerable]

    def stored(self) -> list[Puzzle]:
        """Every puzzle of which there is a table, layers or an oracle's data in the folder, by name."""
        return [*{puzzle.name: puzzle for _, _, puzzle, _ in self._files()}.values()]

    def warm(self) -> dict[str, TableError | None]:
        """Open every file and look up one state in every table; what is wrong with each, or None.

        Damage that lookups came upon later, in a block read then, counts too.
        """
        state: dict[str, TableError | None] = {}
        for name, kind, puzzle, goal in self._files():
            try:
                noticed = self._noticed(kind, puzzle, goal)
            except TableError as error:
                state[name] = error
            else:
                state[name] = DamagedTable(*noticed) if noticed else None
        return state

    def _noticed(self, kind: str, puzzle: Puzzle, goal: Goal) -> tuple[str, str] | None:
        """What was found wrong with a file since it was source, which it is here if it was not."""
        if kind == "layers":
            self.layers(puzzle.name, goal.name)
        elif kind == "oracle":
            self.oracle(puzzle.name)
        else:
            return self.get(puzzle.name, goal.name).table.noticed
        return None

    def _files(self) -> Iterator[tuple[str, str, Puzzle, Goal]]:
        """Name, kind (none for a table), puzzle and goal of every file in the folder that has a name of ours."""
        for path in sorted(self.data.glob("*.duckdb")):
            table_name, _, kind = path.stem.partition(".")
            for puzzle, goal in _named(table_name):
                if kind in ("", "layers", "oracle") and puzzle.enumerable >= (kind != "oracle"):
                    yield path.stem, kind, puzzle, goal


def _named(table_name: str) -> list[tuple[Puzzle, Goal]]:
    """Puzzle and goals whose table has this name, for a puzzle without tables its first goal; none for other names."""
    name, _, key = table_name.partition("@")
    try:
        puzzle = find(name)
        if not puzzle.enumerable:
            return [] if key else [(puzzle, puzzle.goal())]
        goals = [goal for goal in puzzle.goals if puzzle.table_name(goal) == table_name]
        if key and not goals:
            goals = [goal for goal in [puzzle.goal(key)] if puzzle.table_name(goal) == table_name]
    except PuzzleError:
        return []
    return [(puzzle, goal) for goal in goals]

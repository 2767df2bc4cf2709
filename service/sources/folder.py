"""The data folder: each file is opened when it is first asked for, and reopened when it is replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as OutOfTime
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, Protocol, TypeVar

from cachetools import FIFOCache

from puzzlebase.db.array_store import ArrayStore
from puzzlebase.db.cache import DEFAULT_MEMORY
from puzzlebase.db.cache_folder import cache_folder
from puzzlebase.db.checked import Identity
from puzzlebase.db.errors import DamagedTable, MissingTable, TableError
from puzzlebase.db.layers import LayersFile, StoredLayers
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.paths import layers_path, oracle_path, remedy, table_path
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableFile
from puzzlebase.kernels import interpreted
from puzzlebase.puzzles import Goal, GraphSearch, Oracle, PatternDatabases, Puzzle, PuzzleError, find
from puzzlebase.puzzles.contract.errors import no_space
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES
from puzzlebase.service.sources.construction import OpenConstruction
from puzzlebase.service.sources.deadline import NO_DEADLINE, Deadline
from puzzlebase.service.sources.memory import Holding, Memory
from puzzlebase.service.sources.missing import missing_table
from puzzlebase.service.sources.oracle import FreeOracles, StoredOracle
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.table import OpenTable

_SOURCES = 256
"""Tables that are remembered by the puzzle and the goal that a request named: callers choose the names."""

_PARTS_ANSWER_WITHIN = 0.3
"""Seconds in which the parts of all tables have to answer for these to count as usable."""
_PARTS_AT_ONCE = 64
"""Tables whose parts are asked at a time."""

_READY_WITHIN = 0.4
"""Seconds that `ready` waits for files that are being opened."""

_RETRY_DAMAGED_AFTER = 30.0  # seconds: then a damaged file is opened once more, even if it has not changed


class _Content(Protocol):
    """What a file holds, open."""

    @property
    def held(self) -> object:
        """What is in memory of it, for those who count its bytes."""


Content = TypeVar("Content", bound=_Content)


@dataclass(eq=False)
class _Version(Holding, Generic[Content]):
    """A file as it was when it was opened: its content, or what is wrong with it."""

    file: _WatchedFile[Content]
    part: str
    identity: Identity
    content: Content | None
    damage: tuple[str, str]  # no exception: its traceback would keep alive all that was open when it was raised
    opened: float
    checked: float = -inf
    gone: bool = False
    right: bool = False
    """Whether the content was found to be that of its puzzle and goal."""

    @property
    def held(self) -> object:
        """What the content has in memory."""
        return self.content and self.content.held

    def free(self) -> None:
        """Free the content's memory; what is needed of it is read again when it is next asked for."""
        self.file.free(self)

    def is_current(self, recheck_after: float) -> bool:
        """Whether the file in the folder is still this one; asks the disk again only after so many seconds.

        A damaged file counts as replaced after a while: perhaps it lacked no more than a permission.
        """
        self.used = now = monotonic()
        if now - self.checked < recheck_after:
            return True
        same = Identity.at(self.file.path) == self.identity
        same &= self.content is not None or now - self.opened < _RETRY_DAMAGED_AFTER
        if same:
            self.checked = now
        return same

    def sound(self) -> Content:
        """The content; raises DamagedTable, a new one each time."""
        if self.content is None:
            raise DamagedTable(*self.damage)
        return self.content


class _WatchedFile(Generic[Content]):
    """One file of the folder, and the version of it that is open."""

    def __init__(self, path: Path, files: _Files[Content]) -> None:
        self.path = path
        self.version: _Version[Content] | None = None
        self._files = files
        self._opening = Lock()

    def latest(self) -> _Version[Content]:
        """The version now in the folder, wholly checked; the former one while another thread opens the new one.

        Only the first opening is waited for. Raises MissingTable.
        """
        version = self.version
        if version is not None and version.is_current(self._files.recheck_after):
            return version
        if not self._opening.acquire(blocking=version is None):
            assert version is not None
            return version
        try:
            version = self.version  # another thread may have opened it meanwhile
            if version is None or not version.is_current(self._files.recheck_after):
                version = self._reopen()
        finally:
            self._opening.release()
        return version

    def free(self, version: _Version[Content]) -> None:
        """Have a version make room: it unloads what it has in memory, or is closed; not while a new one is opened."""
        if not self._opening.acquire(blocking=False):
            return
        try:
            if self._files.unload and version.content is not None:
                self._files.unload(version.content)
                self._files.on_gone(version)
                return
            if self.version is version:
                self.version = None
            self._files.memory.forget(version)
            self._end(version)
        finally:
            self._opening.release()

    def _reopen(self) -> _Version[Content]:
        """Open the file that now lies here, and drop the former version, if there was one."""
        former, self.version = self.version, self._open()
        if former is not None:
            self._files.memory.forget(former)
            self._end(former)
        if self.version is None:
            raise MissingTable(f"there is no table of {self.path.stem} yet", remedy(self.path))
        self._files.memory.hold(self.version)
        return self.version

    def _end(self, version: _Version[Content]) -> None:
        version.gone = True
        self._files.on_gone(version)

    def _open(self, tries: int = 3) -> _Version[Content] | None:
        """Open the file, if there is one. If it is replaced meanwhile, an error says nothing about the new one."""
        identity = Identity.at(self.path)
        if identity is None:
            return None
        try:
            return _Version(self, self._files.part, identity, self._files.read(self.path), ("", ""), monotonic())
        except TableError as error:
            damage = str(error), error.hint
        if tries > 1 and Identity.at(self.path) != identity:
            return self._open(tries - 1)
        return _Version(self, self._files.part, identity, None, damage, monotonic())


class _Files(Generic[Content]):
    """The files of one kind, by path: those that were asked for and are there.

    `on_gone` is told of each version that was replaced or had to make room. For that, `unload` frees the memory of a
    content whose file stays open; without it the file is closed.
    """

    def __init__(
        self,
        part: str,
        read: Callable[[Path], Content],
        recheck_after: float,
        memory: Memory,
        on_gone: Callable[[_Version[Content]], None] = lambda _version: None,
        unload: Callable[[Content], None] | None = None,
    ) -> None:
        self.unload = unload
        self.part = part
        self.read = read
        self.recheck_after = recheck_after
        self.memory = memory
        self.on_gone = on_gone
        self._lock = Lock()  # never held while a file is read
        self._watched: dict[Path, _WatchedFile[Content]] = {}

    def latest(self, path: Path) -> _Version[Content]:
        """The version of a file that is now in the folder; raises MissingTable."""
        with self._lock:
            file = self._watched.get(path)
            if file is None:
                file = self._watched[path] = _WatchedFile(path, self)
        try:
            return file.latest()
        except MissingTable:
            with self._lock:
                if file.version is None and self._watched.get(path) is file:
                    del self._watched[path]
            raise

    def content(self, path: Path) -> Content | None:
        """What a file now holds; None where there is no file. Raises DamagedTable."""
        try:
            return self.latest(path).sound()
        except MissingTable:
            return None


class _Kept(NamedTuple):
    """A source for a puzzle and a goal, and the version of the file that it answers from."""

    version: _Version[Table]
    source: OpenTable


class _Opening(NamedTuple):
    """What an engine asks for the source of one answer, about a puzzle and a goal; None where its files are missing."""

    tables: Tables
    puzzle: Puzzle
    goal_name: str | None
    deadline: Deadline

    @property
    def goal(self) -> Goal:
        return self.puzzle.goal(self.goal_name)

    def table(self) -> Source | None:
        try:
            table = self.tables.get(self.puzzle.name, self.goal_name)
        except MissingTable:
            return None
        return table if self.deadline is NO_DEADLINE else replace(table, deadline=self.deadline)

    def oracle(self) -> Source | None:
        return self.tables.open_oracle(self.puzzle, self.goal, self.deadline)

    def construction(self) -> Source:
        return OpenConstruction(self.puzzle, self.goal, self.deadline)

    def search(self) -> Source:
        """Raises MissingTable: a search begins with a budget."""
        raise missing_table(self.puzzle, self.goal, self.tables.data)


class _FolderFile(NamedTuple):
    """A file in the folder: its name, its kind (empty for a table), and the puzzle and the goal it belongs to."""

    name: str
    kind: str
    puzzle: Puzzle
    goal: Goal


class Tables:
    """Tables, layers and oracles of a data folder, by puzzle and goal; safe to use from several threads.

    A request asks once and keeps what it got. So its answer comes from one table even if the file is replaced
    meanwhile, and a former table is freed after the last answer from it. The thread that notices a new file opens
    it. Until it is open the others go on with the former one, and requests for other tables do not wait. A damaged
    file is an error even if a sound one was open before: an answer depends on the folder alone, not on when the
    process began. A damaged file is not read again until it changes or half a minute has passed.

    `memory` is the account of what is held, or the bytes that all of it may take. A file is checked for a new version
    `recheck_after` seconds after its last check. `count_blocks` is told of blocks asked of tables that do not fit
    into memory: how many were cached, and how many had to be read. `mapped` says where distances lie in files for all
    processes to map; by default in the folder of cache_folder.py, made for tables that would fit into memory.
    """

    def __init__(
        self,
        data: Path,
        memory: Memory | int = DEFAULT_MEMORY,
        recheck_after: float = 0.0,
        count_blocks: Callable[[int, int], None] | None = None,
        mapped: MappedFiles | None = None,
    ) -> None:
        self.data = data
        self.mapped = mapped or MappedFiles(cache_folder(data))
        RANKING_TABLES.keep_in(ArrayStore(self.mapped.folder) if self.mapped.folder else None)
        self.memory = memory if isinstance(memory, Memory) else Memory(memory)
        self._recheck_after = recheck_after
        self._count_blocks = count_blocks
        self._tables = _Files("tables", self._read_table, recheck_after, self.memory, self._table_gone, unload=_unload)
        self._layers = _Files("layers", self._read_layers, recheck_after, self.memory)
        self._oracles = _Files("oracles", StoredOracle, recheck_after, self.memory)
        self._free_oracles = FreeOracles()
        self.memory.hold(self._free_oracles)
        # An LRU cache would need a lock at each read, which takes 0.8 of a lookup's 12 microseconds.
        self._sources: FIFOCache[tuple[str, str | None], _Kept] = FIFOCache(_SOURCES)
        self._lock = Lock()  # held while the sources change; they are read without it
        self._sweeps = ThreadPoolExecutor(1, "open")
        self._opened: Future[dict[str, TableError | None]] | None = None
        self._found: dict[str, TableError | None] = {}

    def get(self, name: str, goal_name: str | None = None) -> OpenTable:
        """The table of a puzzle and a goal, by default its first, as it now lies in the folder.

        Raises MissingTable or DamagedTable, UnknownPuzzle or UnknownGoal.
        """
        try:  # the cache's own `get` would look twice, and another thread could come between
            kept = self._sources[name, goal_name]
        except KeyError:
            kept = None
        if kept is not None and kept.version.is_current(self._recheck_after):
            return kept.source
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        try:
            version = self._tables.latest(table_path(self.data, puzzle.table_name(goal)))
        except MissingTable:
            raise missing_table(puzzle, goal, self.data) from None
        if kept is not None and kept.version is version:
            return kept.source
        source = OpenTable(puzzle, goal, puzzle.space(goal), version.sound())
        _check(source)
        version.right = True
        with self._lock:
            if not version.gone:
                self._sources[name, goal_name] = kept = _Kept(version, source)
                if goal == puzzle.goals[0]:
                    self._sources[name, None] = kept  # where `at_hand` looks
        return source

    def table(self, name: str, goal_name: str | None = None) -> Table:
        """The table without its space, to say what it is: nothing that had to make room is made again.

        Raises as `get` does.
        """
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        version = self._tables.latest(table_path(self.data, puzzle.table_name(goal)))
        return version.sound() if version.right else self.get(name, goal_name).table

    def header(self, name: str, goal_name: str | None = None) -> TableFile:
        """The file of a table, to say what it is: no space is made and no distance read. Raises as `get` does."""
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        path = table_path(self.data, puzzle.table_name(goal))
        file = self._tables.latest(path).sound().file
        if (file.info.puzzle, file.info.goal) != (puzzle.name, goal.key):
            raise _of_another(file)
        return file

    def at_hand(self, name: str) -> OpenTable | None:
        """The table of a puzzle and its first goal if it answers at once: `get` would not have to ask the disk.

        All of it is in memory, and no state has moves that must be followed first.
        """
        try:
            version, source = self._sources[name, None]
        except KeyError:
            return None
        if source.space.cut_off or not source.table.in_memory:
            return None
        return source if version.is_current(self._recheck_after / 2) else None

    def source(self, name: str, goal_name: str | None = None, deadline: Deadline = NO_DEADLINE) -> Source:
        """What answers about a puzzle and a goal: the first of its engines whose files are there.

        Where that is a search, which has a budget, MissingTable is raised. Raises as `get` does.
        """
        puzzle = find(name)
        opening = _Opening(self, puzzle, goal_name, deadline)
        for engine in puzzle.engines:
            if source := engine.open(opening):
                return source
        if puzzle.engine(Oracle) is None:
            raise no_space(name)
        path = table_path(self.data, name)  # which a build makes of such a puzzle in place of a table
        raise MissingTable(f"the data of the oracle of {name} are not there yet", remedy(path))

    def without_search(
        self, name: str, goal_name: str | None = None, deadline: Deadline = NO_DEADLINE
    ) -> Source | None:
        """As `source`, but None where a search can answer. Raises MissingTable where nothing can."""
        try:
            return self.source(name, goal_name, deadline)
        except MissingTable:
            if find(name).engine(GraphSearch) is None:
                raise
            return None

    def layers(self, name: str, goal_name: str | None = None) -> StoredLayers | None:
        """The stored layers of a puzzle and a goal; None where there are none. Raises as `get` does."""
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        layers = self._layers.content(layers_path(self.data, puzzle.table_name(goal)))
        if layers and (layers.info.puzzle, layers.info.goal) != (puzzle.name, goal.key):
            raise _of_another(layers.file)
        return layers

    def patterns(self, name: str, goal_name: str | None = None) -> dict[str, OpenTable]:
        """The tables of a puzzle's patterns, by name; none unless all of them are there and fit into memory.

        Raises as `get` does.
        """
        puzzle = find(name)
        needs = puzzle.needs(PatternDatabases, puzzle.goal(goal_name)) or ()
        try:
            found = {need.puzzle: self.get(need.puzzle, need.goal) for need in needs}
        except MissingTable:
            return {}
        return found if all(source.table.resident for source in found.values()) else {}

    def for_searches(self, name: str, goal_name: str | None = None) -> list[str]:
        """The digests of the files that searches to a goal use: layers, and the tables of patterns. Raises as `get`."""
        puzzle, layers = find(name), self.layers(name, goal_name)
        needs = puzzle.needs(PatternDatabases, puzzle.goal(goal_name)) or ()
        try:
            digests = [self.header(need.puzzle, need.goal).digest for need in needs]
        except MissingTable:
            digests = []
        return [*digests, layers.file.digest] if layers else digests

    def oracle(self, name: str) -> StoredOracle | None:
        """The data of a puzzle's oracle; None where there are none. Raises DamagedTable."""
        return self._oracles.content(oracle_path(self.data, name))

    def open_oracle(self, puzzle: Puzzle, goal: Goal, deadline: Deadline) -> Source | None:
        """The oracle of a puzzle for one answer; None where its data are not there. Raises DamagedTable."""
        if free := self._free_oracles.open(puzzle, goal, deadline):
            return free
        stored = self.oracle(puzzle.name)
        return stored.open(puzzle, goal, deadline) if stored else None

    def _read_table(self, path: Path) -> Table:
        table = Table(path, self.memory.for_blocks, self._count_blocks, self.mapped)
        if self.memory.bound:  # else only headers are asked for
            table.load()
        return table

    def _read_layers(self, path: Path) -> StoredLayers:
        return StoredLayers(path, self.memory.bound)

    def _table_gone(self, former: _Version[Table]) -> None:
        """Forget the sources of a version of a table, so that its memory is freed."""
        with self._lock:
            for key in [key for key, kept in self._sources.items() if kept.version is former]:
                del self._sources[key]

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        return [(file.puzzle, file.goal) for file in self._files() if not file.kind and file.puzzle.enumerable]

    def stored(self) -> list[Puzzle]:
        """Every puzzle that has a table, layers or an oracle's data in the folder, by name."""
        return [*{file.puzzle.name: file.puzzle for file in self._files()}.values()]

    def warm(self) -> dict[str, TableError | None]:
        """Open every file, and look up the goal in a table that is new; what is wrong with each file, or None.

        Damage that a lookup came upon later, in a block read then, counts too, and so does a part that does not answer.
        The parts of all tables are asked at once, so that a server that is silent delays nobody for long.
        """
        files = {file.name: file for file in self._files()}
        split = {name: table for name, file in files.items() if (table := self._in_parts(file))}
        with ThreadPoolExecutor(_PARTS_AT_ONCE, "ready") as threads:
            asked = threads.map(partial(_silence, until=monotonic() + _PARTS_ANSWER_WITHIN), split.values())
            errors = dict(zip(split, asked, strict=True))
            answering = [files[name] for name in split if errors[name] is None]
            opened = threads.map(self._error, answering)
            errors |= {file.name: error for file, error in zip(answering, opened, strict=True)}
        self._found = {name: errors[name] if name in split else self._error(file) for name, file in files.items()}
        return self._found

    def ready(self) -> dict[str, TableError | None]:
        """As `warm`, but where files take longer than 0.4 seconds to open, what it found the last time."""
        with self._lock:
            if self._opened is None or self._opened.done():
                self._opened = self._sweeps.submit(self.warm)
            opened = self._opened
        try:
            return opened.result(_READY_WITHIN if self._found else None)
        except OutOfTime:
            return self._found

    def _in_parts(self, file: _FolderFile) -> TableFile | None:
        """The file of a table in parts, opened; None for any other file."""
        try:
            table = None if file.kind else self._tables.latest(table_path(self.data, file.name)).sound().file
        except TableError:
            return None
        return table if table and table.parts else None

    def _error(self, file: _FolderFile) -> TableError | None:
        """Have a file open; what is wrong with it, if anything."""
        try:
            noticed = self._open(file)
        except TableError as error:
            return error.with_traceback(None)  # which would keep alive all that was open
        return DamagedTable(*noticed) if noticed else None

    def _open(self, file: _FolderFile) -> tuple[str, str] | None:
        """Have a file open; the damage that lookups have noticed since it was opened, if any."""
        if file.kind == "layers":
            self.layers(file.puzzle.name, file.goal.name)
        elif file.kind == "oracle":
            self.oracle(file.puzzle.name)
        else:
            return self.table(file.puzzle.name, file.goal.name).noticed
        return None

    def _files(self) -> Iterator[_FolderFile]:
        """Every file in the folder whose name is that of a table, of layers or of an oracle."""
        for path in sorted(self.data.glob("*.duckdb")):
            table_name, _, kind = path.stem.partition(".")
            for puzzle, goal in _named(table_name):
                if kind in ("", "layers", "oracle") and puzzle.enumerable >= (kind != "oracle"):
                    yield _FolderFile(path.stem, kind, puzzle, goal)


def _silence(table: TableFile, until: float) -> TableError | None:
    """The error of a table's parts, if not all of them answer until then, a time of monotonic()."""
    try:
        table.check_parts(until)
    except TableError as error:
        return error
    return None


def _unload(table: Table) -> None:
    table.unload()


def _check(source: OpenTable) -> None:
    """Raise DamagedTable if the table is not that of the puzzle and the goal."""
    info, space = source.table.info, source.space
    found = (info.puzzle, info.goal, info.states, info.stored_size)
    if found != (source.puzzle.name, source.goal.key, space.size, space.stored_size):
        raise _of_another(source.table.file)
    with interpreted():
        zeros = not source.distances(space.goal_states).any()
    if not zeros:
        raise source.table.file.damaged("does not have distance 0 at the goal states")


def _of_another(file: TableFile | LayersFile) -> DamagedTable:
    """The error of a file that does not belong to its name now: copied there, or built before the rules changed."""
    info = file.info
    return file.damaged(f"is of {info.puzzle}, goal {info.goal}, of another version or of another definition")


def _named(table_name: str) -> list[tuple[Puzzle, Goal]]:
    """The puzzle and the goals whose table has this name; for a puzzle without tables, its first goal."""
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

"""The data folder: its tables, layers and oracles by puzzle and goal, and the sources of a puzzle's engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as OutOfTime
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeVar

from cachetools import FIFOCache

from puzzlebase import plugins
from puzzlebase.db.blobs import BlobsFile
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.errors import DamagedTable, MissingTable, TableError
from puzzlebase.db.layers import LayersFile, StoredLayers
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.shared_arrays import Arrays
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableHeader
from puzzlebase.kernels import interpreted
from puzzlebase.paths import DataFolder, cache_folder, layers_path, oracle_path, remedy, table_path
from puzzlebase.puzzles import (
    RANKING_TABLES,
    Engine,
    Goal,
    GraphSearch,
    PatternDatabases,
    Puzzle,
    PuzzleError,
    Space,
    WholeTable,
    find,
)
from puzzlebase.puzzles.contract.errors import no_space
from puzzlebase.puzzles.discovery import changed
from puzzlebase.puzzles.machinery.any_goal import numbered
from puzzlebase.service.sources.budget import NO_DEADLINE, Deadline
from puzzlebase.service.sources.memory import Memory
from puzzlebase.service.sources.source import NOT_FOLLOWED, Source
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sources.watched import Files, Version

Found = TypeVar("Found")

_SOURCES = 256  # tables cached by the puzzle and the goal that a request named: callers choose the names
_READY_WITHIN = 0.4  # seconds that `ready` waits for files that are being opened


class Opening(NamedTuple):
    """The arguments of an engine's source, for one answer about a puzzle and a goal."""

    tables: Tables
    puzzle: Puzzle
    goal_name: str | None
    deadline: Deadline

    @property
    def goal(self) -> Goal:
        """The goal of the name."""
        return self.puzzle.goal(self.goal_name)


def _table(_: Engine, opening: Opening) -> Source | None:
    try:
        table = opening.tables.get(opening.puzzle.name, opening.goal_name)
    except MissingTable:
        return None
    return table if opening.deadline is NO_DEADLINE else replace(table, deadline=opening.deadline)


def _search(_: Engine, opening: Opening) -> Source:
    """Raise MissingTable: a search begins with a budget."""
    raise missing_table(opening.puzzle, opening.goal, opening.tables.data)


# The function that opens an engine, by its kind; it returns None if files are missing. Tools have other kinds.
_OPENERS: dict[str, Callable[[Engine, Opening], Source | None]] = {
    "table": _table,
    "patterns": _search,
    "search": _search,
}


class _FolderFile(NamedTuple):
    """A file of the folder: its name, its kind (empty for a table), its puzzle and its goal."""

    name: str
    kind: str
    puzzle: Puzzle
    goal: Goal


class _Opened(NamedTuple):
    """A table that a request named: its file, its source, and the definition files at that time."""

    version: Version[Table]
    source: OpenTable
    seen: int

    def is_current(self, recheck_after: float) -> bool:
        """True if the table's file is still this one, and the definition files have not changed."""
        return self.version.is_current(recheck_after) and (not self.source.puzzle.about.rules or self.seen == changed())


class Tables:
    """Tables, layers and oracles of a data folder, by puzzle and goal; safe to use from several threads.

    A request asks once and keeps its source, so an answer never mixes two files, and a replaced table is freed after
    its last answer. The thread that notices a new file opens it; until then the others use the old one. A damaged file
    is an error even if a sound one was open before, since answers depend on the folder alone. It is read again when it
    changes or after half a minute.

    `memory` is the account, or a bound in bytes. A file is checked for a new version `recheck_after` seconds after the
    last check. `count_blocks` gets two numbers of blocks, for tables too large for memory: found in the cache, and
    read. `mapped` has the files of distances that all processes map, by default those of the cache folder.
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
        self.memory = memory if isinstance(memory, Memory) else Memory(memory)
        self._recheck_after = recheck_after
        self._count_blocks = count_blocks
        self._tables = Files("tables", self._read_table, recheck_after, self.memory, self._table_gone, Table.unload)
        self._layers = Files("layers", partial(StoredLayers, memory=self.memory.bound), recheck_after, self.memory)
        self._oracles = Files("oracles", BlobsFile, recheck_after, self.memory)
        # An LRU cache would need a lock at each read, which takes 0.8 of a lookup's 12 microseconds.
        self._sources: FIFOCache[tuple[str, str | None], _Opened] = FIFOCache(_SOURCES)
        self._lock = Lock()  # held while the sources change; they are read without it
        self._sweeps = ThreadPoolExecutor(1, "open")
        self._opened: Future[dict[str, TableError | None]] | None = None
        self._found: dict[str, TableError | None] = {}

    def get(self, name: str, goal_name: str | None = None) -> OpenTable:
        """The current table of the folder. Raises MissingTable, DamagedTable, UnknownPuzzle and UnknownGoal."""
        try:  # the cache's own `get` would look twice, and another thread could come between
            cached = self._sources[name, goal_name]
        except KeyError:
            cached = None
        if cached and cached.is_current(self._recheck_after):
            return cached.source
        seen, puzzle = changed(), find(name)
        goal = puzzle.goal(goal_name)
        version = self._version(puzzle, goal)
        if cached and cached.version is version and cached.source.puzzle.about.rules == puzzle.about.rules:
            source = cached.source
        else:
            table = version.sound()
            puzzle = self._with_states(puzzle, table)
            source = OpenTable(puzzle, goal, self.space(puzzle, goal), table)
            _check(source)
            version.right = puzzle.about.rules
        with self._lock:
            if not version.gone:
                self._sources[name, goal_name] = opened = _Opened(version, source, seen)
                if goal == puzzle.goals[0]:
                    self._sources[name, None] = opened  # for `at_hand`
        return source

    def _version(self, puzzle: Puzzle, goal: Goal) -> Version[Table]:
        """The current version of a table's file; raises MissingTable."""
        try:
            return self._tables.latest(table_path(self.data, puzzle.table_name(goal)))
        except MissingTable:
            raise missing_table(puzzle, goal, self.data) from None

    def space(self, puzzle: Puzzle, goal: Goal) -> Space:
        """The space of a puzzle and a goal, made with `numbering`. Raises NoSpace."""
        with self.numbering():
            return puzzle.space(goal)

    def numbering(self) -> AbstractContextManager[None]:
        """Inside this block of `with`, what numbers states is cached for this folder."""
        return RANKING_TABLES.stored_in(self.mapped.numberings)

    def _with_states(self, puzzle: Puzzle, table: Table) -> Puzzle:
        """The puzzle with its states numbered as in the file of its table, if a build found them."""
        found, header, store = puzzle.found, table.header, self.mapped.numberings
        if not found:
            return puzzle

        def ranking() -> Arrays:
            return table.file.ranking()

        def space() -> Space:
            arrays = store(header.path.stem, header.mark, ranking) if store else ranking()
            with header.damage():
                return found.space(arrays)

        return numbered(puzzle, space)

    def table(self, name: str, goal_name: str | None = None) -> Table:
        """The table without its space, which may take long to make. Raises as `get` does."""
        puzzle = find(name)
        version = self._version(puzzle, puzzle.goal(goal_name))
        return version.sound() if version.right == puzzle.about.rules else self.get(name, goal_name).table

    def header(self, name: str, goal_name: str | None = None) -> TableHeader:
        """The header of a table, without its space and distances. Raises as `get` does."""
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        header = self._version(puzzle, goal).sound().header
        if (header.info.puzzle, header.info.goal) != (puzzle.name, goal.key):
            raise _of_another(header)
        return header

    def at_hand(self, name: str) -> OpenTable | None:
        """The table of a puzzle's first goal, if it answers from memory alone and the rules need to follow no move."""
        try:
            opened = self._sources[name, None]
        except KeyError:
            return None
        blocks = opened.source.table.blocks
        if opened.source.space.cut_off or not (blocks and blocks.in_memory):
            return None
        return opened.source if opened.is_current(self._recheck_after / 2) else None

    def source(self, name: str, goal_name: str | None = None, deadline: Deadline = NO_DEADLINE) -> Source:
        """The source of the first engine that has its files. Raises as `get` does, and MissingTable for a search."""
        puzzle = find(name)
        opening = Opening(self, puzzle, goal_name, deadline)
        for engine in puzzle.engines:
            opener = _OPENERS.get(engine.kind) or plugins.find("sources", engine.kind)
            if opener and (source := opener(engine, opening)):
                return source
        needs = (need for engine in puzzle.engines for need in engine.needs(name, opening.goal) or ())
        if "oracle" not in {need.kind for need in needs}:
            raise no_space(name)
        path = table_path(self.data, name)  # a build makes it of such a puzzle in place of a table
        raise MissingTable(f"the data of the oracle of {name} are missing", remedy(path))

    def without_search(
        self, name: str, goal_name: str | None = None, deadline: Deadline = NO_DEADLINE, state: str | None = None
    ) -> Source | None:
        """The source as by `source`, but None if a search can answer; raises MissingTable if nothing can.

        A build may have found the states that the start leads to. A search also answers for any other legal `state`.
        """
        try:
            source = self.source(name, goal_name, deadline)
        except MissingTable:
            if find(name).engine(GraphSearch) is None:
                raise
            return None
        outside = state is not None and find(name).found and source.index(state) == NOT_FOLLOWED
        return None if outside else source

    def layers(self, name: str, goal_name: str | None = None) -> StoredLayers | None:
        """The stored layers of a puzzle and a goal; None without any. Raises as `get` does."""
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        layers = self._layers.content(layers_path(self.data, puzzle.table_name(goal)))
        if layers and (layers.info.puzzle, layers.info.goal) != (puzzle.name, goal.key):
            raise _of_another(layers.file)
        return layers

    def patterns(self, name: str, goal_name: str | None = None) -> dict[str, OpenTable]:
        """The tables of a puzzle's patterns by name, if all exist. Raises as `get` does.

        If their distances can neither be mapped nor held in memory, there are none, and a line of the log says why.
        """
        found = self._of_patterns(name, goal_name, self.get)
        return {source.puzzle.name: source for source in found} if all(each.whole for each in found) else {}

    def has_patterns(self, name: str, goal_name: str | None = None) -> bool:
        """True if the tables of a puzzle's patterns exist. Raises as `get` does."""
        return bool(self._of_patterns(name, goal_name, self.header))

    def for_searches(self, name: str, goal_name: str | None = None) -> list[str]:
        """The digests of the files that searches to a goal use: layers and tables of patterns. Raises as `get` does."""
        layers = self.layers(name, goal_name)
        digests = [file.digest for file in self._of_patterns(name, goal_name, self.header)]
        return [*digests, layers.file.digest] if layers else digests

    def _of_patterns(self, name: str, goal_name: str | None, get: Callable[[str, str | None], Found]) -> list[Found]:
        """Call `get` for the table of each pattern; the list is empty if one is missing."""
        puzzle = find(name)
        needs = puzzle.needs(PatternDatabases, puzzle.goal(goal_name)) or ()
        try:
            return [get(need.puzzle, need.goal) for need in needs]
        except MissingTable:
            return []

    def oracle(self, name: str) -> BlobsFile | None:
        """The data of a puzzle's oracle; None without any. Raises DamagedTable."""
        return self._oracles.content(oracle_path(self.data, name))

    def _read_table(self, path: Path) -> Table:
        table = Table(path, self.memory.for_blocks, self._count_blocks, self.mapped)
        if self.memory.bound:  # else only headers are read
            table.load()
        return table

    def _table_gone(self, former: Version[Table]) -> None:
        """Forget the sources of a version of a table, so that its memory is freed."""
        with self._lock:
            for key in [key for key, opened in self._sources.items() if opened.version is former]:
                del self._sources[key]

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """Puzzle and goal of every table in the folder, by name."""
        return [(file.puzzle, file.goal) for file in self._files() if not file.kind and file.puzzle.enumerable]

    def stored(self) -> list[Puzzle]:
        """Every puzzle that has a table, layers or an oracle's data in the folder, by name."""
        return [*{file.puzzle.name: file.puzzle for file in self._files()}.values()]

    def warm(self) -> dict[str, TableError | None]:
        """Open every file, and look up the goal in each new table. Returns the error of each file, or None.

        Damage that lookups found in a block counts too.
        """
        self._found = {file.name: _error(partial(self._open, file)) for file in self._files()}
        return self._found

    def ready(self) -> dict[str, TableError | None]:
        """The result of `warm`, or the last one if files take longer than 0.4 seconds to open."""
        with self._lock:
            if self._opened is None or self._opened.done():
                self._opened = self._sweeps.submit(self.warm)
            opened = self._opened
        try:
            return opened.result(_READY_WITHIN if self._found else None)
        except OutOfTime:
            return self._found

    def _open(self, file: _FolderFile) -> None:
        """Open a file; raises its error, or the damage that lookups have found in it since."""
        if file.kind == "layers":
            self.layers(file.puzzle.name, file.goal.name)
        elif file.kind == "oracle":
            self.oracle(file.puzzle.name)
        else:
            for words in self.table(file.puzzle.name, file.goal.name).header.noticed:
                raise DamagedTable(*words)

    def _files(self) -> Iterator[_FolderFile]:
        """The files in the folder with the name of a table, of layers or of an oracle."""
        for path in sorted(self.data.glob("*.duckdb")):
            table_name, _, kind = path.stem.partition(".")
            for puzzle, goal in _named(table_name):
                if kind in ("", "layers", "oracle") and puzzle.enumerable >= (kind != "oracle"):
                    yield _FolderFile(path.stem, kind, puzzle, goal)


def tables_of(folder: DataFolder, memory: int = DEFAULT_MEMORY, recheck_after: float = 0.0) -> Tables:
    """Open a data folder, or the folder at an address by a tool; raises NoDataFolder."""
    opener = plugins.find("folders", folder.scheme) if folder.scheme else None
    return opener(folder.place) if opener else Tables(folder.existing(), memory, recheck_after)


def missing_table(puzzle: Puzzle, goal: Goal, data: Path) -> MissingTable:
    """The error if only a missing table could answer; raises NoSpace for a puzzle without tables."""
    name = puzzle.table_name(goal)
    if puzzle.engine(WholeTable):
        return MissingTable(f"there is no table of {name} yet", remedy(table_path(data, name)))
    return MissingTable(
        f"{puzzle.name} has no table of all its states: there are too many",
        "ask about single states, which a search answers, or about a smaller puzzle",
    )


def _error(work: Callable[[], None]) -> TableError | None:
    """The error that work raises, if any."""
    try:
        work()
    except TableError as error:
        return error.with_traceback(None)  # which would keep alive all that was open
    return None


def _check(source: OpenTable) -> None:
    """Raise DamagedTable if the table is not that of the puzzle and the goal."""
    info, space = source.table.info, source.space
    found = (info.puzzle, info.goal, info.states, info.stored, info.stored_size)
    if found != (source.puzzle.name, source.goal.key, space.size, space.storage.name, space.stored_size):
        raise _of_another(source.table.header)
    with interpreted(always=len(space.goal_states) < 100):
        zeros = not source.distances(space.goal_states).any()
    if not zeros:
        raise source.table.header.damaged("does not have distance 0 at the goal states")


def _of_another(file: TableHeader | LayersFile) -> DamagedTable:
    """The error of a file that does not belong to its name: copied there, or built before the rules changed."""
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
        goals = goals or [goal for goal in ([puzzle.goal(key)] if key else ()) if puzzle.table_name(goal) == table_name]
    except PuzzleError:
        return []
    return [(puzzle, goal) for goal in goals]

"""The sources of a puzzle's distances: for a goal,
that of the first engine whose files are in the folder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from weakref import WeakValueDictionary

from puzzlebase import hooks
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.errors import MissingTable, TableError
from puzzlebase.db.shared_arrays import Arrays
from puzzlebase.db.stored_file import Identity, damage_of_file
from puzzlebase.db.table import Table
from puzzlebase.kernels import interpreted
from puzzlebase.paths import DataFolder, build_remedy, table_path
from puzzlebase.puzzles import (
    Engine,
    Goal,
    GraphSearch,
    PatternDatabases,
    Puzzle,
    Space,
    WholeTable,
    find,
)
from puzzlebase.puzzles.contract.errors import no_index_side
from puzzlebase.puzzles.discovery import discovery_version
from puzzlebase.puzzles.machinery.any_goal import numbered
from puzzlebase.sentinels import NOT_FOLLOWED
from puzzlebase.service.sources.budget import NO_DEADLINE, Deadline
from puzzlebase.service.sources.folder import Folder, FolderFile
from puzzlebase.service.sources.memory import Memory
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sources.watched import Version, watched_file_error


class Opening(NamedTuple):
    """The request to open the source of a plugin's engine, for a puzzle and a goal."""

    puzzle: Puzzle
    goal: Goal
    deadline: Deadline
    memory: Memory


@dataclass(frozen=True, eq=False)
class _Opened:
    """A table that a request named: its file, its source, and the definition files at that time."""

    version: Version[Table]
    source: OpenTable
    seen: int

    def is_current(self, recheck_after: float) -> bool:
        """True if the table's file is still this one, and the definition files have not changed."""
        return self.version.is_current(recheck_after) and (
            not self.source.puzzle.about.rules or self.seen == discovery_version()
        )


class Sources:
    """The sources of a folder's puzzles, by puzzle and goal; safe to use from several threads.

    A request asks once and keeps its source, so an answer never mixes two files, and a replaced
    table is freed after its last answer. The thread that notices a new file opens it; until then
    the others use the old one. A damaged file is an error even if a sound one was open before,
    since answers depend on the folder alone. It is read again when it changes or after half a
    minute.
    """

    def __init__(self, folder: Folder | Path) -> None:
        self.folder = folder if isinstance(folder, Folder) else Folder(folder)
        # By the names in a request; the version of a table holds them. They are read without a
        # lock.
        self._opened: WeakValueDictionary[tuple[str, str | None], _Opened] = WeakValueDictionary()
        self._lock = Lock()  # held while they change
        # Of files that were opened: the file and the definitions then, and the file as it was
        # opened.
        self._sound: dict[str, tuple[tuple[Identity | None, int], Identity | None]] = {}

    def find(
        self,
        name: str,
        goal_name: str | None = None,
        deadline: Deadline = NO_DEADLINE,
        state: str | None = None,
        *,
        search: bool = True,
    ) -> Source | None:
        """The source of the first engine that has its files,
        None for a search, which begins with a budget.

        A build may have found the states that the start leads to. A search also answers for any
        other legal `state`. Raises as `table` does, MissingTable if nothing can answer, or only a
        search that may not, and NoSpace.
        """
        puzzle = find(name)
        for engine in puzzle.engines:
            if isinstance(engine, GraphSearch | PatternDatabases):
                if not search or puzzle.engine(GraphSearch) is None:
                    raise missing_table(puzzle, puzzle.goal(goal_name), self.folder.data)
                return None
            if source := self._of_engine(engine, puzzle, goal_name, deadline):
                outside = state is not None and puzzle.found and source.index(state) == NOT_FOLLOWED
                return None if outside else source
        raise no_index_side(name)

    def _of_engine(
        self, engine: Engine, puzzle: Puzzle, goal_name: str | None, deadline: Deadline
    ) -> Source | None:
        """The source of a table or of a plugin's engine; None if its files are missing."""
        if isinstance(engine, WholeTable):
            try:
                table = self.table(puzzle.name, goal_name)
            except MissingTable:
                return None
            return table if deadline is NO_DEADLINE else replace(table, deadline=deadline)
        opener, goal = hooks.find("sources", engine.kind), puzzle.goal(goal_name)
        if opener is None:
            return None
        with self.folder.numbering():
            source: Source = opener(engine, Opening(puzzle, goal, deadline, self.folder.memory))
        return source

    def table(self, name: str, goal_name: str | None = None) -> OpenTable:
        """The current table of a puzzle. Raises MissingTable,
        DamagedTable, UnknownPuzzle and UnknownGoal.
        """
        cached = self._opened.get((name, goal_name))
        if cached and cached.is_current(self.folder.recheck_after):
            return cached.source
        seen, puzzle = discovery_version(), find(name)
        goal = puzzle.goal(goal_name)
        version = self.folder.tables.latest(puzzle, goal)
        if version is None:
            raise missing_table(puzzle, goal, self.folder.data)
        if (
            cached
            and cached.version is version
            and cached.source.puzzle.about.rules == puzzle.about.rules
        ):
            source = cached.source
        else:
            source = self._checked(puzzle, goal, version.of(puzzle, goal))
        opened = _Opened(version, source, seen)
        with self._lock:
            if (made := version.made) is not None:  # another thread may drop the version meanwhile
                for key in {goal_name, None} if goal == puzzle.goals[0] else {goal_name}:
                    made[key] = self._opened[name, key] = opened
        return source

    def in_memory(self, name: str) -> OpenTable | None:
        """The table of a puzzle's first goal,
        if it answers from memory alone and the rules need to follow no move.
        """
        opened = self._opened.get((name, None))
        if opened is None:
            return None
        blocks = opened.source.table.blocks
        if opened.source.space.directed or not (blocks and blocks.in_memory):
            return None
        return opened.source if opened.is_current(self.folder.recheck_after / 2) else None

    def _checked(self, puzzle: Puzzle, goal: Goal, table: Table) -> OpenTable:
        """The source of a table.
        Raises DamagedTable if it is not that of the puzzle and the goal.
        """
        puzzle = self._with_states(puzzle, table)
        space, info = self.folder.space(puzzle, goal), table.info
        source = OpenTable(puzzle, goal, space, table)
        same = (info.states, info.stored, info.stored_size) == (
            space.size,
            space.storage.name,
            space.stored_size,
        )
        if same:
            with interpreted(always=len(space.goal_states) < 100):
                same = not source.distances(space.goal_states).any()
        if not same:
            raise watched_file_error(table.header.path, table.of)
        return source

    def _with_states(self, puzzle: Puzzle, table: Table) -> Puzzle:
        """The puzzle with its states numbered as in the file of its table,
        if a build found them.
        """
        found, header, store = puzzle.found, table.header, self.folder.mapped.numberings
        if not found:
            return puzzle

        def ranking() -> Arrays:
            return table.file.ranking()

        def space() -> Space:
            arrays = store(header.path.stem, ranking, header.mark) if store else ranking()
            with header.damage():
                return found.space(arrays)

        return numbered(puzzle, space)

    def warm(self) -> dict[str, TableError | None]:
        """Open every file that is new, and look up the goal in each table.
        Returns the error of each file, or None.

        Damage that lookups found in a block counts too.
        """
        return {file.path.stem: self._error(file) for file in self.folder.files()}

    def _error(self, file: FolderFile) -> TableError | None:
        """The error of opening a file,
        or the damage that lookups have found in it since; None without any.
        """
        version = Identity.at(file.path), discovery_version()
        known, opened_as = self._sound.get(file.path.stem, (None, None))
        if known != version:  # one that was evicted is not read again
            try:
                if file.is_table:
                    opened_as = self.table(file.puzzle.name, file.goal.name).table.header.identity
                else:
                    self.folder.layers.find(file.puzzle, file.goal)
                    opened_as = version[0]
            except TableError as error:
                return error.with_traceback(None)  # which would keep alive all that was open
            self._sound[file.path.stem] = version, opened_as
        return damage_of_file(version[0]) or damage_of_file(opened_as)


def sources_of(
    folder: DataFolder, memory: int = DEFAULT_MEMORY, recheck_after: float = 0.0
) -> Sources:
    """Open a data folder, or the folder at an address by a plugin; raises NoDataFolder."""
    opener = hooks.find("folders", folder.scheme) if folder.scheme else None
    return (
        opener(folder.place)
        if opener
        else Sources(Folder(folder.existing(), memory, recheck_after))
    )


def missing_table(puzzle: Puzzle, goal: Goal, data: Path) -> MissingTable:
    """The error of the sources if only a missing table could answer;
    raises NoSpace for a puzzle without tables.
    """
    name = puzzle.table_name(goal)
    if puzzle.engine(WholeTable):
        return MissingTable(
            f"there is no table of {name} yet", build_remedy(table_path(data, name))
        )
    return MissingTable(
        f"{puzzle.name} has no table of all its states: there are too many",
        "ask about single states, which a search answers, or about a smaller puzzle",
    )

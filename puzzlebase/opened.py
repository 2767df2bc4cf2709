"""A puzzle for Python programs: the answers of the service as dicts, without a service."""

from __future__ import annotations

import atexit
import logging
import threading
from collections import deque
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from puzzlebase.answer_methods import Answer, AnswerMethods
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.paths import DataFolder, build_remedy, table_path
from puzzlebase.puzzles import Distances, Goal, Indices, Puzzle, Signed, WholeTable, find
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.record import AnswerRecord
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.search import OpenSearch, Searchable, pattern_tables
from puzzlebase.service.sources.source import Source, indices_of
from puzzlebase.service.sources.sources import sources_of
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.system import processors

if TYPE_CHECKING:
    import duckdb


_LOG = logging.getLogger(__name__)  # without a handler a warning goes to standard error
_RECHECK_AFTER = 1.0  # seconds: then the folder is asked for a newer file
# States that a thread looks up at a time. Arrays for fewer lie in small pages, which took up to
# half more time.
_TOGETHER = 1 << 19


class State(str):
    """A state as text, which a notebook shows as its picture."""

    __slots__ = ("puzzle",)
    puzzle: OpenPuzzle

    def after(self, moves: str | Sequence[str]) -> State:
        """The state after moves, such as "L R2'"; raises IllegalMove."""
        text = str(self)
        for move in moves.split() if isinstance(moves, str) else moves:
            text = self.puzzle.record.play(text, move)
        return self.puzzle.state(text)

    def _repr_svg_(self) -> str:
        return self.puzzle.picture(self)


class OpenPuzzle(AnswerMethods):
    """A puzzle, a goal and a data folder. It answers from the table,
    else from an oracle, else by a search.

    A file that is built or replaced later is noticed. Methods raise InvalidState for a text that is
    no state, and ImpossibleState for a state that cannot occur. They raise MissingTable if only a
    whole table can answer, and DamagedTable. InvalidRequest is for arguments that cannot be met.
    """

    def __init__(self, name: str, goal: str | None, data: DataFolder, seconds: float) -> None:
        self._data = data
        self._sources = sources_of(data, DEFAULT_MEMORY, _RECHECK_AFTER)
        if "://" in name:
            ((puzzle, at),) = self._sources.folder.built()
            name, goal = puzzle.name, at.name
        self.name = find(name).name
        self.seconds = seconds
        self._goal_name = goal
        _ = self.goal  # raises UnknownGoal
        self._searchable: Searchable | None = None

    def __repr__(self) -> str:
        return (
            f"puzzlebase.open({self.name!r}, goal={self.goal.name!r}, "
            f"data={str(self._data.place)!r})"
        )

    @property
    def record(self) -> Puzzle:
        """The puzzle, of its file as it is now if it has one."""
        return find(self.name)

    @property
    def goal(self) -> Goal:
        """The goal."""
        return self.record.goal(self._goal_name)

    @property
    def moves(self) -> list[str]:
        """The names of its moves. If they depend on the state, those of the goal's start."""
        return [move.name for move in self.record.moves_of(self.goal.start)]

    @property
    def source(self) -> str:
        """The source of answers now: table, oracle, construction or search."""
        return self._source().origin.name

    def state(self, text: str | None = None) -> State:
        """Read a text as a state, by default the start of the goal's puzzle;
        raises InvalidState or ImpossibleState.
        """
        state = State(self.goal.start if text is None else text)
        self.record.parse(state)
        state.puzzle = self
        return state

    def lookup(self, state: str) -> Answer:
        """The distance of a state, and of all states a move away, best move first."""
        return lookups.lookup(self._source(state), state)

    def distance(self, state: str) -> int | None:
        """The fewest moves to the goal; None if it cannot be reached.
        Raises TimeoutError if a search gave up.
        """
        source = self._source(state)
        return self._known(*source.distances_of([source.index(state)]))

    def distances(self, states: Collection[str | int]) -> Signed:
        """The distances of many states, given as texts or as indices;
        -1 if the goal cannot be reached.

        A list, an array or a column of a frame may give them. The result is int32[n] from a
        table, else int64[n]. Raises as `distance` does, TypeError for anything else, and
        OverflowError beyond 64 bits.
        """
        source = self._source()
        if not len(states) or isinstance(next(iter(states)), str):
            indices = indices_of(source, [str(text) for text in states])
        else:
            given = np.asarray(states)
            if given.dtype.kind not in "iu":  # signed and unsigned integers
                raise TypeError(
                    f"states are given as texts or as integers, their indices, not as {given.dtype}"
                )
            indices = given.astype(np.int64, copy=False)
            size = source.space.size if source.space and not source.space.grows else 0
            outside = indices[(indices < 0) | (indices >= size)]
            if len(outside):
                known = (
                    f"indices go from 0 to {size - 1}"
                    if size
                    else "its states have none here: give texts"
                )
                raise IndexError(f"{self.name} has no index {outside[0]}; {known}")
        whole = source.as_table()
        found = (
            _of_table(whole, indices)
            if whole
            else np.array(source.distances_of(indices.tolist()), np.int64)
        )
        if (found == UNKNOWN).any():
            self._known(UNKNOWN)
        return found

    def index(self, state: str) -> int:
        """The index of a state, as SQL uses it; -1 if it has none. Raises NoSpace."""
        source = self._source()
        # the source numbers states for one answer alone
        if source.space is None or source.space.grows:
            return self.record.index(state, self.goal)
        return max(source.index(state), -1)

    def _answered(self, record: AnswerRecord[..., Any], values: dict[str, Any]) -> object:
        """The answer to the values of fields. A text is read,
        and any other value may stand for a text.
        """
        for name, field in record.fields.items():
            value = values[name]
            if isinstance(value, str) and field.read:
                values[name] = field.read(value)
            elif value is not None and field.kind is str and not field.listed:
                values[name] = str(value)
        if record.subject == "table":
            return record(self._sources.table(self.name, self._goal_name), **values)
        if record.subject == "puzzle":
            return record(self.record, self.goal, **values)
        return record(self._source(values.get("state")), **values)

    def _source(self, state: str | None = None) -> Source:
        if source := self._sources.find(self.name, self._goal_name, state=state):
            return source
        first = self._searchable is None and not pattern_tables(
            self._sources.folder, self.record, self.goal
        )
        if first and self.record.engine(WholeTable):
            path = table_path(
                self._sources.folder.data.absolute(), self.record.table_name(self.goal)
            )
            _LOG.warning(
                "there is no table of %s in %s, so searches answer; %s",
                path.stem,
                path.parent,
                build_remedy(path),
            )
        self._searchable = Searchable.in_folder(
            self._sources, self.record, self.goal, self._searchable
        )
        return OpenSearch(self._searchable, SearchLimits(seconds=self.seconds).begin())

    def _known(self, distance: int) -> int | None:
        if distance == UNKNOWN:
            raise TimeoutError(
                f"no distance was proven within {self.seconds:g} s; `lookup` gives a lower "
                "bound, and says whether the goal can be reached, if that is known"
            )
        return None if distance < 0 else distance


def _of_table(table: OpenTable, indices: Indices) -> Distances:
    """Look up distances in a table; of many states at once,
    on all processors if the table is in memory.
    """
    if len(indices) <= _TOGETHER or not table.table.load().in_memory:
        return table.distances(indices)
    distances = np.empty(len(indices), np.int32)

    def look_up(first: int) -> None:
        some = slice(first, first + _TOGETHER)
        distances[some] = table.distances(indices[some])

    with ThreadPoolExecutor(processors()) as pool:
        deque(pool.map(look_up, range(0, len(indices), _TOGETHER)), maxlen=0)
    return distances


def relation(query: str, folder: Path) -> duckdb.DuckDBPyRelation:
    """A query over every table of a folder as a DuckDB relation;
    QueryError for a statement that is not one query.
    """
    from puzzlebase.service.sql.tables import open_session  # noqa: PLC0415 -- this loads Arrow

    folder = folder.absolute()
    files = tuple(sorted((path.name, path.stat().st_mtime_ns) for path in folder.glob("*.duckdb")))
    former, session = vars(_sessions).get(str(folder), (None, None))
    if session is None or former != files:
        session = open_session(folder, StatementLimits(seconds=1e9))  # no limit
        vars(_sessions)[str(folder)] = files, session
    found: duckdb.DuckDBPyRelation = session.relation(query)
    return found


# The sessions of this thread, one for each folder, with its files. An old version is freed with its
# last relation.
_sessions = threading.local()


@atexit.register
def _close_sessions() -> None:
    for _, session in vars(_sessions).values():
        session.close()

"""A puzzle for Python programs: the answers of the service as dicts, without a service."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from puzzlebase import hooks
from puzzlebase.answer_methods import Answer, AnswerMethods
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.in_bulk import Column, InBulk, column_in_bulk, indices_in_bulk, rows_in_bulk
from puzzlebase.paths import DataFolder, build_remedy, table_path
from puzzlebase.puzzles import Goal, Indices, Puzzle, Signed, Space, WholeTable, find
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.answers import lookups
from puzzlebase.service.answers.record import AnswerRecord
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.search import OpenSearch, Searchable, tables_of_search
from puzzlebase.service.sources.source import Source, source_indices
from puzzlebase.service.sources.sources import sources_of
from puzzlebase.service.sources.table import OpenTable

_LOG = logging.getLogger(__name__)  # without a handler a warning goes to standard error
_RECHECK_AFTER = 1.0  # seconds: then the folder is asked for a newer file


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


class OpenPuzzle(AnswerMethods, InBulk):
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

    def __getattr__(self, name: str) -> Any:
        method = hooks.find("methods", name)
        if method is None:
            raise AttributeError(f"a puzzle has no {name!r}")
        return partial(method, self)

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

    def distances(self, states: Column) -> Signed:
        """The distances of many states, given as texts or as indices;
        -1 if the goal cannot be reached.

        The result is int32[n] from a table, else int64[n]. Raises as `distance` does, TypeError for
        anything else, and OverflowError beyond 64 bits.
        """
        source, column = self._source(), column_in_bulk(states)
        if column.dtype.kind == "U":
            indices = source_indices(source, column.tolist())
        elif numbering := _numbering(source):
            indices = indices_in_bulk(column, numbering.size, self.name)
        elif len(column):
            raise IndexError(f"{self.name} numbers no states here: give texts")
        table = source.as_table()
        if not table:
            found: Signed = np.array(source.distances_of(indices.tolist()), np.int64)
        elif table.table.load().in_memory:
            found = rows_in_bulk(table.distances, indices)
        else:
            found = table.distances(indices)  # at once, so that few blocks are read twice
        if (found == UNKNOWN).any():
            self._known(UNKNOWN)
        return found

    def index(self, state: str) -> int:
        """The index of a state, as SQL uses it; -1 if it has none. Raises NoSpace."""
        return int(self.indices_of([state])[0])

    def indices_of(self, texts: Column) -> Indices:
        """The indices of states, int64[n]; -1 for each that has none. Raises as `index` does."""
        source, column = self._source(), column_in_bulk(texts).tolist()
        if _numbering(source):
            return np.maximum(source_indices(source, column), -1)
        return np.array([self.record.index(text, self.goal) for text in column], np.int64)

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
            return record(self._table(), **values)
        if record.subject == "puzzle":
            return record(self.record, self.goal, **values)
        if not record.may_search(values):
            self._sources.find(self.name, self._goal_name, search=False)
        return record(self._source(values.get("state")), **values)

    def _table(self) -> OpenTable:
        return self._sources.table(self.name, self._goal_name)

    @property
    def _space(self) -> Space:
        return _numbering(self._source()) or self.record.space(self.goal)

    def _source(self, state: str | None = None) -> Source:
        if source := self._sources.find(self.name, self._goal_name, state=state):
            return source
        first = self._searchable is None and not tables_of_search(
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


def _numbering(source: Source) -> Space | None:
    """The space of a source, if its indices are valid for more than one answer."""
    return None if source.space is None or source.space.grows else source.space

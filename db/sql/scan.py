"""The states of a table as an Arrow dataset, whose rows are made while DuckDB reads them.

DuckDB passes the filters of a query on, and rows are made only for ranges of states that may pass
them. Arrow excludes ranges: told that some rows have distances 3 to 5, it tells if any of them can
pass the filter. It is asked about distances first, for which the histograms give the ranges, then
about indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import dataset
from pyarrow.fs import LocalFileSystem

from puzzlebase.db.histograms import Histograms
from puzzlebase.sentinels import UNREACHED
from puzzlebase.threads import in_order

# The columns of `states`; the distance is null if the goal cannot be reached.
SCHEMA = pa.schema(
    [pa.field("index", pa.int64(), nullable=False), pa.field("distance", pa.int32())]
)
_INDEX, _DISTANCE = dataset.field("index"), dataset.field("distance")
_THREADS = 2
_FEW = 2048  # rows, as many as DuckDB takes at a time
_PIECES = 16  # into which an interval is split
_MAX_SPLIT = (
    512  # intervals split in one round; if there are more, none is excluded, as each costs 0.15 ms
)
# of the imaginary files that Arrow is asked about
_FORMAT, _NOWHERE = dataset.IpcFileFormat(), LocalFileSystem()


@dataclass(frozen=True)
class TableStates:
    """The number of states in a table, their histograms,
    and distances(first, last) of a range, perhaps UNREACHED.
    """

    size: int
    histograms: Histograms
    distances: Callable[[int, int], npt.NDArray[np.signedinteger[Any]]]


class StateScan(dataset.Dataset):  # type: ignore[misc]
    """The states of a table as DuckDB scans them;
    `states` opens the table when it is first read.
    """

    schema = SCHEMA

    def __init__(self, states: Callable[[], TableStates]) -> None:
        self._states = states

    def scanner(
        self,
        columns: list[str] | None = None,
        filter: pc.Expression | None = None,  # noqa: A002 (pyarrow's name)
    ) -> Scanner:
        """The rows that pass the filter, by index."""
        return Scanner(self._states, SCHEMA.names if columns is None else columns, filter)


@dataclass(frozen=True)
class Scanner:
    """A scan of these columns of the rows for which the condition holds."""

    # Arrow's own scanner reads ahead in threads; a process that ends meanwhile is aborted.

    states: Callable[[], TableStates]
    columns: list[str]
    condition: pc.Expression | None

    def to_reader(self) -> pa.RecordBatchReader:
        """A reader of all batches, which are made while it reads."""
        return pa.RecordBatchReader.from_batches(_schema(self.columns), self._batches())

    def _batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the batches of ranges; small ones are joined, since each costs a call."""
        # First one, then two, then three of them and so on: a reader who soon has enough need not
        # wait for many.
        waiting: list[pa.RecordBatch] = []
        given = 0
        for batch in filter(len, self._ahead()):
            waiting.append(batch)
            if len(waiting) > given or sum(map(len, waiting)) >= _FEW:
                yield _joined_batch(waiting)
                waiting.clear()
                given += 1
        if waiting:
            yield _joined_batch(waiting)

    def _ahead(self) -> Iterator[pa.RecordBatch]:
        """Yield the batch of each range that may hold such rows;
        threads make a few ahead of the reader.
        """
        states = self.states()
        needed = needed_for(self.condition, states)
        with ThreadPoolExecutor(_THREADS) as pool:
            yield from in_order(pool, partial(self._batch, states, needed), needed.ranges, _THREADS)

    def _batch(self, states: TableStates, needed: Needed, number: int) -> pa.RecordBatch:
        """The rows of a range; Arrow sees only those at needed distances."""
        length = states.histograms.length
        first, last = number * length, min((number + 1) * length, states.size)
        names = set(SCHEMA.names if self.condition is not None else self.columns)
        rows, columns = None, {}
        if "distance" in names:
            distances = states.distances(first, last)
            possible = (distances >= needed.min_distance) & (distances <= needed.max_distance)
            if not possible.all():
                rows = np.flatnonzero(possible)
                distances = distances[rows]
            unreached = distances == UNREACHED
            columns["distance"] = pa.array(
                distances.astype(np.int32), mask=unreached if unreached.any() else None
            )
        if "index" in names:
            columns["index"] = pa.array(np.arange(first, last) if rows is None else first + rows)
        batch = pa.record_batch(
            columns, schema=_schema(name for name in SCHEMA.names if name in names)
        )
        if self.condition is not None:
            batch = batch.filter(self.condition)
        return batch.select(self.columns)


class Needed(NamedTuple):
    """The ranges that may hold rows, in order,
    and the distances of these rows; the min may be UNREACHED.
    """

    ranges: list[int]
    min_distance: int
    max_distance: int


def _schema(columns: Iterable[str]) -> pa.Schema:
    return pa.schema([SCHEMA.field(name) for name in columns])


def _joined_batch(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return pa.concat_batches(batches) if len(batches) > 1 else batches[0]


def needed_for(condition: pc.Expression | None, states: TableStates) -> Needed:
    """Find the ranges and distances that a scan must read to
    give all rows that meet a condition.
    """
    histograms, layers = states.histograms, len(states.histograms.layers)
    if condition is None:
        return Needed(list(range(len(histograms))), UNREACHED, layers)
    distances = _possible_intervals(condition, _DISTANCE, 1, layers)
    possible = np.zeros(len(histograms), bool)
    for first, end in distances:
        possible |= histograms.between(first, end - 1) > 0
    nulls = bool(_possible(condition, [_DISTANCE.is_null()]))
    if nulls:
        possible |= histograms.lost(states.size) > 0
    if not possible.any():
        return Needed([], 0, 0)
    one_distance = (distances[0][0] == _DISTANCE) if distances else _DISTANCE.is_null()
    by_index = np.zeros(len(histograms), bool)
    for first, end in _possible_intervals(
        condition, _INDEX, histograms.length, len(histograms), one_distance
    ):
        by_index[first:end] = True
    bounds = [UNREACHED] * nulls + [bound for first, end in distances for bound in (first, end - 1)]
    return Needed(np.flatnonzero(possible & by_index).tolist(), min(bounds), max(bounds))


def _within(column: pc.Expression, first: int, end: int) -> pc.Expression:
    return column == first if end == first + 1 else (column >= first) & (column < end)


def _possible_intervals(
    condition: pc.Expression,
    column: pc.Expression,
    step: int,
    end: int,
    given: pc.Expression | None = None,
) -> list[tuple[int, int]]:
    """The intervals of 0 .. end-1, in order,
    where the condition can hold; the column is `step` times as much.

    An interval is split until the condition cannot hold in it,
    or holds for every row of it that is also as `given`.
    """
    possible = []
    undecided = [(0, end)]
    while undecided:
        pieces = [piece for interval in undecided for piece in _split(*interval)]
        known = [_within(column, first * step, end * step) for first, end in pieces]
        can_hold = _possible(condition, known)
        can_fail = _possible(
            ~condition, known if given is None else [each & given for each in known]
        )
        divisible = {
            number for number in can_hold & can_fail if pieces[number][1] - pieces[number][0] > 1
        }
        if len(divisible) > _MAX_SPLIT:
            divisible = set()
        possible += [pieces[number] for number in can_hold - divisible]
        undecided = [pieces[number] for number in sorted(divisible)]
    return _joined(sorted(possible))


def _split(first: int, end: int) -> list[tuple[int, int]]:
    step = max(-(-(end - first) // _PIECES), 1)
    return [(at, min(at + step, end)) for at in range(first, end, step)]


def _joined(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, end in intervals:
        before = joined.pop() if joined and joined[-1][1] == first else (first, end)
        joined.append((before[0], end))
    return joined


def _possible(condition: pc.Expression, guarantees: list[pc.Expression]) -> set[int]:
    """The numbers of the guarantees under which the condition can hold:
    Arrow lists such files to read.
    """
    fragments = [
        _FORMAT.make_fragment(str(number), _NOWHERE, partition_expression=guarantee)
        for number, guarantee in enumerate(guarantees)
    ]
    files = dataset.FileSystemDataset(fragments, SCHEMA, _FORMAT, _NOWHERE)
    return {int(fragment.path) for fragment in files.get_fragments(condition)}

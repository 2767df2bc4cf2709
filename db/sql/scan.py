"""The states of a table as an Arrow dataset: DuckDB hands its scanner a query's filters, and ranges are skipped.

No row lies anywhere: the distances of one range of BLOCK_SIZE states after another are made when they are asked
for. Which ranges a filter needs is Arrow's to say, of whose reasoning there is one question: given what is
guaranteed of some rows, can the filter hold for any of them? It is asked first of distances and then of indices, in
pieces that grow smaller, and the census tells the ranges where a distance occurs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import dataset
from pyarrow.fs import LocalFileSystem

from db.blocks import BLOCK_SIZE, UNREACHED
from db.census import Census

SCHEMA = pa.schema([pa.field("index", pa.int64(), nullable=False), pa.field("distance", pa.int32())])
"""Columns of `states`; the distance is null where the goal cannot be reached."""

_FORMAT, _NOWHERE = dataset.IpcFileFormat(), LocalFileSystem()
_INDEX, _DISTANCE = dataset.field("index"), dataset.field("distance")
_THREADS = 2
_PIECES = 16
_MOST = 512  # pieces of which it is open whether they hold rows; more are kept whole, as each costs 0.15 ms


@dataclass(frozen=True)
class States:
    """All states of a table: how many, how their distances lie, and the distances of states first .. last-1."""

    size: int
    census: Census
    between: Callable[[int, int], npt.NDArray[np.signedinteger[Any]]]


class StateScan(dataset.Dataset):  # type: ignore[misc]
    """What DuckDB scans as the states of a table, opened when it is first read."""

    def __init__(self, states: Callable[[], States]) -> None:
        self._states = states

    @property
    def schema(self) -> pa.Schema:
        """Its columns."""
        return SCHEMA

    def scanner(
        self,
        columns: list[str] | None = None,
        filter: pc.Expression | None = None,  # noqa: A002 (pyarrow's name)
    ) -> Made:
        """Rows for which the filter holds, by index, made as they are read."""
        return Made(self._states, SCHEMA.names if columns is None else columns, filter)


@dataclass(frozen=True)
class Made:
    """What a scan gives: these columns of the rows that meet the condition.

    Not Arrow's own scanner of batches: that one reads on in threads of its own when nobody wants more
    rows, and a process that ends meanwhile is aborted.
    """

    states: Callable[[], States]
    columns: list[str]
    condition: pc.Expression | None = None

    def to_reader(self) -> pa.RecordBatchReader:
        """All batches, made when they are asked for."""
        return pa.RecordBatchReader.from_batches(
            pa.schema([SCHEMA.field(name) for name in self.columns]), self._batches()
        )

    def _batches(self) -> Iterator[pa.RecordBatch]:
        """One for each range that may have such rows, if it does; made in threads, few ahead of their reader."""
        states = self.states()
        with ThreadPoolExecutor(_THREADS) as pool:
            ahead: deque[Future[pa.RecordBatch]] = deque()
            for number in ranges(self.condition, states):
                first, last = number * BLOCK_SIZE, min((number + 1) * BLOCK_SIZE, states.size)
                ahead.append(pool.submit(self._batch, states, first, last))
                if len(ahead) > _THREADS:
                    yield from _filled(ahead.popleft())
            while ahead:
                yield from _filled(ahead.popleft())

    def _batch(self, states: States, first: int, last: int) -> pa.RecordBatch:
        made = {"index", "distance"} if self.condition is not None else set(self.columns)
        columns = {}
        if "index" in made:
            columns["index"] = pa.array(np.arange(first, last))
        if "distance" in made:
            distances = states.between(first, last)
            unreached = distances == UNREACHED
            columns["distance"] = pa.array(distances.astype(np.int32), mask=unreached if unreached.any() else None)
        batch = pa.record_batch(list(columns.values()), schema=_schema(columns))
        if self.condition is not None:
            batch = batch.filter(self.condition)
        return batch.select(self.columns)


def _schema(columns: Iterable[str]) -> pa.Schema:
    return pa.schema([SCHEMA.field(name) for name in columns])


def _filled(batch: Future[pa.RecordBatch]) -> list[pa.RecordBatch]:
    return [batch.result()] if len(batch.result()) else []


def ranges(condition: pc.Expression | None, states: States) -> list[int]:
    """Numbers of the ranges of BLOCK_SIZE states in which some may meet the condition, in order."""
    census = states.census
    if condition is None:
        return list(range(len(census)))
    distances = _narrowed(condition, lambda first, end: _within(_DISTANCE, first, end), len(census.layers), None)
    wanted = np.zeros(len(census), bool)
    for first, end in distances:
        wanted |= census.between(first, end - 1) > 0
    some = _within(_DISTANCE, distances[0][0], distances[0][0] + 1) if distances else _DISTANCE.is_null()
    if _possible(condition, [_DISTANCE.is_null()]):
        sizes = np.minimum(states.size - np.arange(len(census)) * BLOCK_SIZE, BLOCK_SIZE)
        wanted |= census.between(0, len(census.layers)) < sizes
    met = np.zeros(len(census), bool)
    if wanted.any():
        pieces = _narrowed(
            condition, lambda first, end: _within(_INDEX, first * BLOCK_SIZE, end * BLOCK_SIZE), len(census), some
        )
        for first, end in pieces:
            met[first:end] = True
    return np.flatnonzero(wanted & met).tolist()


def _narrowed(
    condition: pc.Expression,
    guarantee: Callable[[int, int], pc.Expression],
    end: int,
    given: pc.Expression | None,
) -> list[tuple[int, int]]:
    """Intervals of 0 .. end-1, in order, outside of which the condition cannot hold.

    `guarantee` says of an interval what is true of its rows. One is cut no further where the condition holds for
    all its rows, as far as they are as `given`.
    """
    kept = []
    open_ones = [(0, end)]
    while open_ones:
        pieces = [piece for interval in open_ones for piece in _cut(*interval)]
        known = [guarantee(*piece) for piece in pieces]
        possible = _possible(condition, known)
        doubtful = _possible(~condition, known if given is None else [each & given for each in known])
        divisible = {number for number in possible & doubtful if pieces[number][1] - pieces[number][0] > 1}
        if len(divisible) > _MOST:
            divisible = set()
        kept += [pieces[number] for number in possible - divisible]
        open_ones = [pieces[number] for number in sorted(divisible)]
    return _merged(sorted(kept))


def _cut(first: int, end: int) -> list[tuple[int, int]]:
    step = max(-(-(end - first) // _PIECES), 1)
    return [(at, min(at + step, end)) for at in range(first, end, step)]


def _merged(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, end in intervals:
        before = merged.pop() if merged and merged[-1][1] == first else (first, end)
        merged.append((before[0], end))
    return merged


def _within(column: pc.Expression, first: int, end: int) -> pc.Expression:
    return column == first if end == first + 1 else (column >= first) & (column < end)


def _possible(condition: pc.Expression, guarantees: list[pc.Expression]) -> set[int]:
    """Which guarantees, by number, leave it possible that the condition holds: those of files a dataset would read."""
    fragments = [
        _FORMAT.make_fragment(str(number), _NOWHERE, partition_expression=guarantee)
        for number, guarantee in enumerate(guarantees)
    ]
    files = dataset.FileSystemDataset(fragments, SCHEMA, _FORMAT, _NOWHERE)
    return {int(fragment.path) for fragment in files.get_fragments(condition)}

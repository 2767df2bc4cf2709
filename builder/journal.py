"""Finished layers on disk: a build that was stopped continues from them,
and all distances are read from them.

The layers are in one file that only grows: a line that names the graph, then records. A record
holds the vertices of a layer in one piece of the graph, as a bit set or as the gaps between them,
whichever is shorter. Another kind of record holds a piece's distances in many layers that were
found at once. A last record ends these layers and holds their counts. When a file is opened, it is
cut after the last ended layer, since a kill may leave more, and before the first wrong checksum.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from array import array
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.atomic_files import locked_file
from puzzlebase.builder import bits
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.db.stored_file import Closing
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Graph, Signed
from puzzlebase.sentinels import UNVISITED
from puzzlebase.system import write_at
from puzzlebase.threads import thread_buffer

Words = npt.NDArray[np.uint64]
Vertices = npt.NDArray[np.int64]

FORMAT = 7
# distance, piece (-1 ends the layer), vertices, bytes, form, checksum
_RECORD = struct.Struct("<iiqqBI")
_BITS, _GAPS, _WIDE_GAPS, _DISTANCES = range(4)
_UNPACKED = _BITS, _GAPS  # forms that zstd would make little smaller, in 30 times the time
_DENSE = 8  # from one in so many of a piece's vertices, its bits take less than a byte for each gap
_VERY_FEW = (
    128  # up to one in so many, most gaps take two bytes, and repeat if the layer is regular
)
_MAX_PIECE = 1 << 24  # with half of it the 2,386 layers of panex-7 took a twentieth longer
_MIN_PIECE = 1 << 16
_PIECES = 32  # enough to keep two threads evenly busy; more pieces cost more than they gain


@dataclass(frozen=True)
class BitLayout:
    """The places of a graph's vertices in bit sets:
    vertex = row * width + column, each row in words of its own.

    A thread works on a *piece* at a time, a range of rows; a record holds vertices of one piece.
    """

    size: int
    width: int

    @property
    def rows(self) -> int:
        """The number of rows; the last one may be incomplete."""
        return -(-self.size // self.width)

    @property
    def words(self) -> int:
        """The number of 64-bit words in a row."""
        return -(-self.width // 64)

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """The first row of each piece and the row after its last;
        the same whatever the number of threads.
        """
        vertices = min(max(self.size // _PIECES, _MIN_PIECE), _MAX_PIECE)
        rows = max(vertices // self.width, 1)
        return [(first, min(first + rows, self.rows)) for first in range(0, self.rows, rows)]

    def vertices(self, piece: tuple[int, int]) -> tuple[int, int]:
        """The first vertex of a piece and the vertex after its last."""
        return piece[0] * self.width, min(piece[1] * self.width, self.size)


class Journal(Closing):
    """The layers of one graph, for one process at a time:
    the finished ones, and the one being found.

    Opening empties the file if it is of another graph than `what` names, as JSON. Raises FileInUse.
    """

    def __init__(self, path: Path, what: dict[str, object], layout: BitLayout) -> None:
        self.layout = layout
        self.pieces = layout.pieces
        self.layers: list[int] = []  # the number of vertices in each finished layer
        self.dropped = False  # True: the file held layers of another graph
        self._path = path
        self._lock = Lock()
        self._count = 0
        # distance, form, offset, bytes of each record
        self._index = [array("q") for _ in self.pieces]
        self._file = locked_file(path)
        first_line = (
            json.dumps(
                {"format": FORMAT, **what, "size": layout.size, "width": layout.width}
            ).encode()
            + b"\n"
        )
        try:
            self._end = self._take_up(first_line)
        except BaseException:
            self._file.close()
            raise

    @property
    def complete(self) -> bool:
        """True if the last layer is empty: nothing is left to find."""
        return bool(self.layers) and self.layers[-1] == 0

    @property
    def dtype(self) -> np.dtype[np.signedinteger[Any]]:
        """The narrowest type that holds every distance."""
        return np.min_scalar_type(-max(len(self.layers), 1))

    def add_bits(self, piece: int, words: Words, vertices: int, rows: Vertices) -> None:
        """Add vertices of the layer being found,
        all in `rows`, as bits of a piece; safe from threads.
        """
        first, last = self.layout.vertices(self.pieces[piece])
        if vertices * _DENSE >= last - first:
            self._append(piece, vertices, _BITS, words)
        else:
            within = np.empty(vertices, np.uint32)
            bits.vertices_of_bits(words, rows, self.layout.width, within)
            self._append_gaps(piece, within)

    def add_vertices(self, piece: int, vertices: Vertices) -> None:
        """Add vertices of the layer being found, sorted, all of one piece; safe from threads."""
        self._append_gaps(piece, vertices - self.layout.vertices(self.pieces[piece])[0])

    def _append_gaps(self, piece: int, vertices: npt.NDArray[np.integer[Any]]) -> None:
        if not len(vertices):
            return
        first, last = self.layout.vertices(self.pieces[piece])
        form = _GAPS if len(vertices) * _VERY_FEW >= last - first else _WIDE_GAPS
        dtype = _gaps_of(form)
        most = len(vertices) + (last - first) // np.iinfo(dtype).max
        gaps = thread_buffer("bits", most * dtype.itemsize).view(dtype)
        self._append(piece, len(vertices), form, gaps[: _gaps_between(vertices, gaps)])

    def add_distances(self, piece: int, distances: npt.NDArray[np.uint32]) -> None:
        """Add the distances of a piece's vertices in the layers being found,
        or UNVISITED; safe from threads.
        """
        self._append(piece, 0, _DISTANCES, distances)

    def end_layer(self) -> int:
        """End the layer being found and begin the next one; returns the number of its vertices."""
        self.end_layers(np.array([self._count]))
        return self.layers[-1]

    def end_layers(self, counts: Vertices) -> None:
        """End many layers that were found at once,
        given the number of vertices in each, int64[layers].
        """
        self._append(-1, len(counts), _BITS, counts)
        self.layers.extend(counts.tolist())
        self._count = 0

    def bits(self, piece: int, distances: range) -> Words:
        """The vertices of a piece in these layers together, uint64[rows, words]."""
        first_row, last_row = self.pieces[piece]
        words = np.zeros((last_row - first_row, self.layout.words), np.uint64)
        if self._index[piece]:
            found = self.distances(piece)
            within = np.flatnonzero((found >= distances.start) & (found < distances.stop))
            bits.set_vertices(words, self.layout.width, within)
        return words

    def distances(self, piece: int, out: Signed | None = None) -> Signed:
        """The distances of a piece's vertices in the layers found so far,
        UNREACHED elsewhere; in `out` if given.
        """
        (first_row, last_row), (first, last) = (
            self.pieces[piece],
            self.layout.vertices(self.pieces[piece]),
        )
        distances: Signed = np.empty(last - first, self.dtype) if out is None else out
        distances.fill(-1)
        shape = self._index[piece][1::4].count(_BITS), last_row - first_row, self.layout.words
        layers = thread_buffer("bits", 8 * math.prod(shape)).view(np.uint64).reshape(shape)
        dense: list[int] = []  # their distances
        for distance, form, content in self._records(piece):
            if form == _DISTANCES:
                found = np.frombuffer(content, np.uint32)
                np.copyto(distances, found, where=found != UNVISITED, casting="unsafe")
            elif form == _BITS:
                layers[len(dense)] = np.frombuffer(content, np.uint64).reshape(shape[1:])
                dense.append(distance)
            else:
                _set_after_gaps(np.frombuffer(content, _gaps_of(form)), distance, distances)
        if dense:
            row_values = np.empty(64 * self.layout.words, distances.dtype)
            bits.set_distances_of_bits(
                layers, np.array(dense, distances.dtype), self.layout.width, row_values, distances
            )
        return distances

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and delete it with `remove`."""
        if remove:
            self._path.unlink(missing_ok=True)
        self._file.close()

    def _append(self, piece: int, vertices: int, form: int, content: npt.NDArray[Any]) -> None:
        data = content.data.cast("B") if form in _UNPACKED else compress(content.data)
        with self._lock:
            distance = len(self.layers)
            header = (distance, piece, vertices, len(data), form)
            write_at(self._file, _RECORD.pack(*header, _checksum(header, data)), self._end)
            self._end += _RECORD.size
            # an incomplete record is cut off when the file is next opened
            write_at(self._file, data, self._end)
            if piece >= 0:
                self._index[piece].extend((distance, form, self._end, len(data)))
                self._count += vertices
            self._end += len(data)

    def _records(self, piece: int) -> Iterator[tuple[int, int, bytes | memoryview]]:
        """Yield distance, form and content of each record of a piece;
        the content lasts until the next one.
        """
        index = self._index[piece]
        first, last = self.layout.vertices(self.pieces[piece])
        for at in range(0, len(index), 4):
            distance, form, offset, length = index[at : at + 4]
            data = _read(self._file.fileno(), length, offset)
            yield (
                distance,
                form,
                data if form in _UNPACKED else decompress(data, 4 * (last - first)),
            )

    def _take_up(self, first_line: bytes) -> int:
        """Index the records of ended layers, cut off the rest, and return the end of the file."""
        file = self._file
        file.seek(0)
        found = file.readline(1 << 16)
        if found != first_line:
            self.dropped = bool(found)
            os.ftruncate(file.fileno(), 0)
            write_at(file, first_line, 0)
            return len(first_line)
        sound = end = len(first_line)
        size = os.fstat(file.fileno()).st_size
        pending: list[tuple[int, tuple[int, int, int, int]]] = []
        while len(header := file.read(_RECORD.size)) == _RECORD.size:
            distance, piece, vertices, length, form, checksum = _RECORD.unpack(header)
            if (
                distance != len(self.layers)
                or not -1 <= piece < len(self.pieces)
                or not 0 <= length <= size
            ):
                break
            data = file.read(length)
            if _checksum((distance, piece, vertices, length, form), data) != checksum:
                break
            if piece >= 0:
                pending.append((piece, (distance, form, end + _RECORD.size, length)))
            end += _RECORD.size + length
            if piece < 0:
                for where, entry in pending:
                    self._index[where].extend(entry)
                pending = []
                self.layers.extend(np.frombuffer(data, np.int64).tolist())
                sound = end
        os.ftruncate(file.fileno(), sound)
        return sound


def _gaps_of(form: int) -> np.dtype[np.unsignedinteger[Any]]:
    """The type of gaps in a record."""
    return np.dtype(np.uint8 if form == _GAPS else np.uint16)


def _checksum(header: tuple[int, ...], data: bytes | memoryview) -> int:
    return zlib.crc32(data, zlib.crc32(struct.pack("<iiqqB", *header)))


def _read(file: int, length: int, offset: int) -> memoryview:
    """Read so many bytes, into memory that the thread's next call reuses;
    raises OSError if the file is shorter.
    """
    content = thread_buffer("record", length).data
    if os.preadv(file, [content], offset) != length:
        raise OSError("the journal ends too soon")
    return content


# Sorted vertices as gaps from -1 on: gap g skips g vertices and ends at the next; the greatest
# number only skips.


@kernel
def _gaps_between(vertices, gaps):  # type: ignore[no-untyped-def]
    """Write sorted vertices as gaps; returns how many numbers these are."""
    n, last, to_none = np.uint64(0), np.int64(-1), np.int64(np.iinfo(gaps.dtype).max)
    for vertex in vertices:
        gap = np.int64(vertex) - last
        last = np.int64(vertex)
        while gap > to_none:
            gaps[n] = to_none
            gap -= to_none
            n += np.uint64(1)
        gaps[n] = gap - 1
        n += np.uint64(1)
    return n


@kernel
def _set_after_gaps(gaps, distance, distances):  # type: ignore[no-untyped-def]
    """Give `distance` to the vertices that these gaps lead to."""
    vertex = np.int64(-1)
    for gap in gaps:
        vertex += np.int64(gap)
        if gap != np.iinfo(gaps.dtype).max:
            vertex += 1
            distances[vertex] = distance


def journal_all(
    graph: Graph, journal: Journal, distances: npt.NDArray[np.uint32], pool: ThreadPoolExecutor
) -> None:
    """Journal all layers beyond the goal's at once,
    from the distances of all vertices; overwrites some.
    """
    distances[graph.goal_states] = UNVISITED  # the journal has them

    def write(piece: int) -> npt.NDArray[np.int64]:
        some = distances[slice(*journal.layout.vertices(journal.pieces[piece]))]
        journal.add_distances(piece, some)
        return np.bincount(some[some != UNVISITED], minlength=1)

    counts = [*pool.map(write, range(len(journal.pieces)))]
    layers = np.zeros(max(map(len, counts)) + 1, np.int64)  # the last one is empty
    for each in counts:
        layers[: len(each)] += each
    journal.end_layers(layers[1:])

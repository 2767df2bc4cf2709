"""Finished layers on disk: a build that was stopped continues from them, and all distances are read from them.

The layers are in one file that only grows: a line that names the graph, then records. A record holds the vertices of a
layer in one piece of the graph. Few vertices are stored as the gaps between them. Many are stored as a bit for each
vertex outside earlier layers, and others as a bit set. Another kind of record holds a piece's distances in many layers
that were found at once. A last record ends these layers and holds their counts. When a file is opened, it is cut after
the last ended layer, since a kill may leave more, and before the first wrong checksum.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, local
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.atomic_files import locked, write_at
from puzzlebase.builder import bits
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.db.files import Closing
from puzzlebase.puzzles import Signed
from puzzlebase.sentinels import UNVISITED

Words = npt.NDArray[np.uint64]
Vertices = npt.NDArray[np.int64]

FORMAT = 6
_RECORD = struct.Struct("<iiqqBI")  # distance, piece (-1 ends the layer), vertices, bytes, form, checksum
_BITS, _GAPS, _DISTANCES, _LEFT, _NARROW_GAPS = range(5)
_SHORT = _LEFT, _NARROW_GAPS  # forms that zstd would make little smaller, in 30 times the time
_MANY = 8  # from one in so many of the vertices left on, a bit for each of these takes less than the gaps
_FEW = 16  # up to one in so many of a piece's vertices, gaps take less than the piece's bits
_VERY_FEW = 128  # up to one in so many, most gaps take two bytes, and repeat if the layer is regular
_MAX_PIECE = 1 << 24  # with half of it the 2,386 layers of panex-7 took a twentieth longer
_MIN_PIECE = 1 << 16
_PIECES = 32  # enough to keep two threads evenly busy; more pieces cost more than they gain
_OF_THREAD = local()


def buffer(use: str, size: int) -> npt.NDArray[np.uint8]:
    """Memory that the thread's next call for this use reuses: page faults of fresh memory took a sixth of the time."""
    found: npt.NDArray[np.uint8] = getattr(_OF_THREAD, use, np.empty(0, np.uint8))
    if len(found) < size:
        found = np.empty(size, np.uint8)
        setattr(_OF_THREAD, use, found)
    return found[:size]


@dataclass(frozen=True)
class BitLayout:
    """The places of a graph's vertices in bit sets: vertex = row * width + column, each row in words of its own.

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
        """The first row of each piece and the row after its last; the same whatever the number of threads."""
        vertices = min(max(self.size // _PIECES, _MIN_PIECE), _MAX_PIECE)
        rows = max(vertices // self.width, 1)
        return [(first, min(first + rows, self.rows)) for first in range(0, self.rows, rows)]

    def vertices(self, piece: tuple[int, int]) -> tuple[int, int]:
        """The first vertex of a piece and the vertex after its last."""
        return piece[0] * self.width, min(piece[1] * self.width, self.size)


class Journal(Closing):
    """The layers of one graph, for one process at a time: the finished ones, and the one being found.

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
        self._index = [array("q") for _ in self.pieces]  # distance, form, offset, bytes of each record
        self._file = locked(path)
        first_line = json.dumps({"format": FORMAT, **what, "size": layout.size, "width": layout.width}).encode() + b"\n"
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
    def dtype(self) -> type[np.int8 | np.int16 | np.int32]:
        """The narrowest type that holds every distance."""
        return np.int8 if len(self.layers) <= 1 << 7 else np.int16 if len(self.layers) <= 1 << 15 else np.int32

    def add_bits(self, piece: int, words: Words, vertices: int, rows: Vertices, reached: Words) -> None:
        """Add vertices of the layer being found, all in `rows`, as bits of a piece; `reached` has all layers' bits."""
        if not vertices:
            return
        gaps = self._few(piece, vertices)
        if not gaps and bits.moves_some_bits():
            packed = buffer("bits", 8 * (words.size + 2)).view(np.uint64)
            length = bits.gather_left(words, reached, self.layout.width, packed)
            if vertices * _MANY >= 64 * length:
                self._append(piece, vertices, _LEFT, packed[: length + 1].data.cast("B"))
                return
            gaps = True
        if gaps:
            within = np.empty(vertices, np.uint32)
            bits.vertices_of(words, rows, self.layout.width, within)
            self._append_gaps(piece, within)
        else:
            self._append(piece, vertices, _BITS, words.data)

    def add_vertices(self, piece: int, vertices: Vertices) -> None:
        """Add vertices of the layer being found, sorted, all of one piece; safe from threads."""
        within = vertices - self.layout.vertices(self.pieces[piece])[0]
        if not len(vertices):
            return
        if self._few(piece, len(vertices)):
            self._append_gaps(piece, within)
        else:
            words = self._no_bits(piece)
            bits.set_vertices(words, self.layout.width, within)
            self._append(piece, len(vertices), _BITS, words.data)

    def _append_gaps(self, piece: int, vertices: npt.NDArray[np.integer[Any]]) -> None:
        first, last = self.layout.vertices(self.pieces[piece])
        narrow = len(vertices) * _VERY_FEW >= last - first
        dtype, to_none = (np.dtype(np.uint8), 0xFF) if narrow else (np.dtype(np.uint16), 0xFFFF)
        gaps = buffer("bits", (len(vertices) + (last - first) // to_none) * dtype.itemsize).view(dtype)
        form = _NARROW_GAPS if narrow else _GAPS
        self._append(piece, len(vertices), form, gaps[: bits.gaps_between(vertices, gaps)].data)

    def add_distances(self, piece: int, distances: npt.NDArray[np.uint32]) -> None:
        """Add the distances of a piece's vertices in the layers being found, or UNVISITED; safe from threads."""
        self._append(piece, 0, _DISTANCES, distances.data)

    def end_layer(self) -> int:
        """End the layer being found and begin the next one; returns the number of its vertices."""
        self.end_layers(np.array([self._count]))
        return self.layers[-1]

    def end_layers(self, counts: Vertices) -> None:
        """End many layers that were found at once, given the number of vertices in each, int64[layers]."""
        self._append(-1, len(counts), _BITS, counts.data)
        self.layers.extend(counts.tolist())
        self._count = 0

    def bits(self, piece: int, distances: range) -> Words:
        """The vertices of a piece in these layers together, uint64[rows, words]."""
        words = self._no_bits(piece)
        if self._index[piece]:
            found = self.distances(piece)
            within = np.flatnonzero((found >= distances.start) & (found < distances.stop))
            bits.set_vertices(words, self.layout.width, within)
        return words

    def distances(self, piece: int, out: Signed | None = None) -> Signed:
        """The distances of a piece's vertices in the layers found so far, UNREACHED elsewhere; in `out` if given."""
        first, last = self.layout.vertices(self.pieces[piece])
        distances: Signed = np.empty(last - first, self.dtype) if out is None else out
        distances.fill(-1)
        width, forms = self.layout.width, self._index[piece][1::4]
        reached = self._no_bits(piece)
        count = forms.count(_BITS) + forms.count(_LEFT)
        layers = buffer("bits", count * reached.nbytes).view(np.uint64).reshape(count, *reached.shape)
        given: list[int] = []
        for distance, form, content in self._records(piece):
            if form == _DISTANCES:
                found = np.frombuffer(content, np.uint32)
                np.copyto(distances, found, where=found != UNVISITED, casting="unsafe")
            elif form in (_GAPS, _NARROW_GAPS):
                gaps = np.frombuffer(content, np.uint16 if form == _GAPS else np.uint8)
                bits.set_after_gaps(gaps, distance, distances, width, reached)
            else:
                layer = layers[len(given)]
                if form == _LEFT:
                    bits.spread_left(np.frombuffer(content, np.uint64), width, reached, layer)
                else:
                    layer[:] = np.frombuffer(content, np.uint64).reshape(layer.shape)
                    reached |= layer
                given.append(distance)
        if distances.itemsize == 1:
            row_bytes = np.empty(64 * self.layout.words, np.uint8)
            bits.set_distances(layers, np.array(given, np.uint8), width, row_bytes, distances.view(np.uint8))
        else:  # few of many layers are dense
            for distance, layer in zip(given, layers, strict=True):
                bytes_of_rows = np.unpackbits(layer.view(np.uint8), axis=1, count=width, bitorder="little")
                distances[bytes_of_rows.reshape(-1)[: len(distances)] == 1] = distance
        return distances

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and delete it with `remove`."""
        if remove:
            self._path.unlink(missing_ok=True)
        self._file.close()

    def _few(self, piece: int, vertices: int) -> bool:
        """True if `count` vertices take less as gaps than as the bits of the piece."""
        first, last = self.layout.vertices(self.pieces[piece])
        return vertices * _FEW < last - first

    def _no_bits(self, piece: int) -> Words:
        first, last = self.pieces[piece]
        return np.zeros((last - first, self.layout.words), np.uint64)

    def _append(self, piece: int, vertices: int, form: int, content: bytes | memoryview) -> None:
        data = content if form in _SHORT else compress(content)
        with self._lock:
            distance = len(self.layers)
            header = (distance, piece, vertices, len(data), form)
            write_at(self._file, _RECORD.pack(*header, _checksum(header, data)), self._end)
            self._end += _RECORD.size
            write_at(self._file, data, self._end)  # an incomplete record is cut off when the file is next opened
            if piece >= 0:
                self._index[piece].extend((distance, form, self._end, len(data)))
                self._count += vertices
            self._end += len(data)

    def _records(self, piece: int) -> Iterator[tuple[int, int, bytes | memoryview]]:
        """Yield distance, form and content of each record of a piece; the content lasts until the next one."""
        index = self._index[piece]
        (first_row, last_row), (first, last) = self.pieces[piece], self.layout.vertices(self.pieces[piece])
        max_bytes = max(8 * (last_row - first_row) * self.layout.words, 4 * (last - first))
        for at in range(0, len(index), 4):
            distance, form, offset, length = index[at : at + 4]
            data = _read(self._file.fileno(), length, offset)
            yield distance, form, data if form in _SHORT else decompress(data, max_bytes)

    def _take_up(self, first_line: bytes) -> int:
        """Index the records of all ended layers, cut off the rest, and return the end of the file."""
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
            if distance != len(self.layers) or not -1 <= piece < len(self.pieces) or not 0 <= length <= size:
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
                self.layers.extend(np.frombuffer(decompress(data, 8 * vertices), np.int64).tolist())
                sound = end
        os.ftruncate(file.fileno(), sound)
        return sound


def _checksum(header: tuple[int, ...], data: bytes | memoryview) -> int:
    return zlib.crc32(data, zlib.crc32(struct.pack("<iiqqB", *header)))


def _read(file: int, length: int, offset: int) -> memoryview:
    """Read so many bytes, into memory that the thread's next call reuses; raises OSError if the file is shorter."""
    content = buffer("record", length).data
    done = 0
    while done < length:
        more = os.preadv(file, [content[done:]], offset + done)
        if not more:
            raise OSError(f"the journal ends {length - done} bytes too soon")
        done += more
    return content

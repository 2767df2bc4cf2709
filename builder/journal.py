"""Finished layers on disk: a build that was stopped continues from them, and all distances are read from them.

The layers lie in one file that only grows: a line that names the graph, then records. A record holds the vertices of a
layer in one piece of the graph. Few are stored as differences. Many are stored as a bit for each vertex that no layer
before has, and others as a bit set. Another kind of record holds a piece's distances in many layers that were found at
once. A last record ends these layers and holds their counts. A file that is opened is cut after the last ended layer,
since a kill may leave more, and before the first wrong checksum.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, local

import numpy as np
import numpy.typing as npt

from puzzlebase import system
from puzzlebase.builder import bits
from puzzlebase.db.atomic_files import locked, write_at
from puzzlebase.db.blocks import compress, decompress
from puzzlebase.db.files import Closing
from puzzlebase.puzzles import Signed

Words = npt.NDArray[np.uint64]
Vertices = npt.NDArray[np.int64]

NONE = np.uint32(np.iinfo(np.uint32).max)  # no distance, in four bytes
FORMAT = 5
_RECORD = struct.Struct("<iiqqBI")  # distance, piece (-1 ends the layer), vertices, bytes, form, checksum
_BITS, _DIFFERENCES, _DISTANCES, _LEFT = range(4)
_MANY = 8  # one of so many vertices that are left: zstd would make their bits little smaller, in 30 times the time
_MAX_PIECE = 1 << 24  # with half of it the 2,386 layers of panex-7 took a twentieth longer
_MIN_PIECE = 1 << 16
_PIECES = 32  # enough to keep two threads evenly busy; more pieces cost more than they gain
_OF_THREAD = local()


def _buffer(*shape: int) -> npt.NDArray[np.uint8]:
    """Memory that the thread's next call reuses: to touch fresh memory took a sixth of the time of writing."""
    size = math.prod(shape)
    buffer: npt.NDArray[np.uint8] = getattr(_OF_THREAD, "buffer", np.empty(0, np.uint8))
    if len(buffer) < size:
        buffer = _OF_THREAD.buffer = np.empty(size, np.uint8)
    return buffer[:size].reshape(shape)


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

    Opening empties the file of another graph than `what` names, as JSON. Raises FileInUse.
    """

    def __init__(self, path: Path, what: dict[str, object], layout: BitLayout) -> None:
        self.layout = layout
        self.pieces = layout.pieces
        self.layers: list[int] = []  # the number of vertices in each finished one
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
        if self._few(piece, vertices):
            few = np.empty(vertices, np.uint32)
            bits.vertices_of(words, rows, self.layout.width, few)
            self._append_few(piece, few)
            return
        if bits.moves_some_bits():
            packed = _buffer(8 * (words.size + 2)).view(np.uint64)
            length = bits.gather_left(words, reached, self.layout.width, packed)
            if vertices * _MANY >= 64 * length:
                self._append(piece, vertices, _LEFT, packed[: length + 1].data.cast("B"))
                return
        self._append(piece, vertices, _BITS, words.data)

    def add_vertices(self, piece: int, vertices: Vertices) -> None:
        """Add vertices of the layer being found, sorted, all of one piece; safe from threads."""
        within = (vertices - self.layout.vertices(self.pieces[piece])[0]).astype(np.uint32)
        if self._few(piece, len(vertices)):
            self._append_few(piece, within)
        else:
            words = self._no_bits(piece)
            bits.set_vertices(words, self.layout.width, within)
            self._append(piece, len(vertices), _BITS, words.data)

    def _append_few(self, piece: int, vertices: npt.NDArray[np.uint32]) -> None:
        if len(vertices):
            self._append(piece, len(vertices), _DIFFERENCES, np.diff(vertices, prepend=np.uint32(0)).data)

    def add_distances(self, piece: int, distances: npt.NDArray[np.uint32]) -> None:
        """Add the distances of a piece's vertices in the layers being found, NONE for others; safe from threads."""
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

    def vertices(self, piece: int, distance: int) -> Vertices:
        """The vertices of a piece in one layer, int64[n], sorted."""
        first, _ = self.layout.vertices(self.pieces[piece])
        return first + np.flatnonzero(self.distances(piece) == distance)

    def distances(self, piece: int, out: Signed | None = None) -> Signed:
        """The distances of a piece's vertices as far as there are layers, UNREACHED elsewhere; in `out` if given."""
        first, last = self.layout.vertices(self.pieces[piece])
        distances: Signed = np.empty(last - first, self.dtype) if out is None else out
        width, forms = self.layout.width, self._index[piece][1::4]
        (first_row, last_row), of_row = self.pieces[piece], 8 * self.layout.words
        layers = _buffer(forms.count(_BITS) + forms.count(_LEFT), last_row - first_row, of_row)
        given: list[int] = []
        reached = self._no_bits(piece)
        others: list[tuple[int, int, npt.NDArray[np.uint32]]] = []
        for distance, form, content in self._records(piece):
            if form in (_DIFFERENCES, _DISTANCES):
                others.append((distance, form, np.frombuffer(content, np.uint32)))
                if form == _DIFFERENCES and _LEFT in forms:
                    bits.set_vertices(reached, width, np.cumsum(others[-1][2], dtype=np.int64))
                continue
            layer = layers[len(given)].view(np.uint64)
            if form == _LEFT:
                bits.spread_left(np.frombuffer(content, np.uint64), width, reached, layer)
            else:
                layer[:] = np.frombuffer(content, np.uint64).reshape(layer.shape)
                reached |= layer
            given.append(distance)
        row = np.empty(of_row, np.uint64)
        of_rows = np.array(given, np.int64), width, bits.BITS_APART, row, row.view(np.uint8)
        bits.set_distances(layers, *of_rows, distances.view(np.uint8).reshape(len(distances), -1))
        for distance, form, found in others:
            if form == _DIFFERENCES:
                bits.set_distance(found, distance, distances)
            else:
                np.copyto(distances, found, where=found != NONE, casting="unsafe")
        return distances

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and delete it with `remove`."""
        if remove:
            system.remove(self._file, self._path)
        self._file.close()

    def _few(self, piece: int, vertices: int) -> bool:
        """True if so many vertices take less as differences of 32 bits than as the bits of the piece."""
        first, last = self.layout.vertices(self.pieces[piece])
        return vertices * 32 < last - first

    def _no_bits(self, piece: int) -> Words:
        first, last = self.pieces[piece]
        return np.zeros((last - first, self.layout.words), np.uint64)

    def _append(self, piece: int, vertices: int, form: int, content: bytes | memoryview) -> None:
        data = content if form == _LEFT else compress(content)
        with self._lock:
            distance = len(self.layers)
            header = (distance, piece, vertices, len(data), form)
            write_at(self._file, _RECORD.pack(*header, _checksum(header, data)), self._end)
            self._end += _RECORD.size
            write_at(self._file, data, self._end)  # a part of it is cut off when the file is next opened
            if piece >= 0:
                self._index[piece].extend((distance, form, self._end, len(data)))
                self._count += vertices
            self._end += len(data)

    def _records(self, piece: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield distance, form and content of each record of a piece."""
        index = self._index[piece]
        (first_row, last_row), (first, last) = self.pieces[piece], self.layout.vertices(self.pieces[piece])
        max_bytes = max(8 * (last_row - first_row) * self.layout.words, 4 * (last - first))
        for at in range(0, len(index), 4):
            distance, form, offset, length = index[at : at + 4]
            data = _read(self._file.fileno(), length, offset)
            yield distance, form, data if form == _LEFT else decompress(data, max_bytes)

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


def _read(file: int, length: int, offset: int) -> bytes:
    """Read so many bytes; raises OSError where the file is shorter."""
    data = b""
    while len(data) < length:
        more = system.read_at(file, length - len(data), offset + len(data))
        if not more:
            raise OSError(f"the journal ends {length - len(data)} bytes too soon")
        data += more
    return data

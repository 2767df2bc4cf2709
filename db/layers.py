"""The file of the layers around a goal, for puzzles without a whole table: sorted indices, as differences."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import DamagedBlock, checksum_of, compress, decompressed
from puzzlebase.db.catalog import Schema
from puzzlebase.db.files import StoredFile, Writer, digest

Indices = npt.NDArray[np.int64]

SCHEMA = Schema("layers", 1, "layers_info")
RUN_SIZE = 1 << 16  # indices of every run but the last of a layer
_CHECKSUMS = "SELECT checksum FROM run ORDER BY distance, first_index"
_HEADER = struct.Struct("<iiqB")  # distance, n, first index, width
_WIDTHS = {1: "u1", 2: "<u2", 4: "<u4", 8: "<u8"}


@dataclass(frozen=True, slots=True)
class LayersInfo:
    """The header of stored layers: the fields of layers.sql, and the number of indices in each layer."""

    puzzle: str
    goal: str
    stored: str
    stored_size: int
    depth: int
    layers: tuple[int, ...]


class LayersWriter(Writer):
    """A new file of layers: `add` them in their order, then `finish`."""

    schema = SCHEMA

    def add(self, distance: int, indices: Indices) -> None:
        """Append a layer, int64[n], sorted."""
        with self._writing():
            runs = (_encode(distance, indices[at : at + RUN_SIZE]) for at in range(0, len(indices), RUN_SIZE))
            self._insert("run", runs)

    def finish(self, info: LayersInfo) -> None:
        """Write the header and close the file."""
        with self._finishing(_CHECKSUMS) as checksums:
            header = astuple(replace(info, layers=()))[:-1]
            self._insert("layers_info", [(SCHEMA.format, *header, _digest(info, checksums))])
            self._insert("layer", enumerate(info.layers))


class LayersFile(StoredFile):
    """Stored layers, of which `layers` has those that fit into `memory` bytes, and always layer 0.

    Raises DamagedTable also for a wrong format or digest.
    """

    schema = SCHEMA

    def __init__(self, path: Path, memory: int = 0) -> None:
        super().__init__(path)
        with self.damage():
            self.info, self.digest = self._header()
        self.of: tuple[str, ...] = self.info.puzzle, self.info.goal
        self.layers: list[Indices] = []
        for distance, indices in enumerate(self.info.layers):
            memory -= indices * 8
            if memory < 0 and distance:
                break
            self.layers.append(self.layer(distance))

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(layer.nbytes for layer in self.layers)

    def layer(self, distance: int) -> Indices:
        """The indices of one layer, int64[n], sorted; raises DamagedTable."""
        rows = self._rows(
            "SELECT distance, n, first_index, width, checksum, data FROM run WHERE distance = ? ORDER BY first_index",
            [distance],
        )
        with self.damage():
            indices = np.concatenate([_decode(*row) for row in rows] or [np.empty(0, np.int64)])
        within = not len(indices) or 0 <= indices[0] <= indices[-1] < self.info.stored_size
        if len(indices) != self.info.layers[distance] or not within or (np.diff(indices) <= 0).any():
            raise self.damaged(f"is damaged: layer {distance} is not what was stored")
        return indices

    def _header(self) -> tuple[LayersInfo, str]:
        self.check_format()
        (row,) = self._rows("SELECT puzzle, goal, stored, stored_size, depth, digest FROM layers_info")
        ((layers,),) = self._rows("SELECT coalesce(list(indices ORDER BY distance), []) FROM layer")
        *fields, stored_digest = row
        info = LayersInfo(*[*fields, tuple(layers)])
        if _digest(info, self._rows(_CHECKSUMS)) != stored_digest:
            raise self.damaged("does not have its digest")
        return info, stored_digest


def _digest(info: LayersInfo, checksums: Iterable[tuple[bytes]]) -> str:
    return digest({"format": SCHEMA.format, **asdict(info), "layers": ()}, info.layers, checksums)


def _encode(distance: int, indices: Indices) -> tuple[int, int, int, int, bytes, bytes]:
    """A row of `run`."""
    steps = np.diff(indices)
    width = np.min_scalar_type(int(steps.max(initial=1))).itemsize
    content = steps.astype(_WIDTHS[width]).tobytes()
    header = distance, len(indices), int(indices[0]), width
    return *header, checksum_of(content, _HEADER.pack(*header)), compress(content)


def _decode(distance: int, n: int, first: int, width: int, checksum: bytes, data: bytes) -> Indices:
    """The indices of a row of `run`; raises DamagedBlock."""
    where = f"the run at {first} of layer {distance}"
    if width not in _WIDTHS or not 0 < n <= RUN_SIZE:
        raise DamagedBlock(f"{where} has an impossible header")
    content = decompressed(where, data, width * (n - 1), _HEADER.pack(distance, n, first, width), checksum)
    indices = np.empty(n, np.int64)
    indices[0] = first
    indices[1:] = np.frombuffer(content, _WIDTHS[width])
    return np.cumsum(indices, out=indices)

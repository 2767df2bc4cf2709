"""The file of the layers around a goal,
for puzzles without a whole table: sorted indices, as differences.

Its first line is a hash of all that follows: a line of JSON,
and the layers one after another, each a frame of zstd.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import compress, decompress
from puzzlebase.db.stored_file import NamedFile, check_stored_file, digest

Indices = npt.NDArray[np.int64]

FORMAT = 2


@dataclass(frozen=True, slots=True)
class LayersInfo:
    """The header of stored layers, and the number of indices in each."""

    puzzle: str
    goal: str
    stored: str  # what the indices are of: states or orbits
    stored_size: int  # how many indices there are in all
    depth: int  # every state up to this distance is here, or its orbits are
    layers: tuple[int, ...]


def write_layers(path: Path, info: LayersInfo, layers: Sequence[Indices]) -> None:
    """Write the layers of a goal, int64[n] each, sorted. Raises OSError."""
    frames = [compress(np.diff(layer, prepend=0).tobytes()) for layer in layers]
    of_content = digest(asdict(info), info.layers, ((layer.tobytes(),) for layer in layers))
    header = {
        "format": FORMAT,
        "digest": of_content,
        "info": asdict(info),
        "bytes": [*map(len, frames)],
    }
    rest = json.dumps(header).encode() + b"\n" + b"".join(frames)
    path.write_bytes(_hash(rest) + b"\n" + rest)


class LayersFile(NamedFile):
    """Stored layers, of which `layers` has those that fit into `memory` bytes, and always layer 0.

    Raises MissingTable, and DamagedTable also for another format.
    """

    def __init__(self, path: Path, memory: float = inf) -> None:
        super().__init__(path)
        check_stored_file(path)
        self.layers: list[Indices] = []
        hashed, _, rest = path.read_bytes().partition(b"\n")
        if hashed != _hash(rest):
            raise self.damaged("is damaged")
        line, _, frames = rest.partition(b"\n")
        with self.damage():
            header = json.loads(line)
            if header["format"] != FORMAT:
                raise self.damaged(f"has format {header['format']}, this version reads {FORMAT}")
            self.digest: str = header["digest"]
            self.info = LayersInfo(**header["info"] | {"layers": tuple(header["info"]["layers"])})
            self.of: tuple[str, ...] = self.info.puzzle, self.info.goal
            end = 0
            for distance, (count, length) in enumerate(
                zip(self.info.layers, header["bytes"], strict=True)
            ):
                memory -= 8 * count
                if memory < 0 and distance:
                    break
                content = decompress(frames[end : end + length], 8 * count)
                self.layers.append(
                    self._checked(distance, np.cumsum(np.frombuffer(content, np.int64)))
                )
                end += length

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(layer.nbytes for layer in self.layers)

    def _checked(self, distance: int, indices: Indices) -> Indices:
        """The same indices;
        raises DamagedTable unless they are sorted and all indices of vertices.
        """
        within = not len(indices) or 0 <= indices[0] <= indices[-1] < self.info.stored_size
        if (
            len(indices) != self.info.layers[distance]
            or not within
            or (np.diff(indices) <= 0).any()
        ):
            raise self.damaged(f"is damaged: layer {distance} is not what was stored")
        return indices

    def close(self) -> None:
        """Free the layers."""
        self.layers = []


def _hash(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).hexdigest().encode()

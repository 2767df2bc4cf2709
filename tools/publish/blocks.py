"""Files of blocks, cut for a reader that begins cold: few distances a block, packed as every browser unpacks them.

A block has up to BLOCK distances: code = distance - base in 1, 2, 4, 8, 16 or 32 bits, low bits first, all ones where
the goal cannot be reached; then deflate. A file has up to IN_FILE blocks. The index has pieces of IN_PIECE blocks, all
of one size, so that a reader takes only those that it needs. Every block and piece has a CRC-32 that begins with the
table's digest: what belongs to another release is an error too.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from puzzlebase.puzzles import Signed

BLOCK = 1 << 15
IN_PIECE = 128
IN_FILE = 512
_WIDTHS = (1, 2, 4, 8, 16, 32)
_ENTRY = struct.Struct("<IiBI")  # bytes of the block, base, width, checksum
_PIECE = struct.Struct("<I")  # the offset of its first block in its file; then the entries, then the checksum
PIECE_BYTES = _PIECE.size + IN_PIECE * _ENTRY.size + 4


def write_blocks(folder: Path, distances: Iterable[Signed], digest: str, name: str = "distances") -> dict[str, Any]:
    """Write the blocks of distances, or of other numbers, and their index into files of a name.

    Returns their description for the header.
    """
    entries: list[tuple[int, int, int, int]] = []
    sizes: list[int] = []
    size = 0
    for number, block in enumerate(_cut(distances)):
        if number % IN_FILE == 0:
            sizes.append(0)
            (folder / f"{name}.{number // IN_FILE}").write_bytes(b"")
        base, width, content = _packed(block)
        data = _deflated(content)
        entries.append((len(data), base, width, checksum(digest, f"{name} {number} {base} {width}", content)))
        with (folder / f"{name}.{number // IN_FILE}").open("ab") as file:
            file.write(data)
        sizes[-1] += len(data)
        size += len(block)
    (folder / f"{name}.index").write_bytes(b"".join(_pieces(entries, f"{digest} {name}.index")))
    return {"name": name, "size": size, "block": BLOCK, "in_piece": IN_PIECE, "in_file": IN_FILE, "files": sizes}


def checksum(digest: str, what: str, content: bytes) -> int:
    """The CRC-32 of a content in its place in a table."""
    return zlib.crc32(content, zlib.crc32(f"{digest} {what}\n".encode()))


def _cut(distances: Iterable[Signed]) -> Iterator[Signed]:
    """Cut pieces of distances into blocks."""
    rest = np.empty(0, np.int32)
    for piece in distances:
        rest = np.concatenate([rest, piece])
        whole = len(rest) // BLOCK * BLOCK
        for first in range(0, whole, BLOCK):
            yield rest[first : first + BLOCK]
        rest = rest[whole:]
    if len(rest):
        yield rest


def _packed(distances: Signed) -> tuple[int, int, bytes]:
    """The base, the width and the packed codes of distances."""
    reached = distances[distances >= 0]
    base = int(reached.min()) if len(reached) else 0
    span = int(reached.max()) - base if len(reached) else 0
    width = next(width for width in _WIDTHS if span < (1 << width) - 1)
    codes = np.where(distances < 0, (1 << width) - 1, distances - base).astype(np.uint32)
    if width >= 8:
        return base, width, codes.astype(f"<u{width // 8}").tobytes()
    in_byte = 8 // width
    padded = np.zeros(-(-len(codes) // in_byte) * in_byte, np.uint8)
    padded[: len(codes)] = codes
    shifted = padded.reshape(-1, in_byte) << (np.arange(in_byte, dtype=np.uint8) * width)
    return base, width, np.bitwise_or.reduce(shifted, axis=1).astype(np.uint8).tobytes()


def _deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def _pieces(entries: list[tuple[int, int, int, int]], of: str) -> Iterator[bytes]:
    """The pieces of the index, the last one filled up."""
    offset = 0
    for number, first in enumerate(range(0, len(entries), IN_PIECE)):
        if first % IN_FILE == 0:
            offset = 0
        some = entries[first : first + IN_PIECE]
        content = _PIECE.pack(offset) + b"".join(_ENTRY.pack(*entry) for entry in some)
        content = content.ljust(PIECE_BYTES - 4, b"\0")
        yield content + struct.pack("<I", checksum(of, str(number), content))
        offset += sum(entry[0] for entry in some)

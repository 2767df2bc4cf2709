"""Files of blocks, for a reader with an empty cache:
few distances in a block, packed as every browser unpacks them.

A block has up to `block` distances: code = distance - base in 1, 2 or 4 bytes, low bytes first, all
ones if the goal cannot be reached; then deflate. Half bytes would save the Avenger 4 %. Before the
codes come the base, the bytes of a code, and a checksum. A file has up to IN_FILE blocks after an
index of its own: the beginning of each, the end of the last, and a checksum. So a reader takes the
index of one file, then the blocks that it needs. Every checksum is a CRC-32 that begins with the
table's digest: content of another release is an error too.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from puzzlebase.machine import processors
from puzzlebase.puzzles import UNREACHED, Distances, Signed
from puzzlebase.threads import in_order

BLOCK = 1 << 15
SMALL_BLOCK = 1 << 13  # of a table that is read by ranges: README.md gives the cost of other sizes
LARGE = 1 << 25  # distances of such a table
IN_FILE = 256
_AHEAD = 64  # blocks that wait to be packed or written
_WIDTHS = (1, 2, 4)  # bytes of a code
Values = Callable[[int, int], Signed]
"""Gives the distances, or other numbers, from one place up to another."""


def write_blocks(
    folder: Path,
    values: Values,
    size: int,
    digest: str,
    name: str = "distances",
    block: int = BLOCK,
    advance: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Write the blocks of distances, or of other numbers,
    into files of a name; threads read and pack them.

    `advance` gets the number of values of each block.
    Returns the description of the blocks for the header.
    """

    def packed(first: int) -> bytes:
        return _packed(first // block, values(first, min(first + block, size)), f"{digest} {name}")

    total = 0
    with ThreadPoolExecutor(processors()) as pool:
        contents = in_order(pool, packed, range(0, size, block), _AHEAD)
        for number in range(-(-size // (block * IN_FILE))):
            blocks = []
            for content in islice(contents, IN_FILE):
                blocks.append(content)
                advance(block)
            file = _with_index(blocks, f"{digest} {name}.{number}")
            (folder / f"{name}.{number}").write_bytes(file)
            total += len(file)
    return {"name": name, "size": size, "block": block, "in_file": IN_FILE, "bytes": total}


def block_checksum(what: str, content: bytes) -> bytes:
    """The CRC-32 of a content at its place in a table."""
    return zlib.crc32(content, zlib.crc32(f"{what}\n".encode())).to_bytes(4, "little")


def deflate(content: bytes) -> bytes:
    """Pack the bytes of a block as `DecompressionStream("deflate-raw")` unpacks them.

    Chance repeats cost more than they save: without them the Turnstile takes 13 % less, as little
    as by zstd at its highest level. In stored moves repeats save much. So both are tried.
    """
    return min(
        (
            _packed_by(strategy, content)
            for strategy in (zlib.Z_HUFFMAN_ONLY, zlib.Z_DEFAULT_STRATEGY)
        ),
        key=len,
    )


def inflate(content: bytes, most: int) -> bytes:
    """Unpack the bytes of a block that `deflate` packed; raises ValueError for anything else,
    and for more bytes than `most`.
    """
    unpacker = zlib.decompressobj(-15)
    try:
        found = unpacker.decompress(content, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(found) > most or not unpacker.eof:
        raise ValueError("it is cut short, or unpacks to too much")
    return found


def _packed_by(strategy: int, content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, strategy=strategy)
    return packer.compress(content) + packer.flush()


def _packed(number: int, distances: Signed, of: str) -> bytes:
    """A block as its file has it."""
    reached = distances[distances >= 0]
    base, last = (int(reached.min()), int(reached.max())) if len(reached) else (0, 0)
    width = next(width for width in _WIDTHS if last - base < 256**width - 1)
    codes = np.where(distances < 0, -1, distances.astype(np.int64) - base)
    content = codes.astype(f"<u{width}").tobytes()
    header = base.to_bytes(4, "little", signed=True) + bytes([width])
    return header + block_checksum(f"{of} {number} {base} {width}", content) + deflate(content)


def unpack_block(block: bytes, count: int, of: str) -> Distances:
    """The distances of a block as its file has it,
    int32[count]; raises ValueError if it is damaged.
    """
    base, width = int.from_bytes(block[:4], "little", signed=True), int.from_bytes(block[4:5])
    content = inflate(block[9:], count * width)
    if width not in _WIDTHS or block[5:9] != block_checksum(f"{of} {base} {width}", content):
        raise ValueError("it does not have its checksum")
    codes = np.frombuffer(content, f"<u{width}").astype(np.int64)
    return np.where(codes == 256**width - 1, UNREACHED, base + codes).astype(np.int32)


def _with_index(blocks: list[bytes], of: str) -> bytes:
    """The content of a file."""
    first = 4 * (len(blocks) + 2)
    index = np.cumsum([first, *map(len, blocks)]).astype("<u4").tobytes()
    return b"".join([index, block_checksum(of, index), *blocks])

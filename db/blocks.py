"""Blocks: distances of consecutive indices, packed, checked and compressed.

The code of an index is `distance - base` in 4, 8, 16 or 32 bits, the block's width: low bits first,
little endian, all ones where the goal cannot be reached. So one read is one shift. The checksum
covers the header and the packed bytes before compression, and so does not depend on the
compressor's version.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from puzzlebase.kernels import kernel

Distances = npt.NDArray[np.int32]
DistanceType = type[np.signedinteger[Any]]
Signed = npt.NDArray[np.signedinteger[Any]]

BLOCK_SIZE = 1 << 16  # indices of every block but the last
# on nibbles and bytes of distances this is 2 to 8 % smaller than levels 3 to 12, and 4 to 20 times
# faster
_LEVEL = 1
# matches of nibbles: 0.6 to 0.8 of the time, -1 to 6 % more space
_LONG = {"hash_log": 14, "min_match": 7}


class _Zstd(local):
    """Each thread's compressor:
    a new one for each block took a quarter of the time of compressing it.
    """

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(_LEVEL)
        long = zstandard.ZstdCompressionParameters.from_level(
            _LEVEL, source_size=BLOCK_SIZE // 2, **_LONG
        )
        self.of_nibbles = zstandard.ZstdCompressor(compression_params=long)
        self.decompressor = zstandard.ZstdDecompressor()


_ZSTD = _Zstd()


class DamagedBlock(Exception):
    """The bytes differ from those that were stored."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block as it is stored; `data` is compressed."""

    first_index: int
    n: int
    base: int
    width: int
    checksum: bytes
    data: bytes


def bytes_of_block(n: int, width: int) -> int:
    """Bytes of a block of n distances at a width in bits."""
    return (n * width + 7) // 8


def block_offsets(stored_size: int, width: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The offset of each block, packed at its width after those before it,
    and the end of the last one.
    """
    n = np.full(len(width), BLOCK_SIZE, np.int64)
    n[-1] = stored_size - (len(width) - 1) * BLOCK_SIZE
    return np.concatenate([[0], np.cumsum((n * width.astype(np.int64) + 7) // 8)])


def encode(first_index: int, distances: Signed) -> Block:
    """Pack, check and compress distances,
    signed integers of any width, UNREACHED where there is none.
    """
    base, max_distance = _extent(distances)
    base = max(base, 0)
    span = max_distance - base
    width = 4 if span < 15 else 8 if span < 255 else 16 if span < 65535 else 32
    content = _pack(distances, base, width).tobytes()
    checksum = block_checksum(content, _header(first_index, len(distances), base, width))
    return Block(
        first_index, len(distances), base, width, checksum, compress(content, nibbles=width == 4)
    )


def compress(content: bytes | memoryview, *, nibbles: bool = False) -> bytes:
    """One zstd frame."""
    return (_ZSTD.of_nibbles if nibbles else _ZSTD.compressor).compress(content)


def decompress(data: bytes | memoryview, size: int) -> bytes:
    """Decompress at most `size` bytes;
    raises DamagedBlock for a larger frame and for bytes that are no frame.
    """
    try:
        # if a frame states its size, zstd obeys no other limit
        stated = zstandard.frame_content_size(data)
        if stated > size:
            raise DamagedBlock(
                f"does not decompress: {stated} bytes where at most {size} should be"
            )
        return _ZSTD.decompressor.decompress(data, max_output_size=size)
    except zstandard.ZstdError as error:
        raise DamagedBlock(f"does not decompress: {error}") from error


def decode(block: Block) -> npt.NDArray[np.uint8]:
    """The packed bytes of a block, uint8[bytes];
    raises DamagedBlock if they or the header were changed.
    """
    if block.width not in (4, 8, 16, 32) or not 0 < block.n <= BLOCK_SIZE:
        raise DamagedBlock(f"the block at {block.first_index} has an impossible header")
    size, header = (
        bytes_of_block(block.n, block.width),
        _header(block.first_index, block.n, block.base, block.width),
    )
    content = decompressed(
        f"the block at {block.first_index}", block.data, size, header, block.checksum
    )
    return np.frombuffer(content, np.uint8)


def decompressed(what: str, data: bytes, size: int, header: bytes, checksum: bytes) -> bytes:
    """Decompress `size` bytes; raises DamagedBlock,
    which names `what`, unless they have their checksum.
    """
    try:
        content = decompress(data, size) if size else b""
    except DamagedBlock as error:
        raise DamagedBlock(f"{what} {error}") from error
    if len(content) != size or block_checksum(content, header) != checksum:
        raise DamagedBlock(f"{what} has a wrong checksum")
    return content


def block_checksum(content: bytes, header: bytes) -> bytes:
    """A keyed hash of 16 bytes over stored bytes and their header of at most 64 bytes."""
    return hashlib.blake2b(content, digest_size=16, key=header).digest()


def _header(first_index: int, n: int, base: int, width: int) -> bytes:
    return struct.pack("<qiiB", first_index, n, base, width)


def _extent(distances: Signed) -> tuple[int, int]:
    """The min and the max distance reached; UNREACHED, UNREACHED if none is."""
    # UNREACHED is the greatest unsigned integer
    least = distances.view(f"u{distances.itemsize}").min()
    return int(least.astype(distances.dtype)), int(distances.max())


def _pack(distances: Signed, base: int, width: int) -> npt.NDArray[np.unsignedinteger[Any]]:
    """The codes of distances, in nibbles or in integers of their width."""
    if width > 4 or distances.itemsize > 1:
        codes = (distances - base).astype(f"<u{max(width // 8, 1)}")
        if distances.min() < 0:
            codes[distances < 0] = (1 << width) - 1
        if width > 4:
            return codes
        distances, base = codes.view(np.int8), 0
    pairs = np.empty(bytes_of_block(len(distances), width), np.uint8)
    _pack_nibbles(distances.view(np.uint8), np.uint8(base), np.uint8(15), pairs)
    return pairs


@kernel
def _pack_nibbles(distances, base, none, pairs):  # type: ignore[no-untyped-def]
    """Pack distances of a byte in a vectorized loop,
    which takes a tenth of the time of numpy's passes.
    """
    n = np.uint64(distances.shape[0] // 2)
    for i in range(n):
        low = min(np.uint8(distances[np.uint64(2) * i] - base), none)
        high = min(np.uint8(distances[np.uint64(2) * i + np.uint64(1)] - base), none)
        pairs[i] = low | (high << np.uint8(4))
    if distances.shape[0] % 2:
        pairs[n] = min(np.uint8(distances[2 * n] - base), none)


@kernel
def probe_blocks(indices, size, packed, start, base, width, distances):  # type: ignore[no-untyped-def]
    """Read the distances of stored indices, below `size`,
    from packed blocks; returns True if all of them are there.

    `packed` is uint8[bytes]; `start[b]`, `base[b]`, `width[b]` are block b's offset in it, -1 where
    it is not there, its base and its bits. An index of -1 gives UNREACHED. The size of blocks is a
    constant, so that to divide by it is a shift: as an argument it made random indices take two to
    four times as long.
    """
    there = True
    for i in range(indices.shape[0]):
        index = indices[i]
        if index < 0:
            distances[i] = -1
            there = there and index == -1
            continue
        block = index // BLOCK_SIZE
        offset = index - block * BLOCK_SIZE
        at = start[block] if index < size else np.int64(-1)
        if at < 0:
            there = False
            continue
        bits = np.int64(width[block])
        if bits == 4:
            code = (packed[at + (offset >> 1)] >> ((offset & 1) * 4)) & 15
        elif bits == 8:
            code = np.int64(packed[at + offset])
        else:
            code, count = np.int64(0), bits >> 3
            for byte in range(count):
                code |= np.int64(packed[at + count * offset + byte]) << (8 * byte)
        distances[i] = -1 if code == (1 << bits) - 1 else base[block] + code
    return there


@kernel
def unpack_blocks(first, block_size, packed, start, base, width, distances):  # type: ignore[no-untyped-def]
    """Read the distances of consecutive stored indices from `first` on until `distances` is full;
    see `probe_blocks`.
    """
    done = 0
    while done < distances.shape[0]:
        block = (first + done) // block_size
        offset = first + done - block * block_size
        n = min(block_size - offset, distances.shape[0] - done)
        codes = packed[start[block] + offset * width[block] // 8 :][: n * width[block] // 8]
        some = distances[done : done + n]
        if width[block] == 4:
            _unpack_nibbles(packed[start[block] :], offset, base[block], some)
        elif width[block] == 8:
            _unpack_codes(codes, np.uint8(0xFF), base[block], some)
        elif width[block] == 16:
            _unpack_codes(codes.view(np.uint16), np.uint16(0xFFFF), base[block], some)
        else:
            _unpack_codes(codes.view(np.uint32), np.uint32(0xFFFFFFFF), base[block], some)
        done += n


@kernel
def unpack_block_rows(rows, block_size, packed, start, base, width, distances):  # type: ignore[no-untyped-def]
    """Read whole rows, of the stored indices from row * columns on,
    into distances[rows, columns]; -1 reads nothing.
    """
    columns = distances.shape[1]
    for i in range(rows.shape[0]):
        if rows[i] >= 0:
            unpack_blocks(
                np.int64(rows[i]) * columns, block_size, packed, start, base, width, distances[i]
            )


@kernel
def _unpack_nibbles(packed, offset, base, distances):  # type: ignore[no-untyped-def]
    """Read distances of 4 bits in vectorized loops:
    one that compares as well took twice as long, a table six times.
    """
    n = distances.shape[0]
    odd = offset & 1
    if odd:
        code = packed[offset >> 1] >> 4
        distances[0] = -1 if code == 15 else base + code
    pairs = (n - odd) >> 1
    bytes_from = packed[(offset + 1) >> 1 :]
    two = distances[odd : odd + 2 * pairs]
    for i in range(np.uint64(pairs)):
        two[np.uint64(2) * i] = bytes_from[i] & 15
        two[np.uint64(2) * i + np.uint64(1)] = bytes_from[i] >> 4
    for i in range(np.uint64(2 * pairs)):
        two[i] = -1 if two[i] == 15 else base + two[i]
    if (n - odd) & 1:
        code = bytes_from[pairs] & 15
        distances[n - 1] = -1 if code == 15 else base + code


@kernel
def _unpack_codes(codes, none, base, distances):  # type: ignore[no-untyped-def]
    """Read distances of whole bytes, in a loop for each width that the compiler vectorizes."""
    for i in range(distances.shape[0]):
        distances[i] = -1 if codes[i] == none else base + np.int32(codes[i])

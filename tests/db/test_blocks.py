"""db/blocks.py: packed distances come back, and damaged ones do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.db.blocks import (
    BLOCK_SIZE,
    Block,
    DamagedBlock,
    Distances,
    bytes_of_block,
    compress,
    decode,
    decompress,
    encode,
    probe_blocks,
)

pytestmark = pytest.mark.plain


def unpacked(block: Block) -> list[int]:
    """Pack by hand, a bit at a time."""
    bits = "".join(f"{byte:08b}"[::-1] for byte in decode(block))
    codes = [
        int(bits[at : at + block.width][::-1], 2)
        for at in range(0, block.n * block.width, block.width)
    ]
    return [-1 if code == 2**block.width - 1 else block.base + code for code in codes]


def read(block: Block, indices: list[int]) -> list[int]:
    distances = np.empty(len(indices), np.int32)
    start, base, width = (
        np.zeros(1, np.int64),
        np.array([block.base], np.int32),
        np.array([block.width], np.uint8),
    )
    probe_blocks(np.array(indices), block.n, decode(block).copy(), start, base, width, distances)
    return distances.tolist()


lists = st.integers(0, 40_000).flatmap(
    lambda base: st.lists(
        st.one_of(*(st.integers(base, base + span) for span in (14, 300, 70_000)), st.just(-1)),
        min_size=1,
    )
)


@given(lists)
def test_what_is_packed_comes_back(values: list[int]) -> None:
    block = encode(0, np.array(values, np.int32))
    assert unpacked(block) == values
    assert read(block, [*range(len(values)), -1]) == [*values, -1]
    for dtype in (np.int8, np.int16):
        if max(values) <= np.iinfo(dtype).max:
            assert encode(0, np.array(values, dtype)) == block


def test_codes_lie_low_bits_first() -> None:
    for values, content in (
        ([7, 9, -1], [0x20, 0x0F]),
        ([3, 4, 5, 6], [0x10, 0x32]),
        ([1, 21, -1], [0, 20, 0xFF]),
        ([0, 258, -1], [0, 0, 2, 1, 0xFF, 0xFF]),
    ):
        assert decode(encode(0, np.array(values, np.int16))).tolist() == content


@pytest.mark.parametrize(
    ("max_distance", "width"),
    [
        (5, 4),
        (19, 4),
        (20, 8),
        (259, 8),
        (260, 16),
        (5 + 65_534, 16),
        (5 + 65_535, 32),
        (2**31 - 2, 32),
    ],
)
def test_the_narrowest_width_that_holds_all(max_distance: int, width: int) -> None:
    values = [max_distance, -1, 5, 5]
    block = encode(128, np.array(values, np.int32))
    assert (block.base, block.width, block.n, block.first_index) == (5, width, 4, 128)
    assert len(decode(block)) == bytes_of_block(4, width)
    assert unpacked(block) == values


def a_block() -> Block:
    values: Distances = np.random.default_rng(1).integers(3, 12, BLOCK_SIZE, dtype=np.int32)
    return encode(BLOCK_SIZE, values)


@pytest.mark.parametrize(
    "change",
    [
        {"base": 4},
        {"n": BLOCK_SIZE - 2},
        {"width": 8},
        {"width": 0},
        {"first_index": 0},
        {"n": 0},
        {"n": 1 << 30},
    ],
)
def test_a_changed_header_is_damage(change: dict[str, int]) -> None:
    with pytest.raises(DamagedBlock):
        decode(replace(a_block(), **change))  # type: ignore[arg-type]


def test_a_changed_byte_is_damage_or_harmless() -> None:
    block = a_block()
    sound = decode(block).tobytes()
    damaged = 0
    for at in np.random.default_rng(2).integers(0, len(block.data), 200).tolist():
        data = bytearray(block.data)
        data[at] ^= 1 << at % 8
        try:
            assert decode(replace(block, data=bytes(data))).tobytes() == sound
        except DamagedBlock:
            damaged += 1
    assert damaged > 190
    for length in (0, 1, len(block.data) - 1):
        with pytest.raises(DamagedBlock):
            decode(replace(block, data=block.data[:length]))


def test_no_more_is_decompressed_than_there_should_be() -> None:
    content = bytes(10_000_000)
    unsaid = zstandard.ZstdCompressor(write_content_size=False).compress(content)
    for frame in (compress(content), unsaid):
        assert decompress(frame, len(content)) == content
        for size in (0, 10, len(content) - 1):
            with pytest.raises(DamagedBlock):
                decompress(frame, size)
    assert decompress(compress(b"few"), 1000) == b"few"
    assert decompress(compress(b""), 0) == b""
    with pytest.raises(DamagedBlock):
        decompress(b"no frame", 1000)

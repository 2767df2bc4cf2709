"""Tables whose bytes and checksums fit together, and which yet are none."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

_HEADERS = 3 * 4096
_CHECKSUM = 8  # bytes before the content of each of DuckDB's blocks


def crashing(source: Path, copy: Path) -> Path:
    """A copy of a table that ends any process which reads its antipodes.

    The texts of antipodes are stored as a dictionary, whose header is: bytes of the dictionary, number of its entries.
    The copy says that there are none. DuckDB 2.0 compares the checksum of the block, and then reads beyond the end.
    """
    with duckdb.connect(source, read_only=True) as connection:
        ((compression, block, offset),) = connection.execute(
            "SELECT compression, block_id, block_offset FROM pragma_storage_info('antipode')"
            " WHERE column_name = 'state' AND segment_type = 'VARCHAR'"
        ).fetchall()
        ((size,),) = connection.execute("SELECT block_size FROM pragma_database_size()").fetchall()
    assert compression == "DICT_FSST"
    content = bytearray(source.read_bytes())
    content_of_block = memoryview(content)[_HEADERS + block * size :][:size]
    content_of_block[_CHECKSUM + offset + 4 :][:4] = bytes(4)
    content_of_block[:_CHECKSUM] = _checksum(content_of_block[_CHECKSUM:]).to_bytes(8, "little")
    content_of_block.release()
    copy.write_bytes(content)
    return copy


def _checksum(content: memoryview) -> int:
    """As src/common/checksum.cpp of DuckDB has it."""
    products = np.frombuffer(content, "<u8") * np.uint64(0xBF58476D1CE4E5B9)
    return int(np.bitwise_xor.reduce(products)) ^ 5381

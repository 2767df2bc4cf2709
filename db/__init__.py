"""What a table is and where it lies: packing, blocks, the DuckDB file. Knows no puzzle."""

from db.blocks import BLOCK_SIZE, UNREACHED, Block, DamagedBlock, Distances, decode, encode
from db.store import (
    ANTIPODES_KEPT,
    BuildStep,
    CensusRow,
    Certificate,
    DamagedTable,
    MissingTable,
    TableError,
    TableFile,
    TableInfo,
    TableWriter,
    annotate,
    remedy,
    table_path,
)
from db.table import DEFAULT_MEMORY, Table

__all__ = [
    "ANTIPODES_KEPT",
    "BLOCK_SIZE",
    "DEFAULT_MEMORY",
    "UNREACHED",
    "Block",
    "BuildStep",
    "CensusRow",
    "Certificate",
    "DamagedBlock",
    "DamagedTable",
    "Distances",
    "MissingTable",
    "Table",
    "TableError",
    "TableFile",
    "TableInfo",
    "TableWriter",
    "annotate",
    "decode",
    "encode",
    "remedy",
    "table_path",
]

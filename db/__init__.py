"""What a table is and where it lies: packing, blocks, the DuckDB file. Knows no puzzle."""

from db.blocks import BLOCK_SIZE, UNREACHED, Block, DamagedBlock, Distances, compress, decode, decompress, encode
from db.census import Census
from db.layers import LayersFile, LayersInfo, LayersWriter, StoredLayers
from db.oracle import OracleFile, OracleWriter
from db.store import (
    ANTIPODES_KEPT,
    BlockFile,
    BuildStep,
    Certificate,
    DamagedTable,
    MissingTable,
    TableError,
    TableFile,
    TableInfo,
    TableWriter,
    UnwritableTable,
    layers_path,
    oracle_path,
    remedy,
    table_path,
)
from db.table import DEFAULT_MEMORY, Packed, StoredDistances, Table

__all__ = [
    "ANTIPODES_KEPT",
    "BLOCK_SIZE",
    "DEFAULT_MEMORY",
    "UNREACHED",
    "Block",
    "BlockFile",
    "BuildStep",
    "Census",
    "Certificate",
    "DamagedBlock",
    "DamagedTable",
    "Distances",
    "LayersFile",
    "LayersInfo",
    "LayersWriter",
    "MissingTable",
    "OracleFile",
    "OracleWriter",
    "Packed",
    "StoredDistances",
    "StoredLayers",
    "Table",
    "TableError",
    "TableFile",
    "TableInfo",
    "TableWriter",
    "UnwritableTable",
    "compress",
    "decode",
    "decompress",
    "encode",
    "layers_path",
    "oracle_path",
    "remedy",
    "table_path",
]

"""What a table is and where it lies: packing, blocks, the DuckDB files. Knows no puzzle."""

from db.blobs import BlobsFile, BlobsWriter
from db.blocks import (
    BLOCK_SIZE,
    UNREACHED,
    Block,
    DamagedBlock,
    Distances,
    checksum_of,
    compress,
    decode,
    decompress,
    encode,
)
from db.cache import DEFAULT_MEMORY, Packed
from db.census import Census
from db.errors import DamagedTable, MissingTable, TableError, UnwritableTable
from db.files import Closing
from db.layers import LayersFile, LayersInfo, LayersWriter, StoredLayers
from db.paths import layers_path, oracle_path, remedy, table_path
from db.table import StoredDistances, Table
from db.table_file import ANTIPODES_KEPT, BlockFile, BuildStep, Certificate, TableFile, TableInfo, TableWriter

__all__ = [
    "ANTIPODES_KEPT",
    "BLOCK_SIZE",
    "DEFAULT_MEMORY",
    "UNREACHED",
    "BlobsFile",
    "BlobsWriter",
    "Block",
    "BlockFile",
    "BuildStep",
    "Census",
    "Certificate",
    "Closing",
    "DamagedBlock",
    "DamagedTable",
    "Distances",
    "LayersFile",
    "LayersInfo",
    "LayersWriter",
    "MissingTable",
    "Packed",
    "StoredDistances",
    "StoredLayers",
    "Table",
    "TableError",
    "TableFile",
    "TableInfo",
    "TableWriter",
    "UnwritableTable",
    "checksum_of",
    "compress",
    "decode",
    "decompress",
    "encode",
    "layers_path",
    "oracle_path",
    "remedy",
    "table_path",
]

"""What a table is and where it lies: packing, blocks, the DuckDB files. Knows no puzzle."""

from puzzlebase.db.blobs import BlobsFile, BlobsWriter
from puzzlebase.db.blocks import (
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
from puzzlebase.db.cache import DEFAULT_MEMORY
from puzzlebase.db.census import Census
from puzzlebase.db.errors import (
    DamagedTable,
    MissingTable,
    TableError,
    UnavailablePart,
    UnwritableTable,
    unwritable_remedy,
)
from puzzlebase.db.files import Closing
from puzzlebase.db.hardest import KINDS, MOST_NAMED, Found, Hardest, KindName, read_hardest, write_hardest
from puzzlebase.db.layers import LayersFile, LayersInfo, LayersWriter, StoredLayers
from puzzlebase.db.manifest import MANIFEST, MOST_BYTES_OF_A_MANIFEST, Manifest, ReleasedTable, read_manifest
from puzzlebase.db.mapped import NOT_MAPPED, MappedFiles, UnnamedFile
from puzzlebase.db.mixing import WALKS, Mixing, Turn, WalkName, read_mixing, write_mixing
from puzzlebase.db.packed import Packed
from puzzlebase.db.paths import (
    build_command,
    hardest_path,
    layers_path,
    mixing_path,
    oracle_path,
    remedy,
    table_path,
    tables_in,
    verify_command,
)
from puzzlebase.db.table import StoredDistances, Table
from puzzlebase.db.table_file import (
    ANTIPODES_KEPT,
    BlockFile,
    BuildStep,
    Certificate,
    TableFile,
    TableInfo,
    TableWriter,
)
from puzzlebase.db.trial import passed

__all__ = [
    "ANTIPODES_KEPT",
    "BLOCK_SIZE",
    "DEFAULT_MEMORY",
    "KINDS",
    "MANIFEST",
    "MOST_BYTES_OF_A_MANIFEST",
    "MOST_NAMED",
    "NOT_MAPPED",
    "UNREACHED",
    "WALKS",
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
    "Found",
    "Hardest",
    "KindName",
    "LayersFile",
    "LayersInfo",
    "LayersWriter",
    "Manifest",
    "MappedFiles",
    "MissingTable",
    "Mixing",
    "Packed",
    "ReleasedTable",
    "StoredDistances",
    "StoredLayers",
    "Table",
    "TableError",
    "TableFile",
    "TableInfo",
    "TableWriter",
    "Turn",
    "UnavailablePart",
    "UnnamedFile",
    "UnwritableTable",
    "WalkName",
    "build_command",
    "checksum_of",
    "compress",
    "decode",
    "decompress",
    "encode",
    "hardest_path",
    "layers_path",
    "mixing_path",
    "oracle_path",
    "passed",
    "read_hardest",
    "read_manifest",
    "read_mixing",
    "remedy",
    "table_path",
    "tables_in",
    "unwritable_remedy",
    "verify_command",
    "write_hardest",
    "write_mixing",
]

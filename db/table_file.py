"""Write and read the DuckDB file of a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass, replace
from datetime import datetime
from itertools import islice, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.db.blocks import (
    BLOCK_SIZE,
    Block,
    block_checksum,
    block_offsets,
    compress,
    decode,
    decompressed,
)
from puzzlebase.db.catalog import FORMAT, statements
from puzzlebase.db.errors import ReplacedTable
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.limits import ANTIPODES_KEPT
from puzzlebase.db.shared_arrays import Arrays, ArrayStore, array_digits
from puzzlebase.db.stored_file import ROWS_AT_ONCE, NamedFile, StoredFile, Writer, digest
from puzzlebase.machine import processors
from puzzlebase.paths import cache_stem
from puzzlebase.threads import in_order

BlockHeaders = npt.NDArray[np.void]  # of BLOCK_HEADER, one for each block
BLOCK_HEADER = np.dtype(
    [("first_index", np.int64), ("n", np.int32), ("base", np.int32), ("width", np.uint8)]
)
Headers = BlockHeaders | Mapping[str, npt.NDArray[Any]]  # with a base and a width of each block
Bytes = npt.NDArray[np.uint8]
# packed bytes that a thread makes at a time, by the beginnings of blocks: a large page
_TOGETHER = 1 << 21
# DuckDB holds the result of a query as a whole; of twice as many blocks, it gives back its pages
_BLOCKS_AT_ONCE = 128
# for the million layers of a long puzzle; 2048 at a time took ten times as long
_LAYERS_AT_ONCE = 1 << 17
# 64 ranges at a time took eight times as long on turnstile, whose ranges have ten distances
_COUNTS_AT_ONCE = 1 << 18
_BYTES_OF_A_PIECE = 1 << 22  # of an array that numbers states
_HEAD = ".head"  # the suffix of the file that caches what is known of a table without its blocks
_CHECKSUMS = "SELECT checksum FROM t.block ORDER BY first_index"
_RANKING_CHECKSUMS = "SELECT checksum FROM t.ranking ORDER BY name, piece"
_BLOCKS = "SELECT first_index, n, base, width, checksum, data FROM t.block"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The header of a table: the fields of table.sql,
    and the numbers of states at distance 0, 1, 2, ...
    """

    puzzle: str
    goal: str
    states: int
    reachable: int
    gods_number: int
    stored: str
    stored_size: int
    layers: tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Certificate:
    """A note that all vertices and edges of a graph were checked against the stored distances."""

    graph: str
    vertices: int
    edges: int


@dataclass(frozen=True, slots=True)
class BuildStep:
    """A phase of a build, for the log."""

    built: datetime
    version: str
    machine: str
    threads: int
    phase: str
    seconds: float


class TableWriter(Writer):
    """A new table's file: `add` the blocks in order,
    examine those `written`, `finish`; until then it is no table.
    """

    def add(self, blocks: Sequence[Block]) -> None:
        """Append blocks, if there are any."""
        with self._writing():
            self._insert(
                "block", [(b.first_index, b.n, b.base, b.width, b.checksum, b.data) for b in blocks]
            )

    def written(self, stored_size: int) -> BlockFile:
        """Read the added blocks back."""
        with self._writing():
            self._commit()
        return BlockFile(self._path, stored_size)

    def finish(
        self,
        info: TableInfo,
        histograms: Histograms,
        antipodes: Iterable[tuple[int, str]],
        certificates: Iterable[Certificate] = (),
        steps: Iterable[BuildStep] = (),
        ranking: Arrays | None = None,
    ) -> None:
        """Write the digest and all else that is known only at the end, and close the file."""
        with self._finishing(_CHECKSUMS) as of_blocks:
            checksums = [*of_blocks]
            if ranking:
                self._connection.execute(statements("ranking"))
                self._insert("ranking", _pieces(ranking), batch=1)
                checksums += self._connection.execute(_RANKING_CHECKSUMS).fetchall()
            # astuple would copy all of a million layers
            header = astuple(replace(info, layers=()))[:-1]
            self._insert("table_info", [(FORMAT, *header, BLOCK_SIZE, _digest(info, checksums))])
            self._insert("layer", enumerate(info.layers), _LAYERS_AT_ONCE)
            firsts = range(0, info.states, histograms.length)
            sizes = (min(histograms.length, info.states - first) for first in firsts)
            ranges = zip(firsts, sizes, histograms, strict=True)
            batch = _COUNTS_AT_ONCE * len(histograms) // max(len(histograms.counts), 1)
            rows = ((first, n, base, counts.tolist()) for first, n, (base, counts) in ranges)
            self._insert("census", rows, min(max(batch, 1), ROWS_AT_ONCE))
            self._insert("antipode", antipodes)
            self._insert("certificate", map(astuple, certificates))
            self._insert("build_log", map(astuple, steps))


class BlockFile(StoredFile):
    """The blocks of a file, of stored indices 0 .. `stored_size` - 1."""

    def __init__(self, path: Path, stored_size: int) -> None:
        super().__init__(path)
        self.stored_size = stored_size

    @property
    def block_count(self) -> int:
        """The number of blocks."""
        return -(-self.stored_size // BLOCK_SIZE)

    def block_headers(self) -> BlockHeaders:
        """The header of every block, BLOCK_HEADER[blocks],
        in order; raises DamagedTable where there are gaps.
        """
        rows = self._rows("SELECT first_index, n, base, width FROM t.block ORDER BY first_index")
        with self.damage():
            headers = np.array(rows, BLOCK_HEADER)
        expected = np.arange(len(rows), dtype=np.int64) * BLOCK_SIZE
        ends = np.append(expected[1:], self.stored_size)
        if (
            not rows
            or (headers["first_index"] != expected).any()
            or (headers["n"] != ends - expected).any()
        ):
            raise self.damaged("lacks blocks")
        return headers

    def blocks(self) -> Iterator[Block]:
        """Every block in order, few in memory at a time."""
        for first in range(0, self.block_count, _BLOCKS_AT_ONCE):
            rows = self._rows(
                f"{_BLOCKS} WHERE rowid >= ? AND rowid < ?", [first, first + _BLOCKS_AT_ONCE]
            )
            # DuckDB would copy the data, in three times the time
            yield from (Block(*row) for row in sorted(rows))

    def blocks_at(self, first_indices: Sequence[int]) -> list[Block]:
        """Blocks by their first indices, in the same order."""
        # One query reads all: a lookup may need eleven, and one by one they took five times as
        # long.
        rows = self._rows(f"{_BLOCKS} WHERE first_index = ANY(?)", [list(first_indices)])
        found = {block.first_index: block for block in (Block(*row) for row in rows)}
        if len(rows) != len(first_indices) or found.keys() != set(first_indices):
            raise self.damaged(f"has {len(rows)} blocks where there should be {len(first_indices)}")
        return [found[first] for first in first_indices]

    def content(self, headers: Headers, number: int, block: Block) -> Bytes:
        """The packed bytes of a block, uint8[bytes];
        raises DamagedTable also if it is not block `number`.
        """
        with self.damage():
            content = decode(block)
        expected = number * BLOCK_SIZE, headers["base"][number], headers["width"][number]
        if (block.first_index, block.base, block.width) != expected:
            raise self.damaged(f"is damaged: block {number} is not in its place")
        return content

    def read_all(self, headers: Headers, take: Callable[[int, int, list[Bytes]], None]) -> None:
        """Call `take` with the number of a block, its offset,
        and the packed bytes of it and some after it, for all blocks.

        Blocks are unpacked, checked and taken on all processors, in any order. Raises DamagedTable.
        """
        offsets = block_offsets(self.stored_size, headers["width"])

        def pieces() -> Iterator[list[tuple[int, Block]]]:
            blocks = enumerate(self.blocks())
            for first, last in self.pieces(offsets):
                some = [*islice(blocks, last - first)]
                if len(some) < last - first:
                    raise self.damaged("lacks blocks")
                yield some

        def unpacked(some: list[tuple[int, Block]]) -> None:
            first, _ = some[0]
            contents = [self.content(headers, at, block) for at, block in some]
            take(first, int(offsets[first]), contents)

        with ThreadPoolExecutor(processors()) as pool:
            for _ in in_order(pool, unpacked, pieces(), 2 * processors()):
                pass

    @staticmethod
    def pieces(offsets: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
        """The first block of each piece that is taken at a time, and the block after its last."""
        begins = np.flatnonzero(np.diff(offsets[:-1] // _TOGETHER, prepend=-1)).tolist()
        return pairwise([*begins, len(offsets) - 1])


class TableFile(BlockFile):
    """A table's open file. Raises DamagedTable for a wrong format or digest too."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, 0)
        self.info, self.digest = self._header()
        self.stored_size = self.info.stored_size

    def _header(self) -> tuple[TableInfo, str]:
        self.check_format()
        (row,) = self._rows(
            "SELECT puzzle, goal, states, reachable, gods_number, stored, stored_size, "
            "block_size, digest"
            " FROM t.table_info"
        )
        ((layers,),) = self._rows(
            "SELECT coalesce(list(states ORDER BY distance), []) FROM t.layer"
        )
        *fields, block_size, stored_digest = row
        info = TableInfo(*[*fields, tuple(layers)])
        if block_size != BLOCK_SIZE:
            raise self.damaged(f"has blocks of {block_size} indices, not {BLOCK_SIZE}")
        checksums = self._rows(_CHECKSUMS) + (
            self._rows(_RANKING_CHECKSUMS) if self._is_ranked() else []
        )
        if _digest(info, checksums) != stored_digest:
            raise self.damaged("does not have its digest")
        return info, stored_digest

    def _is_ranked(self) -> bool:
        tables = (
            "SELECT 1 FROM duckdb_tables() WHERE database_name = 't' AND table_name = 'ranking'"
        )
        return bool(self._rows(tables))

    def ranking(self) -> Arrays:
        """The arrays that number states found from a start,
        none for other states; raises DamagedTable.
        """
        pieces: dict[str, list[bytes]] = {}
        kinds: dict[str, tuple[str, list[int]]] = {}
        query = (
            "SELECT name, dtype, shape, bytes, checksum, data FROM t.ranking ORDER BY name, piece"
        )
        for name, dtype, shape, size, checksum, data in (
            self._rows(query) if self._is_ranked() else ()
        ):
            with self.damage():
                header = _ranking_header(name, dtype, shape, len(pieces.setdefault(name, [])))
                pieces[name].append(decompressed(name, data, size, header, checksum))
                kinds[name] = dtype, shape
        with self.damage():
            return {
                name: np.frombuffer(b"".join(pieces[name]), dtype).reshape(shape).copy()
                for name, (dtype, shape) in kinds.items()
            }

    def antipodes(self, offset: int = 0, limit: int = ANTIPODES_KEPT) -> list[tuple[int, str]]:
        """The index and the text of the stored states at the max distance, by index."""
        return self._rows(
            "SELECT index, state FROM t.antipode ORDER BY index LIMIT ? OFFSET ?", [limit, offset]
        )

    def histograms(self) -> Histograms:
        """The counts of every range of states;
        raises DamagedTable if they do not add up to the layers.
        """
        rows = self._rows(
            "SELECT first_index, n, base, len(counts) FROM t.census ORDER BY first_index"
        )
        counts = self._numbers(
            "SELECT unnest(counts) FROM (SELECT counts FROM t.census ORDER BY first_index)"
        )
        with self.damage():
            firsts, sizes, bases, lengths = np.array(rows, np.int64).reshape(-1, 4).T
            histograms = Histograms(int(sizes[0]), bases, np.append(0, np.cumsum(lengths)), counts)
            *expected, end = (histograms.length * np.arange(len(rows) + 1)).tolist()
            sound = firsts.tolist() == expected and expected[-1] < self.info.states <= end
            sound &= histograms.layers == self.info.layers
        if not sound:
            raise self.damaged("has histograms that do not add up to its layers")
        return histograms

    def certificates(self) -> list[Certificate]:
        """The proofs of this table's distances."""
        return [
            Certificate(*row)
            for row in self._rows("SELECT graph, nodes, links FROM t.certificate ORDER BY graph")
        ]

    def build_steps(self) -> list[BuildStep]:
        """The phases of this table's build."""
        sql = (
            "SELECT epoch_us(built), version, machine, threads, phase, seconds FROM t.build_log "
            "ORDER BY rowid"
        )
        rows = self._rows(sql)
        with self.damage():
            return [
                BuildStep(datetime.fromtimestamp(at / 1e6).astimezone(), *rest)
                for at, *rest in rows
            ]


class TableHeader(NamedFile):
    """All that is known of a table without its blocks,
    from a folder of such headers, or else from its file.
    """

    info: TableInfo
    digest: str
    _opened: TableFile | None = None

    def __init__(self, path: Path, cache: Path | None = None) -> None:
        super().__init__(path)
        self._opening = Lock()
        if cache and self.identity:
            arrays = ArrayStore(cache, _HEAD)(cache_stem(path), self._arrays, self.identity)
        else:
            arrays = self._arrays()
        header = json.loads(arrays["header"].tobytes())
        self.digest = header["digest"]
        self.info = TableInfo(**header["info"] | {"layers": tuple(arrays["layers"].tolist())})

    @property
    def mark(self) -> str:
        """16 hexadecimal digits, for the names of files with content of this one.

        A file put in its place has others, even with the same digest:
        it may be damaged, and its content is read anew.
        """
        identity = self.identity
        # A build has these before the file has its name.
        return array_digits(
            self.digest, identity and (identity.inode, identity.size, identity.modified)
        )

    @property
    def file(self) -> TableFile:
        """The file, opened at the first call;
        safe to use from several threads. Raises DamagedTable.

        Raises ReplacedTable if a file of another build took the name since the header was read.
        """
        with self._opening:
            opened = self._opened or TableFile(self.path)
            if (opened.info, opened.digest) != (self.info, self.digest):
                raise ReplacedTable(
                    f"the table in {str(self.path)!r} was just replaced", "try again in a moment"
                )
            self._opened = opened
            return opened

    def _arrays(self) -> Arrays:
        """The header and the digest of the file, which is opened."""
        self._opened = opened = TableFile(self.path)
        header = {"info": asdict(replace(opened.info, layers=())), "digest": opened.digest}
        return {
            "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
            "layers": np.array(opened.info.layers, np.int64),
        }

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._opened:
            self._opened.close()


def _digest(info: TableInfo, checksums: Iterable[tuple[Any, ...]]) -> str:
    return digest({"format": FORMAT, **asdict(replace(info, layers=()))}, info.layers, checksums)


def _pieces(arrays: Arrays) -> Iterator[tuple[Any, ...]]:
    """The rows of arrays that number states."""
    for name, array in sorted(arrays.items()):
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        for piece, first in enumerate(range(0, max(len(content), 1), _BYTES_OF_A_PIECE)):
            part = content[first : first + _BYTES_OF_A_PIECE]
            checksum = block_checksum(
                bytes(part), _ranking_header(name, array.dtype.str, array.shape, piece)
            )
            yield name, array.dtype.str, [*array.shape], piece, len(part), checksum, compress(part)


def _ranking_header(name: str, dtype: str, shape: Sequence[int], piece: int) -> bytes:
    return hashlib.blake2b(
        json.dumps([name, dtype, [*shape], piece]).encode(), digest_size=32
    ).digest()

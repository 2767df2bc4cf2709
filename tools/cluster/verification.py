"""What must be true of the parts' blocks before they become a table: each part checks its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
import ray

from puzzlebase.builder.certificate import VerificationError, certificate_of
from puzzlebase.builder.job import Job
from puzzlebase.builder.preflight import STATES_IN_MEMORY
from puzzlebase.builder.verify import StatesInMemory, TableFindings, all_states, antipodes_of, reversible, stored_name
from puzzlebase.db.blocks import BLOCK_SIZE, Block, decode
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.table import StoredDistances
from puzzlebase.db.table_file import BlockHeaders, TableWriter
from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.blocks import BlocksOfParts
from puzzlebase.tools.cluster.build import Build

_ROWS_KEPT = 8  # rows of orbits that are kept unpacked: consecutive states need the same ones
_BLOCKS_AT_ONCE = 256


def headers_of(build: Build) -> BlockHeaders:
    """Have every part write its blocks, and open those of all; returns their headers."""
    written = build.all("write", ((),) * len(build.parts))
    headers: BlockHeaders = np.concatenate([some for some in written if some is not None])
    build.all("read", ((headers,) for _ in build.parts))
    return headers


def examine_parts(job: Job, build: Build, graph: Graph, stored: StoredDistances) -> TableFindings:
    """Count all states and certify all distances, each part its own; raises VerificationError, DamagedTable.

    The same findings as builder/verify.py has of a table in one file.
    """
    with reversible(job, all_states(job.space)):
        return _examine_parts(job, build, graph, stored)


def _examine_parts(job: Job, build: Build, graph: Graph, stored: StoredDistances) -> TableFindings:
    space, parts = job.space, len(build.parts)
    name = stored_name(space)
    with job.report.phase(f"certificate of the {name}", graph.size, name) as phase:
        checked = build.all("certify", ((),) * parts)
        certificate, histograms = certificate_of(name, graph, stored, checked)
        phase.advance(graph.size)
    certificates, stored_layers = [certificate], histograms.layers
    if space.orbits is not None:
        of_parts = _ranges_of_states(space.size, parts)
        if space.size <= STATES_IN_MEMORY:
            with job.report.phase("certificate of the states", space.size, "states") as phase:
                distances = np.concatenate(build.all("states", of_parts))
                shared = ray.put(distances)
                checked = build.all("certify_states", ((shared, first, last) for first, last in of_parts))
                certificate, histograms = certificate_of("states", space, StatesInMemory(distances), checked)
                phase.advance(space.size)
            certificates.append(certificate)
        else:
            with job.report.phase("histograms", space.size, "states") as phase:
                histograms = Histograms.of(chain.from_iterable(build.all("histograms", of_parts)))
                phase.advance(space.size)
    layers = histograms.layers
    start = np.array([job.puzzle.index(job.goal.start, job.goal)])
    from_start = int(space.distances(start, stored.probe)[0])
    antipodes = antipodes_of(space, lru_cache(_ROWS_KEPT)(stored.range), histograms, len(layers) - 1, threads=1)
    return TableFindings(histograms, layers, antipodes, stored_layers, certificates, from_start)


def _ranges_of_states(size: int, parts: int) -> list[tuple[int, int]]:
    """Ranges of states, one for each part and whole blocks of them; a part may have none."""
    blocks = -(-size // BLOCK_SIZE)
    ends = [min(part * blocks // parts * BLOCK_SIZE, size) for part in range(parts + 1)]
    return [*pairwise(ends)]


def put_together(writer: TableWriter, blocks: BlocksOfParts, advance: Callable[[int], None]) -> None:
    """Write the blocks of all parts into one file in order, and read them back; raises VerificationError.

    Each block is checked when it comes from its part and when it has been read back, and the checksums of all have to
    be the same. So what was certified in the parts is what the file holds.
    """
    came, lies = _Checksums(), _Checksums()
    some: list[Block] = []
    for block in blocks.blocks():
        came.add(block)
        some.append(block)
        if len(some) == _BLOCKS_AT_ONCE:
            writer.add(some)
            some = []
        advance(block.n)
    writer.add(some) if some else None
    with writer.written(blocks.stored_size) as file:
        for block in file.blocks():
            lies.add(block)
    if came.total.digest() != lies.total.digest():
        raise VerificationError("the blocks in the file are not those of the parts")


class _Checksums:
    """A hash over the checksums of blocks, each of which is decoded; raises DamagedBlock."""

    def __init__(self) -> None:
        self.total: Any = hashlib.blake2b(digest_size=32)

    def add(self, block: Block) -> None:
        decode(block)
        self.total.update(block.checksum)

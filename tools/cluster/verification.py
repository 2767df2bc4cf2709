"""The parts' blocks are verified, each part's by itself, and then put together into a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice, pairwise

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
    written = build.all("write")
    headers: BlockHeaders = np.concatenate([some for some in written if some is not None])
    build.all("read", ((headers,) for _ in build.parts))
    return headers


def examine_parts(job: Job, build: Build, graph: Graph, stored: StoredDistances) -> TableFindings:
    """Count all states and certify all distances, each part its own; raises VerificationError, DamagedTable.

    The same findings as builder/verify.py has of a table in one file.
    """
    with reversible(job, all_states(job.space)):
        return _examine(job, build, graph, stored)


def _examine(job: Job, build: Build, graph: Graph, stored: StoredDistances) -> TableFindings:
    space, parts, name = job.space, len(build.parts), stored_name(job.space)
    with job.report.phase(f"certificate of the {name}", graph.size, name) as phase:
        checked = build.all("certify")
        certificate, histogram = certificate_of(name, graph, stored, checked)
        phase.advance(graph.size)
    certificates, stored_layers = [certificate], histogram.layers
    if space.orbits is not None:
        blocks = -(-space.size // BLOCK_SIZE)  # whole ones for each part, perhaps none
        of_parts = [*pairwise(min(part * blocks // parts * BLOCK_SIZE, space.size) for part in range(parts + 1))]
        if space.size <= STATES_IN_MEMORY:
            with job.report.phase("certificate of the states", space.size, "states") as phase:
                distances = np.concatenate(build.all("states", of_parts))
                shared = ray.put(distances)
                checked = build.all("certify_states", ((shared, first, last) for first, last in of_parts))
                certificate, histogram = certificate_of("states", space, StatesInMemory(distances), checked)
                phase.advance(space.size)
            certificates.append(certificate)
        else:
            with job.report.phase("histograms", space.size, "states") as phase:
                histogram = Histograms.of(chain.from_iterable(build.all("counts", of_parts)))
                phase.advance(space.size)
    layers = histogram.layers
    from_start = int(space.distances(np.array([job.puzzle.index(job.goal.start, job.goal)]), stored.probe)[0])
    antipodes = antipodes_of(space, lru_cache(_ROWS_KEPT)(stored.range), histogram, len(layers) - 1, threads=1)
    return TableFindings(histogram, layers, antipodes, stored_layers, certificates, from_start)


def put_together(writer: TableWriter, blocks: BlocksOfParts, advance: Callable[[int], None]) -> None:
    """Write the blocks of all parts into one file in order, and read them back; raises VerificationError.

    Each block is checked when it comes from its part and when it has been read back, and the checksums of all have to
    be the same. So what was certified in the parts is what the file holds.
    """
    came, stored = blake2b(), blake2b()
    coming = _checked(blocks.blocks(), came)
    while some := list(islice(coming, _BLOCKS_AT_ONCE)):
        writer.add(some)
        advance(sum(block.n for block in some))
    with writer.written(blocks.stored_size) as file:
        deque(_checked(file.blocks(), stored), maxlen=0)
    if came.digest() != stored.digest():
        raise VerificationError("the blocks in the file are not those of the parts")


def _checked(blocks: Iterable[Block], total: blake2b) -> Iterator[Block]:
    """The same blocks, each decoded, their checksums added to a hash; raises DamagedBlock."""
    for block in blocks:
        decode(block)
        total.update(block.checksum)
        yield block

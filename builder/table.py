"""Build and verify the table of a puzzle and a goal: the distance of every state."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import ClassVar, Self

import numpy as np

from puzzlebase.atomic_files import FileInUse
from puzzlebase.builder import verify
from puzzlebase.builder.breadth_first import ToEngine, engine_of, find_layers, layout_of
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.errors import build_in_use_error
from puzzlebase.builder.job import Job
from puzzlebase.builder.journal import Journal
from puzzlebase.builder.preflight import PROGRAM, Estimate, Shortage, estimate_table
from puzzlebase.builder.unfinished import publish_unfinished, unfinished_files
from puzzlebase.builder.verify import TableFindings, memory_of_verification
from puzzlebase.db.block_cache import blocks_within
from puzzlebase.db.blocks import BLOCK_SIZE, Block, encode
from puzzlebase.db.stored_file import digest
from puzzlebase.db.table_file import BuildStep, TableHeader, TableInfo, TableWriter
from puzzlebase.machine import spare_memory
from puzzlebase.paths import table_path
from puzzlebase.puzzles import Graph, Signed
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.space import Arrays
from puzzlebase.puzzles.machinery.any_goal import numbered
from puzzlebase.threads import in_order, thread_buffer

_LAYERS_REPORTED = 40  # layers that are all reported; later ones are reported once a second


@dataclass(frozen=True)
class TableJob(Job):
    """A table to build or to verify.
    A build that was stopped continues from the layers in its journal.
    """

    # the arrays that number states found from a start
    ranking: Arrays | None = field(default=None, kw_only=True)
    engine: ToEngine = field(default=engine_of, kw_only=True)

    resumes: ClassVar[bool] = True

    @property
    def path(self) -> Path:
        """The table's file."""
        return table_path(self.data, self.puzzle.table_name(self.goal))

    def estimate(self) -> Estimate:
        """Estimate the needs of a build, beside what is free."""
        job = self.numbered() if self.puzzle.found else self
        return estimate_table(job.space, self.path, self.threads, self.engine)

    def build(self) -> Path:
        """Build the table, as Job.build does."""
        return self.numbered().build() if self.puzzle.found else super().build()

    def numbered(self) -> Self:
        """The same job with the states that the start leads to,
        which are found now. Raises Shortage, BrokenPuzzle.
        """
        assert self.puzzle.found
        each = self.puzzle.found.bytes_of_a_state
        most = max(spare_memory() - PROGRAM, 0) // each
        self.report.say(
            f"states to find from the start: memory for {most:,}, at about {each} bytes each"
        )
        began = monotonic()
        try:
            space, ranking = self.puzzle.found.find(
                most, self.threads, FoundReport(self.report.say)
            )
        except TooManyStates as error:
            last = ", ".join(f"{states:,}" for states in error.layers[-4:])
            raise Shortage(
                f"{self.puzzle.name} has more than {error.most:,} states; the last layers from "
                f"the start had {last}",
                f"{'free memory, or ' * (error.most == most)}ask about single states, which a "
                "search answers",
            ) from None
        self.report.say(f"{space.size:,} states found in {monotonic() - began:.2f} s")
        return replace(self, puzzle=numbered(self.puzzle, lambda: space), ranking=ranking)

    def verify(self) -> str:
        """Check the table and return the result in words; raises as Job.verify does."""
        verify.verify_table(self)
        return f"{self.path} is sound: every state has the distance it should"

    def _prepare(self) -> None:
        if self.ranking is None:
            with self.report.phase("space", len(self.puzzle.moves), "moves prepared"):
                _ = self.space

    def _make(self) -> None:
        graph = self.space.stored()
        with self._journal_of(graph) as journal:
            self._search(graph, journal)
            with publish_unfinished(self.path) as unfinished:
                self._write(unfinished, graph, journal)

    @contextmanager
    def _journal_of(self, graph: Graph) -> Iterator[Journal]:
        """The finished layers, for this process alone;
        deleted when the table is published, or does not pass.
        """
        what: dict[str, object] = {
            "version": self.version,
            "puzzle": self.puzzle.name,
            "goal": self.goal.key,
        }
        if self.ranking:
            what["states"] = digest(
                {}, (), ((array.tobytes(),) for _, array in sorted(self.ranking.items()))
            )
        try:
            journal = Journal(unfinished_files(self.path)[0], what, layout_of(graph))
        except FileInUse:
            raise build_in_use_error(self.path) from None
        with journal:
            try:
                yield journal
            except VerificationError:
                journal.close(remove=True)
                raise
            journal.close(remove=True)

    def _search(self, graph: Graph, journal: Journal) -> None:
        if journal.dropped:
            self.report.say("layers of another version or goal were there, and are dropped")
        if journal.complete:
            self.report.say("all layers are there from an earlier run")
        elif journal.layers:
            self.report.say(f"continuing after layer {len(journal.layers) - 1} of an earlier run")
        stored, pace = self.space.storage.name, _Pace()
        with self.report.phase("breadth-first search", graph.size, stored) as phase:

            def report(distance: int, vertices: int, found: int) -> None:
                if pace.allows(distance):
                    phase.reached(found)
                    phase.say(
                        f"  layer {distance:3}: {vertices:15,} {stored}, {found / graph.size:7.2%}"
                    )

            find_layers(graph, journal, self.threads, report, self.engine)

    def _write(self, path: Path, graph: Graph, journal: Journal) -> None:
        """Write the distances of each piece, verify what is read back,
        and write the findings and the log.
        """
        with TableWriter(path) as writer:
            with self.report.phase("write", graph.size, "distances") as phase:
                _write_blocks(writer, journal, self.threads, phase.advance)
            with writer.written(graph.size) as written:
                blocks = blocks_within(written, memory_of_verification())
                findings = verify.examine_graph(self, graph, blocks)
            verify.agree(
                "layers found and stored", tuple(journal.layers[:-1]), findings.stored_layers
            )
            verify.agree_with_published(
                self.goal.published, findings.layers, findings.start_distance
            )
            self._finish(writer, findings)
        with TableHeader(path) as written_table:
            verify.check_file(self, written_table.file, findings)
            self.mapped.open(written_table, blocks)

    def _finish(self, writer: TableWriter, findings: TableFindings) -> None:
        space, layers = self.space, findings.layers
        numbers = space.size, sum(layers), len(layers) - 1
        info = TableInfo(
            self.puzzle.name, self.goal.key, *numbers, space.storage.name, space.stored_size, layers
        )
        antipodes = zip(findings.antipodes, self.texts(findings.antipodes), strict=True)
        machine = (
            f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
        )
        of_build = datetime.now(UTC), self.version, machine, self.threads
        steps = [BuildStep(*of_build, *phase) for phase in self.report.seconds.items()]
        writer.finish(
            info, findings.histograms, antipodes, findings.certificates, steps, self.ranking
        )


class _Pace:
    """The pace of a report of layers: each of the first, then one a second."""

    def __init__(self) -> None:
        self._reported = 0.0

    def allows(self, layer: int) -> bool:
        """True if a layer is to be reported now."""
        if layer >= _LAYERS_REPORTED and monotonic() <= self._reported + 1:
            return False
        self._reported = monotonic()
        return True


class FoundReport:
    """A report of the layers in which states are found from the start."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._pace = _Pace()
        self._layer = -1

    def __call__(self, states: int, found: int) -> None:
        """Report a layer and its number of states; `found` is that of all layers."""
        self._layer = 0 if states == found else self._layer + 1  # another method may begin anew
        if self._pace.allows(self._layer):
            self._say(f"  depth {self._layer:3}: {states:15,} states, {found:,} in all")


def _write_blocks(
    writer: TableWriter, journal: Journal, threads: int, advance: Callable[[int], None]
) -> None:
    """Encode the distances of each piece of a graph, and write the blocks, in order.

    Each thread has a piece of its own.
    Blocks in more than one piece are encoded here, where all are written.
    """
    at = 0
    rest: Signed = np.empty(0, np.int8)
    with ThreadPoolExecutor(threads) as pool:
        pieces = range(len(journal.pieces))
        for before, blocks, behind in in_order(pool, partial(_encoded, journal), pieces, threads):
            rest = np.concatenate([rest, before])
            if len(rest) == BLOCK_SIZE:
                blocks.insert(0, encode(at, rest))
                rest = rest[:0]
            rest = np.concatenate([rest, behind])
            writer.add(blocks)
            at += len(blocks) * BLOCK_SIZE
            advance(len(blocks) * BLOCK_SIZE)
    if len(rest):
        writer.add([encode(at, rest)])
        advance(len(rest))


def _encoded(journal: Journal, piece: int) -> tuple[Signed, list[Block], Signed]:
    """The blocks inside a piece, and the distances before and after them."""
    first, last = journal.layout.vertices(journal.pieces[piece])
    size = journal.dtype.itemsize * (last - first)
    found = journal.distances(piece, thread_buffer("distances", size).view(journal.dtype))
    whole = range(-(-first // BLOCK_SIZE) * BLOCK_SIZE, last // BLOCK_SIZE * BLOCK_SIZE, BLOCK_SIZE)
    before = found[: whole.start - first].copy()
    blocks = [encode(at, found[at - first :][:BLOCK_SIZE]) for at in whole]
    return before, blocks, found[max(whole.start, whole.stop) - first :].copy()

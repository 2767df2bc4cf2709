"""A table that a Ray cluster builds: the same table as on one machine, with the same digest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import ray

from puzzlebase.atomic_files import FileInUse, locked
from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.preflight import Estimate, Shortage, estimate_table, memory_for_distances, text_of_bytes
from puzzlebase.builder.progress import Phase
from puzzlebase.builder.publishing import BuildError, in_use, leftovers, unpublished
from puzzlebase.builder.table import LayerReport, TableJob
from puzzlebase.db.block_cache import blocks_within
from puzzlebase.db.blocks import Block
from puzzlebase.db.mapped import NOT_MAPPED
from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import BlockFile, TableWriter
from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.blocks import BlocksOfParts
from puzzlebase.tools.cluster.build import SILENCE, Build
from puzzlebase.tools.cluster.machines import LOCAL, connect, machines_of, memory_of_parts, place
from puzzlebase.tools.cluster.part import Told
from puzzlebase.tools.cluster.plan import Division, Plan
from puzzlebase.tools.publish.verb import publish_table

_BLOCKS_AT_ONCE = 256
_OF_A_PART = 1.3  # bytes of disk for each vertex: its layers, and its blocks beside them


@dataclass(frozen=True)
class ClusterTableJob(TableJob):
    """A table that parts on a Ray cluster build; by default all machines share the data folder for their files."""

    address: str = field(default=LOCAL, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)  # parts; by default one for each processor
    folder: Path | None = field(default=None, kw_only=True)  # of the parts' files, on each machine
    silence: float = field(default=SILENCE, kw_only=True)  # seconds, after which a stalled part is replaced
    publish: Path | None = field(default=None, kw_only=True)  # the folder that gets the table in place of a file

    def estimate(self) -> Estimate:
        """Estimate the memory and disk that all machines need; raises Shortage if a machine has too little."""
        plan, needed = self._planned
        machines = machines_of(plan.folder)
        if not self.force:
            place(plan, machines, needed, range(plan.parts), [None] * plan.parts)
        whole = estimate_table(self.space, self.path, plan.parts)
        each = int(plan.division.layout.size / plan.parts * _OF_A_PART)
        for machine in machines:
            if not self.force and machine.disk < each:
                raise Shortage(
                    f"a part needs about {text_of_bytes(each)} of disk, {text_of_bytes(machine.disk)} are free on"
                    f" {machine.address} in {str(plan.folder)!r}",
                    "make room there, or name another folder with --cluster-folder",
                )
        disk = (0 if self.publish else whole.disk) + (0 if self.folder else each * plan.parts)
        spare = sum(machine.memory for machine in machines)
        return replace(whole, memory=sum(needed), disk=disk, spare_memory=spare)

    def build(self) -> Path:
        """Build, verify and publish the table as TableJob does; no process is left, even if it fails."""
        try:
            path = super().build()
            return self.publish / path.stem if self.publish else path
        finally:
            self._rankings.cleanup()

    def _prepare(self) -> None:
        connect(self.address, self.workers)
        super()._prepare()

    def _make(self) -> None:
        try:
            lock = locked(leftovers(self.path)[0])
        except FileInUse:
            raise in_use(self.path) from None
        with lock:  # the finished layers of a build on one machine are not removed
            plan, needed = self._planned
            self._plan_file.parent.mkdir(parents=True, exist_ok=True)
            self._plan_file.write_text(json.dumps({"parts": plan.parts, "folder": str(plan.folder)}), "utf-8")
            build = Build(plan, needed, self.silence, self.report.say)
            finish = partial(build.run, partial(build.all, "finish"))  # which deletes the parts' files
            try:
                build.run(lambda: self._built(build, self.space.stored()))
                finish()
            except VerificationError:
                finish()  # a build on one machine could not use the layers of this one
                raise
            finally:
                build.end()
            shutil.rmtree(self._plan_file.parent, ignore_errors=True)
            leftovers(self.path)[0].unlink(missing_ok=True)

    def _built(self, build: Build, graph: Graph) -> None:
        """Find the layers, have the parts write their blocks, and verify and publish these as one table."""
        division, name = build.plan.division, self.space.storage.name
        with self.report.phase("parts", division.parts, "parts"):
            build.start()
        with self.report.phase("breadth-first search", graph.size, name, even=False) as phase:
            report = _ClusterReport(phase, graph, name, 0)
            layers = build.find_layers(lambda distance, results: report.told(distance, build.layers, results))

        of_parts = partial(BlocksOfParts, division=division, ask=build.blocks)

        def write(writer: TableWriter, phase: Phase) -> BlockFile:
            headers: list[list[Block]] = build.all("write")
            exchange = f"exchange of {report.bytes:,} bytes in {report.messages:,} messages"
            machines = f"{division.parts} parts on {len(set(build.machines))} machines, Ray {ray.__version__}"
            self.report.seconds[f"{exchange}, {machines}"] = report.seconds
            if self.publish:
                writer.add([*chain.from_iterable(headers)])
                return of_parts(writer.written(graph.size).path)
            coming = of_parts(self.path).blocks()
            while some := [*islice(coming, _BLOCKS_AT_ONCE)]:
                writer.add(some)
                phase.advance(sum(block.n for block in some))
            return writer.written(graph.size)

        if not self.publish:
            with unpublished(self.path) as unfinished:
                self._write(unfinished, graph, layers, write, self.mapped)
            return
        with TemporaryDirectory() as beside:
            path = Path(beside, self.path.name)
            self._write(path, graph, layers, write, NOT_MAPPED)
            with Table(path) as table:
                table.blocks = blocks_within(of_parts(path), memory_for_distances())
                publish_table(self, table, self.publish, partial(self._published, build, table))
        build.all("place", [(self.publish.absolute() / self.path.stem,)] * len(build.parts))

    def _published(self, build: Build, table: Table, folder: Path, block: int) -> dict[str, Any]:
        """Have each part write its own files of the published table; returns the description of all blocks."""
        given = folder.absolute(), table.header.digest, block, table.file.block_headers()
        each: list[dict[str, Any]] = build.all("publish", [given] * len(build.parts))
        return each[0] | {total: sum(part[total] for part in each) for total in ("size", "bytes")}

    def _divided(self) -> tuple[int, Path]:
        """The number of parts and the folder of their files. A build that was stopped keeps both."""
        connect(self.address, self.workers)
        folder = self.folder / self.path.stem if self.folder else self._plan_file.parent
        parts = self.workers or int(ray.cluster_resources().get("CPU", 1))  # for work
        if self._plan_file.exists():
            known = json.loads(self._plan_file.read_text("utf-8"))
            if known["parts"] != min(parts, known["parts"]) or self.workers not in (None, known["parts"]):
                self.report.say(f"an earlier run divided it into {known['parts']} parts; it goes on with these")
            parts, folder = known["parts"], Path(known["folder"])
        return parts, folder.absolute()

    @property
    def _numberings(self) -> ArrayStore:
        return ArrayStore(Path(self._rankings.name))

    @cached_property
    def _rankings(self) -> TemporaryDirectory[str]:
        return TemporaryDirectory(prefix="puzzlebase-")

    @cached_property
    def _planned(self) -> tuple[Plan, list[int]]:
        """The build before it starts, and the bytes of memory that each part needs."""
        parts, folder = self._divided()
        graph = self.space.stored()
        if not graph.product:
            raise BuildError(f"the moves of {self.puzzle.name} are no tables of rows", "build it without --cluster")
        division = Division.of(layout_of(graph), parts)
        names = self.puzzle.name, self.goal.name, self.goal.key, self.version
        plan = Plan(*names, folder, division, Path(self._rankings.name))
        return plan, memory_of_parts(division, graph.product())

    @property
    def _plan_file(self) -> Path:
        return self.path.with_suffix(".cluster") / "plan.json"


class _ClusterReport(LayerReport):
    """Reports each layer: its states, the rate, the bytes exchanged, the slowest part and the time left."""

    bytes = messages = 0
    seconds = 0.0  # of all layers of this run

    def told(self, distance: int, layers: Sequence[int], results: Sequence[Told]) -> None:
        """Report the layer at this distance, from the reports of its parts."""
        found, states = sum(layers), layers[distance]
        seconds = monotonic() - self._began
        took, self.seconds = seconds - self.seconds, seconds
        self._before = self._before or found - states  # layers of an earlier run took no time of this one
        sent = sum(result.bytes for result in results)
        self.bytes += sent
        self.messages += sum(result.messages for result in results)
        longest, slowest = max((result.seconds, part) for part, result in enumerate(results))
        left = (self._size - found) * seconds / max(found - self._before, 1)
        self.more = (
            f", {text_of_bytes(sent)} exchanged, slowest part {slowest}"
            f" ({longest:.2f} of {took:.2f} s), at most {left:,.0f} s left"
        )
        if states:
            self(distance, states, found)

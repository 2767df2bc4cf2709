"""A table that a Ray cluster builds: the same table as on one machine, with the same digest."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import monotonic

import ray

from puzzlebase.atomic_files import FileInUse, locked
from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.preflight import Estimate, estimate_table, text_of_bytes
from puzzlebase.builder.publishing import BuildError, in_use, leftovers, unpublished
from puzzlebase.builder.table import LayerReport, TableJob
from puzzlebase.db.mapped import NOT_MAPPED
from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.build import Build
from puzzlebase.tools.cluster.machines import LOCAL, connect, machines_of, memory_of_parts, place
from puzzlebase.tools.cluster.part import PartReport
from puzzlebase.tools.cluster.plan import Division, Plan
from puzzlebase.tools.publish.publishing import publish_table


@dataclass(frozen=True)
class ClusterTableJob(TableJob):
    """A table that parts on a Ray cluster build; by default all machines share the data folder for their files."""

    address: str = field(default=LOCAL, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)  # parts; by default one for each processor
    folder: Path | None = field(default=None, kw_only=True)  # of the parts' files, on each machine
    publish: Path | None = field(default=None, kw_only=True)  # the folder that gets the table in place of a file

    def estimate(self) -> Estimate:
        """Estimate the memory of all machines, and the disk here; raises Shortage if memory is too small."""
        plan, needed = self._planned
        machines = machines_of(plan.folder)
        if not self.force:
            place(plan, machines, needed)
        spare = sum(machine.memory for machine in machines)
        return replace(estimate_table(self.space, self.path, plan.parts), memory=sum(needed), spare_memory=spare)

    def build(self) -> Path:
        """Build, verify and publish the table as TableJob does; no process is left, even if it fails."""
        path = super().build()
        return self.publish / path.stem if self.publish else path

    def _prepare(self) -> None:
        connect(self.address, self.workers)
        super()._prepare()

    def _make(self) -> None:
        try:
            lock = locked(leftovers(self.path)[0])
        except FileInUse:
            raise in_use(self.path) from None
        with lock:  # the finished layers of a build on one machine are not removed
            build = Build(*self._planned, self.report.say)
            try:
                build.run(lambda: self._built(build, self.space.stored()))
                build.finish()
            except VerificationError:
                build.finish()  # a build on one machine could not use the layers of this one
                raise
            finally:
                build.end()
            shutil.rmtree(build.plan.folder, ignore_errors=True)
            leftovers(self.path)[0].unlink(missing_ok=True)

    def _built(self, build: Build, graph: Graph) -> None:
        """Find the layers in parts, and write, verify and publish their distances as one table."""
        parts, name = build.plan.parts, self.space.storage.name
        with self.report.phase("parts", parts, "parts"):
            build.open()
        with self.report.phase("breadth-first search", graph.size, name) as phase:
            report = _ClusterReport(phase, graph, name, sum(build.layers))
            build.find_layers(lambda distance, reports: report.told(distance, build.layers, reports))
        machines = len({machine.id for machine in build.machines})
        exchange = f"exchange of {report.bytes:,} bytes, {parts} parts on {machines} machines, Ray {ray.__version__}"
        self.report.seconds[exchange] = report.seconds
        if self.publish:
            beside = self.path.with_suffix(".publishing")
            shutil.rmtree(beside, ignore_errors=True)  # of a build that was killed
            try:
                beside.mkdir()
                path = beside / self.path.name
                self._write(path, graph, build.layers, build.distances, NOT_MAPPED)
                publish_table(self, path, self.publish)
            finally:
                shutil.rmtree(beside, ignore_errors=True)
        else:
            with unpublished(self.path) as unfinished:
                self._write(unfinished, graph, build.layers, build.distances, self.mapped)

    def _divided(self) -> tuple[int, Path]:
        """The number of parts and the folder of their files. A build that was stopped goes on with its own parts."""
        connect(self.address, self.workers)
        folder = (self.folder / self.path.stem if self.folder else self.path.with_suffix(".cluster")).absolute()
        files = " ".join(file for machine in machines_of(folder) for file in machine.files)
        former = re.search(r"part-\d+-of-(\d+)\.layers", files)
        parts = self.workers or int(former[1] if former else ray.cluster_resources().get("CPU", 1))  # for work
        return parts, folder

    @cached_property
    def _planned(self) -> tuple[Plan, list[int]]:
        """The build before it starts, and the bytes of memory that each part needs."""
        parts, folder = self._divided()
        graph = self.space.stored()
        if not graph.product:
            raise BuildError(f"the moves of {self.puzzle.name} are no tables of rows", "build it without --cluster")
        division = Division.of(layout_of(graph), parts)
        names = self.puzzle.name, self.goal.name, self.goal.key, self.version
        plan = Plan(*names, folder, division, self.mapped.folder and self.mapped.folder.absolute())
        return plan, memory_of_parts(division, graph.product())


class _ClusterReport(LayerReport):
    """Reports each layer: its states, the rate, the bytes exchanged, and the slowest part."""

    bytes = 0
    seconds = 0.0  # of all layers of this run

    def told(self, distance: int, layers: Sequence[int], reports: Sequence[PartReport]) -> None:
        """Report the layer at this distance, from the reports of its parts."""
        took, self.seconds = monotonic() - self._began - self.seconds, monotonic() - self._began
        sent = sum(report.bytes for report in reports)
        self.bytes += sent
        longest, slowest = max((report.seconds, part) for part, report in enumerate(reports))
        self.more = f", {text_of_bytes(sent)} exchanged, slowest part {slowest} ({longest:.2f} of {took:.2f} s)"
        if layers[distance]:
            self(distance, layers[distance], sum(layers))

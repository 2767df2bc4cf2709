"""A table that a Ray cluster builds: the same table as on one machine, with the same digest."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field, replace
from functools import cached_property

import ray
from ray.util.placement_group import remove_placement_group

from puzzlebase.atomic_files import FileInUse, locked
from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.preflight import Estimate, estimate_table
from puzzlebase.builder.publishing import BuildError, in_use, leftovers, unpublished
from puzzlebase.builder.table import LayerReport, TableJob
from puzzlebase.plugins.cluster.build import Build
from puzzlebase.plugins.cluster.machines import LOCAL, connect, memory_of_parts, reserve, spare_memory
from puzzlebase.plugins.cluster.plan import Division, Plan
from puzzlebase.puzzles import Graph


@dataclass(frozen=True)
class ClusterTableJob(TableJob):
    """A table that parts on a Ray cluster build; all machines share the data folder for their files."""

    address: str = field(default=LOCAL, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)  # parts; by default one for each processor

    def estimate(self) -> Estimate:
        """Estimate the memory of all machines, and the disk here; raises Shortage if memory is too small."""
        plan, needed = self._planned
        spare = spare_memory()
        if not self.force:
            remove_placement_group(reserve(needed))
        return replace(estimate_table(self.space, self.path, plan.parts), memory=sum(needed), spare_memory=spare)

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
        name = self.space.storage.name
        with self.report.phase("parts", build.plan.parts, "parts"):
            build.open()
        with self.report.phase("breadth-first search", graph.size, name) as phase:
            build.find_layers(LayerReport(phase, graph, name))
        with unpublished(self.path) as unfinished:
            self._write(unfinished, graph, build.layers, build.distances, self.mapped)

    @cached_property
    def _planned(self) -> tuple[Plan, list[int]]:
        """The build before it starts, and the bytes of memory that each part needs.

        A build that was stopped goes on with its own parts.
        """
        connect(self.address, self.workers)
        folder = self.path.with_suffix(".cluster").absolute()
        former = re.search(r"part-\d+-of-(\d+)\.layers", " ".join(map(str, folder.glob("part-*"))))
        parts = self.workers or int(former[1] if former else ray.cluster_resources().get("CPU", 1))
        graph = self.space.stored()
        if not graph.product:
            raise BuildError(f"the moves of {self.puzzle.name} are no tables of rows", "build it without --cluster")
        division = Division.of(layout_of(graph), parts)
        names = self.puzzle.name, self.goal.name, self.goal.key, self.version
        plan = Plan(*names, folder, division, self.mapped.folder and self.mapped.folder.absolute())
        return plan, memory_of_parts(division, graph.product())

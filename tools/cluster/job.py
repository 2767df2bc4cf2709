"""A table that a Ray cluster builds: the same table as on one machine, with the same digest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import ray

from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.preflight import Estimate, Shortage, estimate_table, text_of_bytes
from puzzlebase.builder.publishing import in_use, leftovers, unpublished
from puzzlebase.builder.table import TableJob
from puzzlebase.builder.verify import TableFindings, agree, agree_with_published, check_file, stored_name, texts
from puzzlebase.db.regular import FileInUse, locked
from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.db.table import StoredDistances
from puzzlebase.db.table_file import TableFile, TableWriter
from puzzlebase.puzzles import Graph
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES
from puzzlebase.tools.cluster.blocks import BlocksOfParts
from puzzlebase.tools.cluster.build import SILENCE, Build
from puzzlebase.tools.cluster.division import Division
from puzzlebase.tools.cluster.nodes import LOCAL, connect, processors
from puzzlebase.tools.cluster.placement import memory_of_parts, memory_to_verify, place
from puzzlebase.tools.cluster.plan import Plan
from puzzlebase.tools.cluster.report import ClusterReport
from puzzlebase.tools.cluster.spares import Spares
from puzzlebase.tools.cluster.verification import examine_parts, headers_of, put_together

_PLAN = "plan.json"
_OF_A_PART = 1.3
"""Bytes of disk for each node: its layers, and its blocks beside them."""


class _Joined(NamedTuple):
    """A cluster: how many parts it is to have, the folder of their files, processes that become parts.

    Parts on this machine read in `numberings` how the states are numbered.
    """

    parts: int
    folder: Path
    spares: Spares
    numberings: TemporaryDirectory[str]


class _Planned(NamedTuple):
    """A build before it starts: what each part needs, and the processes on the machines as they are."""

    graph: Graph
    plan: Plan
    division: Division
    spares: Spares
    needed: list[int]


@dataclass(frozen=True)
class ClusterTableJob(TableJob):
    """A table that parts on a Ray cluster build.

    `address` is that of the cluster, or `local`. `workers` is the number of parts; by default one for each processor.
    `folder` is where the parts' files lie, on each machine: by default in the data folder, which all machines must
    then share. After `silence` seconds without news of a layer, what stands still is made anew elsewhere.
    """

    address: str = field(default=LOCAL, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)
    folder: Path | None = field(default=None, kw_only=True)
    silence: float = field(default=SILENCE, kw_only=True)

    def estimate(self) -> Estimate:
        """What a build needs on all machines together, and what there is; raises Shortage where one is too small."""
        _, plan, division, spares, needed = self._planned
        nodes = spares.nodes
        if not self.force:
            place(plan, nodes, needed, range(plan.parts), [None] * plan.parts)
        whole = estimate_table(self.space, self.path, plan.parts)
        each = int(division.layout.size / plan.parts * _OF_A_PART)
        for node in nodes:
            if not self.force and node.disk < each:
                raise Shortage(
                    f"a part needs about {text_of_bytes(each)} of disk, {text_of_bytes(node.disk)} are free on"
                    f" {node.address} in {str(plan.folder)!r}",
                    "make room there, or name another folder with --cluster-folder",
                )
        return Estimate(
            kind="table",
            states=whole.states,
            stored=whole.stored,
            memory=sum(needed),
            disk=whole.disk + (0 if self.folder else each * plan.parts),
            seconds=whole.seconds,
            spare_memory=sum(node.memory for node in nodes),
            spare_disk=whole.spare_disk,
        )

    def build(self) -> Path:
        """Build, verify and publish the table as TableJob does; no process is left, also where that fails."""
        try:
            return super().build()
        finally:
            if joined := self.__dict__.get("_joined"):
                joined.spares.end()
                joined.numberings.cleanup()

    def _prepare(self) -> None:
        spares = self._joined.spares  # these start while this process numbers the states
        with RANKING_TABLES.kept_in(ArrayStore(Path(self._joined.numberings.name))):
            super()._prepare()
            self.space.stored()
        with self.report.phase("processes", len(spares), "processes"):
            _ = spares.nodes

    def _make(self) -> None:
        with self._held():
            graph, plan, division, spares, needed = self._planned
            self._plan_file.parent.mkdir(parents=True, exist_ok=True)
            self._plan_file.write_text(json.dumps({"parts": plan.parts, "folder": str(plan.folder)}), "utf-8")
            build = Build(plan, division, spares, needed, self.silence, self.report.say)
            try:
                findings = build.run(lambda: self._built(build, graph, plan))
                build.all("finish", ((),) * plan.parts)
            except VerificationError:
                build.all("finish", ((),) * plan.parts)  # its layers could not make a better one
                raise
            finally:
                build.end()
            shutil.rmtree(self._plan_file.parent, ignore_errors=True)
            leftovers(self.path)[0].unlink(missing_ok=True)
            with TableFile(self.path) as file:
                check_file(self, file, findings)

    def _built(self, build: Build, graph: Graph, plan: Plan) -> TableFindings:
        """Find the layers, have the parts write and certify their blocks, and publish them as one file."""
        with self.report.phase("parts", plan.parts, "parts"):
            build.start()
        with self.report.phase("breadth-first search", graph.size, stored_name(self.space)) as phase:
            report = ClusterReport(phase, graph, stored_name(self.space), plan.parts)
            layers = build.find_layers(lambda distance, results: report.told(distance, build.layers, results))
        with self.report.phase("write", graph.size, "distances") as phase:
            headers = headers_of(build)
            phase.advance(graph.size)
        blocks = BlocksOfParts(build.division, build.parts, headers)
        findings = examine_parts(self, build, graph, StoredDistances(blocks, plan.memory))
        agree("layers found and stored", tuple(layers[:-1]), findings.stored_layers)
        agree_with_published(self.goal.published, findings.layers, findings.start_distance)
        with unpublished(self.path) as unfinished:
            with TableWriter(unfinished) as writer:
                with self.report.phase("one file", graph.size, "distances") as phase:
                    put_together(writer, blocks, phase.advance)
                antipodes = zip(findings.antipodes, texts(self, findings.antipodes), strict=True)
                self.report.seconds.update(report.log())
                where = f"; {plan.parts} parts on {build.machines} machines, Ray {ray.__version__}"
                steps = self._steps(where)
                writer.finish(self._info(findings), findings.histograms, antipodes, findings.certificates, steps)
            with TableFile(unfinished) as file:
                check_file(self, file, findings)
        return findings

    @cached_property
    def _joined(self) -> _Joined:
        """The cluster, and processes there; a build that was stopped goes on with its parts, where their files lie."""
        connect(self.address, self.workers)
        folder = self.folder / self.path.stem if self.folder else self._plan_file.parent
        parts = self.workers or processors()
        if self._plan_file.exists():
            known = json.loads(self._plan_file.read_text("utf-8"))
            if known["parts"] != min(parts, known["parts"]) or self.workers not in (None, known["parts"]):
                self.report.say(f"an earlier run divided it into {known['parts']} parts; it goes on with these")
            parts, folder = known["parts"], Path(known["folder"])
        folder = folder.absolute()
        return _Joined(parts, folder, Spares(folder, parts), TemporaryDirectory(prefix="puzzlebase-"))

    @cached_property
    def _planned(self) -> _Planned:
        """How the build is divided."""
        parts, folder, spares, numberings = self._joined
        graph = self.space.stored()
        division = Division.of(layout_of(graph), parts)
        memory = memory_to_verify(spares.nodes, division.parts)
        goal = self.goal
        what = self.puzzle.name, goal.name, goal.key, self.version
        plan = Plan(*what, folder, division.parts, memory, Path(numberings.name))
        needed = memory_of_parts(division, graph.product() if graph.product else None)
        return _Planned(graph, plan, division, spares, needed)

    @property
    def _plan_file(self) -> Path:
        return self.path.with_suffix(".cluster") / _PLAN

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep other builds of the same table from running; finished layers of a build on one machine stay."""
        try:
            file = locked(leftovers(self.path)[0])
        except FileInUse:
            raise in_use(self.path) from None
        with file:
            yield

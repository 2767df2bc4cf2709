"""A table that a Ray cluster builds: the same table as on one machine, with the same digest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np
import ray

from puzzlebase.atomic_files import FileInUse, locked
from puzzlebase.builder.breadth_first import layout_of
from puzzlebase.builder.certificate import VerificationError, certificate_of
from puzzlebase.builder.counting import histograms_of
from puzzlebase.builder.preflight import STATES_IN_MEMORY, Estimate, Shortage, estimate_table, text_of_bytes
from puzzlebase.builder.progress import Phase
from puzzlebase.builder.publishing import in_use, leftovers, unpublished
from puzzlebase.builder.table import LayerReport, TableJob
from puzzlebase.builder.verify import (
    TableFindings,
    agree,
    agree_with_published,
    all_states,
    check_file,
    reversible,
)
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.db.table_file import ANTIPODES_KEPT, TableFile, TableWriter
from puzzlebase.puzzles import Graph
from puzzlebase.puzzles.contract.space import Probe
from puzzlebase.tools.cluster.blocks import BlocksOfParts, few_blocks, put_together
from puzzlebase.tools.cluster.build import SILENCE, Build, Spares
from puzzlebase.tools.cluster.machines import LOCAL, connect, memory_of_parts, memory_to_verify, place
from puzzlebase.tools.cluster.part import Told, unpacked
from puzzlebase.tools.cluster.plan import Division, Plan

_OF_A_PART = 1.3  # bytes of disk for each vertex: its layers, and its blocks beside them


@dataclass(frozen=True)
class ClusterTableJob(TableJob):
    """A table that parts on a Ray cluster build; by default all machines share the data folder for their files."""

    address: str = field(default=LOCAL, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)  # parts; by default one for each processor
    folder: Path | None = field(default=None, kw_only=True)  # of the parts' files, on each machine
    silence: float = field(default=SILENCE, kw_only=True)  # seconds, after which a stalled part is replaced

    def estimate(self) -> Estimate:
        """Estimate the memory and disk that all machines need; raises Shortage if a machine has too little."""
        plan, needed = self._planned
        machines = self._spares.machines
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
        disk = whole.disk + (0 if self.folder else each * plan.parts)
        spare = sum(machine.memory for machine in machines)
        return replace(whole, memory=sum(needed), disk=disk, spare_memory=spare)

    def build(self) -> Path:
        """Build, verify and publish the table as TableJob does; no process is left, even if it fails."""
        try:
            return super().build()
        finally:
            if "_spares" in self.__dict__:
                self._spares.end()
                self._rankings.cleanup()

    def _prepare(self) -> None:
        spares = self._spares  # these start while this process numbers the states
        super()._prepare()
        self.space.stored()
        with self.report.phase("processes", len(spares), "processes"):
            _ = spares.machines

    def _make(self) -> None:
        try:
            lock = locked(leftovers(self.path)[0])
        except FileInUse:
            raise in_use(self.path) from None
        with lock:  # the finished layers of a build on one machine are not removed
            plan, needed = self._planned
            self._plan_file.parent.mkdir(parents=True, exist_ok=True)
            self._plan_file.write_text(json.dumps({"parts": plan.parts, "folder": str(plan.folder)}), "utf-8")
            build = Build(plan, self._spares, needed, self.silence, self.report.say)
            try:
                findings = build.run(lambda: self._built(build, self.space.stored()))
                build.all("finish")
            except VerificationError:
                build.all("finish")  # a build on one machine could not use the layers of this one
                raise
            finally:
                build.end()
            shutil.rmtree(self._plan_file.parent, ignore_errors=True)
            leftovers(self.path)[0].unlink(missing_ok=True)
            with TableFile(self.path) as file:
                check_file(self, file, findings)

    def _built(self, build: Build, graph: Graph) -> TableFindings:
        """Find the layers, have the parts write and certify their blocks, and publish them as one file."""
        plan, name = build.plan, self.space.stored_name
        with self.report.phase("parts", plan.parts, "parts"):
            build.start()
        with self.report.phase("breadth-first search", graph.size, name, even=False) as phase:
            report = _ClusterReport(phase, graph, name, plan.parts)
            report.spent("start", build)
            layers = build.find_layers(lambda distance, results: report.told(distance, build.layers, results))
        with self.report.phase("write", graph.size, "distances") as phase:
            stored = np.concatenate(build.all("write"))
            report.spent("write", build)
            machines = build.machines
            fits = all(build.all("read", ((stored, machines) for _ in build.parts)))
            phase.advance(graph.size)
        here = ray.get_runtime_context().get_node_id()
        files = {part: plan.blocks(part) for part, machine in enumerate(machines) if machine == here}
        blocks = BlocksOfParts(plan.division, build.parts, stored, files)
        with reversible(self, all_states(self.space)):
            findings = self._examined(build, graph, blocks, report, fits=fits)
        agree("layers found and stored", tuple(layers[:-1]), findings.stored_layers)
        agree_with_published(self.goal.published, findings.layers, findings.start_distance)
        with unpublished(self.path) as unfinished:
            with TableWriter(unfinished) as writer:
                with self.report.phase("table", graph.size, "distances") as phase:
                    put_together(writer, blocks, phase.advance)
                self.report.seconds.update(report.log())
                where = f"; {plan.parts} parts on {len(set(machines))} machines, Ray {ray.__version__}"
                self._finish(writer, findings, where)
            with TableFile(unfinished) as file:
                check_file(self, file, findings)
        return findings

    def _examined(
        self, build: Build, graph: Graph, blocks: BlocksOfParts, report: _ClusterReport, *, fits: bool
    ) -> TableFindings:
        """Count and certify as builder/verify.py does, each part its own states; raises the same errors."""
        space, parts, name = self.space, len(build.parts), self.space.stored_name
        stored = few_blocks(blocks)
        with self.report.phase(f"certificate of the {name}", graph.size, name) as phase:
            checked, counted, made = zip(*build.all("certify", ((fits,) for _ in build.parts)), strict=True)
            certificate, histograms = certificate_of(name, graph, stored.probe, checked)
            report.spent(f"certificate of the {name}", build)
            phase.advance(graph.size)
        certificates, stored_layers = [certificate], histograms.layers
        of_blocks = -(-space.size // BLOCK_SIZE)  # whole ones for each part, perhaps none
        ranges = [*pairwise(min(part * of_blocks // parts * BLOCK_SIZE, space.size) for part in range(parts + 1))]
        few = space.size <= STATES_IN_MEMORY
        up_to_symmetry = space.orbits is not None and not space.more
        if not all(made) and not (few and up_to_symmetry):
            if space.orbits:
                with self.report.phase("histograms", space.size, "states") as phase:
                    histograms = Histograms.of(chain.from_iterable(build.all("counts", ranges)))
                    phase.advance(space.size)
        elif few:
            with self.report.phase("certificate of the states", space.size, "states") as phase:
                done = build.all("certify_states", ((made, *each) for each in ranges))
                probe: Probe = partial(space.distances, probe=stored.probe)
                certificate, histograms = certificate_of("states", space, probe, done)
                report.spent("certificate of the states", build)
                phase.advance(space.size)
            certificates.append(certificate)
        else:
            of_ranges = chain.from_iterable(unpacked(*each) for each in counted)
            histograms = histograms_of(sorted(of_ranges, key=itemgetter(0)))
        layers = histograms.layers
        from_start = int(space.distances(np.array([self.puzzle.index(self.goal.start, self.goal)]), stored.probe)[0])
        furthest = len(layers) - 1
        numbers = np.array_split(np.flatnonzero(histograms.between(furthest, furthest)), parts)
        found = build.all("antipodes", ((furthest, some.tolist()) for some in numbers))
        antipodes = [*chain.from_iterable(found)][:ANTIPODES_KEPT]
        return TableFindings(histograms, layers, antipodes, stored_layers, certificates, from_start)

    @cached_property
    def _spares(self) -> Spares:
        """Processes on the cluster. A build that was stopped keeps its parts, on the machines with their files."""
        connect(self.address, self.workers)
        folder = self.folder / self.path.stem if self.folder else self._plan_file.parent
        parts = self.workers or int(ray.cluster_resources().get("CPU", 1))  # for work
        if self._plan_file.exists():
            known = json.loads(self._plan_file.read_text("utf-8"))
            if known["parts"] != min(parts, known["parts"]) or self.workers not in (None, known["parts"]):
                self.report.say(f"an earlier run divided it into {known['parts']} parts; it goes on with these")
            parts, folder = known["parts"], Path(known["folder"])
        return Spares(folder.absolute(), parts)

    @property
    def _numberings(self) -> ArrayStore:
        return ArrayStore(Path(self._rankings.name))

    @cached_property
    def _rankings(self) -> TemporaryDirectory[str]:
        return TemporaryDirectory(prefix="puzzlebase-")

    @cached_property
    def _planned(self) -> tuple[Plan, list[int]]:
        """The build before it starts, and the bytes of memory that each part needs."""
        spares, graph = self._spares, self.space.stored()
        division = Division.of(layout_of(graph), spares.wanted)
        memory = memory_to_verify(spares.machines, division.parts)
        names = self.puzzle.name, self.goal.name, self.goal.key, self.version
        plan = Plan(*names, spares.folder, division, memory, Path(self._rankings.name))
        return plan, memory_of_parts(division, graph.product() if graph.product else None)

    @property
    def _plan_file(self) -> Path:
        return self.path.with_suffix(".cluster") / "plan.json"


class _ClusterReport(LayerReport):
    """Reports each layer: its states, the rate, the bytes exchanged, the slowest part and the time left."""

    def __init__(self, phase: Phase, graph: Graph, stored: str, parts: int) -> None:
        super().__init__(phase, graph, stored, 0)
        self._bytes = self._carried = self._messages = 0
        self._seconds = 0.0  # of all layers of this run
        self._spent: Sequence[float] = [0.0] * parts  # seconds of processor time, and the same by phase
        self._processor: dict[str, float] = {}
        self._at = monotonic()
        self._more = ""

    def told(self, distance: int, layers: Sequence[int], results: Sequence[Told]) -> None:
        """Report the layer at this distance, from the reports of its parts."""
        found, states = sum(layers), layers[distance]
        now = monotonic()
        took, self._at = now - self._at, now
        self._before = self._before or found - states  # layers of an earlier run took no time of this one
        sent = sum(result.bytes for result in results)
        self._bytes += sent
        self._carried += sum(len(each.data) for result in results for some in result.carried.values() for each in some)
        self._messages += sum(result.messages for result in results)
        self._seconds += took
        self._took("search", [result.processor for result in results])
        seconds, slowest = max((result.seconds, part) for part, result in enumerate(results))
        rate = (found - self._before) / max(now - self._began, 1e-3)
        left = (self._size - found) / max(rate, 1)
        self._more = (
            f", {text_of_bytes(sent)} exchanged, slowest part {slowest}"
            f" ({seconds:.2f} of {took:.2f} s), at most {left:,.0f} s left"
        )
        if states:
            self(distance, states, found)

    def more(self) -> str:
        """The text after a layer's states and rate."""
        return self._more

    def spent(self, phase: str, build: Build) -> None:
        """Note the processor time that the parts have spent on a phase."""
        self._took(phase, build.all("spent"))

    def _took(self, phase: str, spent: Sequence[float]) -> None:
        """The time of a search is that of the slowest part, added over the layers."""
        took = [max(after - before, 0.0) for before, after in zip(self._spent, spent, strict=True)]
        self._spent = spent
        for which, seconds in ("all parts", sum(took)), ("the slowest part", max(took)):
            phase_of = f"{phase}, processor time of {which}"
            self._processor[phase_of] = self._processor.get(phase_of, 0.0) + seconds

    def log(self) -> dict[str, float]:
        """Seconds by phase, for the table's log."""
        if not self._seconds:
            return {}
        exchange = f"exchange of {self._bytes:,} bytes in {self._messages:,} messages, {self._carried:,} by the driver"
        return {exchange: self._seconds} | self._processor

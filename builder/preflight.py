"""Estimate the memory, disk and time of a build,
once states are numbered; refuse it if they are not free.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from puzzlebase.builder.breadth_first import ToEngine, engine_of
from puzzlebase.builder.errors import BuildError
from puzzlebase.builder.proofs import proof_fits_in_memory, proof_of
from puzzlebase.builder.unfinished import unfinished_files
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import Space
from puzzlebase.terminal_text import bytes_as_text

# Bytes, measured on the existing puzzles and rounded up. Verification works with what is left.
PROGRAM = 400 << 20
_THREAD = 64 << 20
_JOURNAL, _TABLE = 1.1, 0.5
_SMALL_FILE = 1 << 20
# Layers are early until they hold so many states. The more early layers, the more often a search
# reads rows.
_EARLY = 1000

# Seconds of one thread. Those of tables were measured in whole builds with two threads, of
# challenger, avenger, turnstile, panguru, panex-6, panex-7, hanoi-nnn-13 and quantum-2x3-3, and
# lowered since by what builds gained beside their former version on one machine; each should take
# 0.6 to 1.4 times the estimate.
_START = 2.0
_VERTEX_BY_ROWS = 8e-9  # for each early layer
_VERTEX_OF_ORBITS, _VERTEX_BY_EXPANSION = 1.5e-8, 1e-6


class Shortage(BuildError):
    """A build needs more than is free."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of the needs of a build, beside what is free, in bytes and seconds."""

    kind: str
    states: int  # of the space
    stored: int  # vertices whose distances are stored
    memory: int
    disk: int
    seconds: float
    spare_memory: int
    spare_disk: int

    def check(self, name: str) -> None:
        """Raise Shortage if the need is more than is free."""
        for what, needed, spare in (
            ("memory", self.memory, self.spare_memory),
            ("disk", self.disk, self.spare_disk),
        ):
            if needed > spare:
                raise Shortage(
                    f"{name} needs about {bytes_as_text(needed)} of {what}, "
                    f"{bytes_as_text(spare)} are free",
                    f"free some {what}, or go on anyway with --force",
                )

    def describe(self) -> str:
        """The estimate as text for people."""
        size = f"{self.states:,} states, {self.stored:,} distances to store"
        _, _, how = self.kind.partition(", ")
        return f"{size}{', ' * bool(how)}{how}: needs {self.needs}"

    @property
    def needs(self) -> str:
        """The memory, the disk and the time, as text for people."""
        minutes, seconds = divmod(round(self.seconds), 60)
        time = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
        added = max(self.memory - PROGRAM, 0)
        return (
            f"about {bytes_as_text(added)} of memory beside the program's "
            f"{bytes_as_text(self.memory - added)} ({bytes_as_text(self.spare_memory)} "
            f"free), {bytes_as_text(self.disk)} of disk ({bytes_as_text(self.spare_disk)} "
            f"free), and about {time}"
        )


def estimate_table(
    space: Space, path: Path, threads: int, engine: ToEngine = engine_of
) -> Estimate:
    """Estimate the needs of a space's table, beside what is free."""
    storage, graph, proof = space.storage, space.stored(), proof_of(space.storage)
    of_a_vertex = _VERTEX_BY_EXPANSION
    if graph.product:
        of_a_vertex = (
            _VERTEX_OF_ORBITS if storage.offset else _VERTEX_BY_ROWS * _early_layers(space)
        )
    in_memory = proof_fits_in_memory(space)
    of_a_state = proof.seconds_in_memory if in_memory else proof.seconds_beyond
    seconds = (of_a_vertex + proof.seconds_of_vertex) * graph.size + of_a_state * space.size
    of_states = proof.bytes_of_state * space.size * in_memory
    memory = int(max(engine(graph).memory(graph), of_states))  # beside the program and threads
    return Estimate(
        storage.kind,
        space.size,
        graph.size,
        memory=memory + PROGRAM + threads * min(_THREAD, memory),
        disk=int(graph.size * (_JOURNAL + _TABLE)) + _SMALL_FILE,
        seconds=_START + seconds / threads,
        spare_memory=spare_memory(),
        spare_disk=free_disk(path),
    )


def _early_layers(space: Space) -> int:
    """The number of layers beyond the goal that hold _EARLY states, at least one."""
    reached = layer = space.goal_states
    count = 0
    while len(reached) < _EARLY and len(layer):
        successors = space.expand(layer)
        layer = np.setdiff1d(successors[successors >= 0], reached)
        reached = np.union1d(reached, layer)
        count += 1
    return max(count, 1)


def free_disk(path: Path) -> int:
    """The free bytes for a file; files that a former build left beside it count as free."""
    return shutil.disk_usage(_existing_folder(path.parent)).free + sum(
        left.stat().st_size for left in unfinished_files(path) if left.exists()
    )


def _existing_folder(folder: Path) -> Path:
    """The folder itself, or the nearest existing one above it."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.is_dir())

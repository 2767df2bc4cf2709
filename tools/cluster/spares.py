"""Processes that become parts: they start and load the program before it is known how the build is divided."""

from __future__ import annotations

from functools import cached_property
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import ray

from puzzlebase.builder.publishing import BuildError
from puzzlebase.tools.cluster.machines import Machine, on
from puzzlebase.tools.cluster.part import PartProcess
from puzzlebase.version import program

_ANSWER = 180.0  # seconds; a machine that does not answer within them is none


class Spares:
    """So many processes on all machines together, one on each at least. None holds anything for a part yet.

    Meanwhile the driver can do other things. What the machines have, `folder` among it, is asked through them.
    """

    def __init__(self, folder: Path, wanted: int) -> None:
        self.folder, self.wanted = folder, wanted
        self._addresses = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
        ids = islice(cycle(self._addresses), max(wanted, len(self._addresses)))
        self._waiting = [(machine, _started(machine)) for machine in ids]
        self._answers = [spare.look.remote(folder) for _, spare in self._waiting]

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @cached_property
    def machines(self) -> list[Machine]:
        """The machines that answer, the driver's first; raises BuildError where one runs another version."""
        ray.wait(self._answers, num_returns=len(self._answers), timeout=_ANSWER)
        found: dict[str, Machine] = {}
        waiting = []
        for answer, (id_, spare) in zip(self._answers, self._waiting, strict=True):
            try:
                machine = Machine(id_, self._addresses[id_], *ray.get(answer, timeout=0))
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:
                if isinstance(error, ray.exceptions.RayActorError) and error.actor_init_failed:
                    raise  # another version of the program
                ray.kill(spare)  # it died meanwhile, or stands still
                continue
            waiting.append((id_, spare))
            if id_ not in found or found[id_].memory < machine.memory:  # they looked while others were loading
                found[id_] = machine
        self._waiting = waiting
        if not found:
            raise BuildError(
                "no machine of the Ray cluster answers", "look at `ray status`, and run the same command again"
            )
        for machine in found.values():
            if machine.program != program():
                raise BuildError(
                    f"{machine.address} has another version of this program",
                    "install the same one on every machine of the cluster",
                )
        here = ray.get_runtime_context().get_node_id()
        return sorted(found.values(), key=lambda machine: (machine.id != here, machine.address, machine.id))

    def take(self, machine: str) -> Any:
        """A process on the machine of this id: one that waits, or a new one."""
        for at, (there, spare) in enumerate(self._waiting):
            if there == machine:
                del self._waiting[at]
                return spare
        return _started(machine)

    def end(self) -> None:
        """End those that nobody has taken."""
        for _, spare in self._waiting:
            ray.kill(spare)
        self._waiting = []


def _started(machine: str) -> Any:
    actor = ray.remote(num_cpus=0, max_restarts=0, concurrency_groups={"exchange": 1, "watch": 1})(PartProcess)
    return on(machine, actor).remote()

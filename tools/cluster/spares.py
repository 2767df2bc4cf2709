"""Processes that become parts: they start and load the program before it is known how the build is divided."""

from __future__ import annotations

from functools import cached_property
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import ray

from puzzlebase.builder.publishing import BuildError
from puzzlebase.tools.cluster.nodes import Node, on
from puzzlebase.tools.cluster.part import Part
from puzzlebase.version import program

_ANSWER = 180.0  # seconds; a machine that does not answer within them is none


class Spares:
    """So many processes on all machines together, one on each at least. None holds anything for a part yet.

    Meanwhile the driver can do other things. What the machines have, `folder` among it, is asked through them.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._addresses = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
        nodes = islice(cycle(self._addresses), max(count, len(self._addresses)))
        self._waiting = [(node, _started(node)) for node in nodes]
        self._answers = [spare.look.remote(folder) for _, spare in self._waiting]

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @cached_property
    def nodes(self) -> list[Node]:
        """The machines that answer, the driver's first; raises BuildError where one runs another version."""
        ray.wait(self._answers, num_returns=len(self._answers), timeout=_ANSWER)
        found: dict[str, Node] = {}
        waiting = []
        for answer, (node, spare) in zip(self._answers, self._waiting, strict=True):
            try:
                seen = Node(node, self._addresses[node], *ray.get(answer, timeout=0))
            except ray.exceptions.RayTaskError:
                raise
            except ray.exceptions.RayError as error:
                if isinstance(error, ray.exceptions.RayActorError) and error.actor_init_failed:
                    raise  # another version of the program
                ray.kill(spare)  # it died meanwhile, or stands still
                continue
            waiting.append((node, spare))
            if node not in found or found[node].memory < seen.memory:  # they looked while others were loading
                found[node] = seen
        self._waiting = waiting
        if not found:
            raise BuildError(
                "no machine of the Ray cluster answers", "look at `ray status`, and run the same command again"
            )
        for node in found.values():
            if node.program != program():
                raise BuildError(
                    f"{node.address} has another version of this program",
                    "install the same one on every machine of the cluster",
                )
        here = ray.get_runtime_context().get_node_id()
        return sorted(found.values(), key=lambda node: (node.id != here, node.address, node.id))

    def take(self, node: str) -> Any:
        """A process on this machine: one that waits, or a new one."""
        for at, (there, spare) in enumerate(self._waiting):
            if there == node:
                del self._waiting[at]
                return spare
        return _started(node)

    def end(self) -> None:
        """End those that nobody has taken."""
        for _, spare in self._waiting:
            ray.kill(spare)
        self._waiting = []


def _started(node: str) -> Any:
    actor = ray.remote(num_cpus=0, max_restarts=0, concurrency_groups={"exchange": 1, "watch": 1})(Part)
    return on(node, actor).remote()

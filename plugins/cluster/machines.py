"""The machines of a Ray cluster: how this process joins them,
and the memory reserved for actors there.
"""

from __future__ import annotations

import atexit
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray
from ray.util.placement_group import placement_group, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from puzzlebase.builder.errors import BuildError
from puzzlebase.builder.preflight import Shortage
from puzzlebase.machine import processors
from puzzlebase.terminal_text import bytes_as_text

LOCAL = "local"  # the address of a cluster of this machine alone, for this build

_SHARE = 0.01  # of a processor, so that a head without processors gets no part
_REACH = 10.0  # seconds in which an address must answer, and memory be reserved


def connect(address: str, workers: int | None) -> None:
    """Join a cluster, or start one here;
    does nothing if this process is in one. Raises BuildError.
    """
    if ray.is_initialized():
        return
    # Ray's own, which comes later, waits half a second for lines of the parts
    atexit.register(ray.shutdown)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends no statistics
    # of a cluster started here; Ray's own 15 leaves parts no time
    os.environ.setdefault("RAY_worker_niceness", "0")
    options: dict[str, Any] = {
        "logging_level": "error",
        "log_to_driver": False,
        "configure_logging": False,
    }
    host, _, port = address.rpartition(":")
    try:
        if address == LOCAL:
            options |= {"num_cpus": workers or processors(), "include_dashboard": False}
        elif host and port.isdecimal():  # without a listener there, Ray would wait for minutes
            socket.create_connection((host, int(port)), timeout=_REACH).close()
        ray.init(address=address, **options)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise BuildError(
            f"there is no Ray cluster at {address!r}: {str(error).partition(chr(10))[0]}",
            "give the address that `ray start --head` printed, 'auto' on one of its "
            "machines, or 'local'",
        ) from error


@contextmanager
def actors(kind: type, count: int, memory: int) -> Iterator[list[Any]]:
    """Makers of an actor each, for which so many bytes are reserved,
    on machines far and wide; raises Shortage.

    At the end the actors end.
    """
    group = placement_group([{"CPU": _SHARE, "memory": memory}] * count, strategy="SPREAD")
    try:
        if not group.wait(_REACH):
            spare = int(ray.available_resources().get("memory", 0))
            raise Shortage(
                f"{count} parts need {bytes_as_text(memory)} of memory each, for which the "
                f"machines have no room: {bytes_as_text(spare)} are free on all of them",
                "add machines, or more parts with --cluster-workers, or free some memory",
            )
        places = [
            PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=at)
            for at in range(count)
        ]
        remote = ray.remote(num_cpus=_SHARE, max_restarts=0)(kind)
        yield [remote.options(memory=memory, scheduling_strategy=place) for place in places]
    finally:
        remove_placement_group(group)

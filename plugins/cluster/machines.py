"""The machines of a Ray cluster: how this process joins them, what parts need, and the memory reserved for them."""

from __future__ import annotations

import atexit
import os
import socket
from collections.abc import Sequence
from typing import Any

import ray
from ray.util.placement_group import PlacementGroup, placement_group, remove_placement_group

from puzzlebase.builder.preflight import PROGRAM, Shortage, text_of_bytes
from puzzlebase.builder.publishing import BuildError
from puzzlebase.plugins.cluster.plan import Division
from puzzlebase.puzzles import ProductForm
from puzzlebase.system import processors

LOCAL = "local"  # the address of a cluster of this machine alone, for this build
SHARE = 0.01  # of a processor, so that a head without processors gets no part

_STORE = 256 << 20  # bytes of the object store of a local cluster, and again for each worker's messages in flight
_STORE_OF_A_WORKER = 32 << 20
_REACH = 10.0  # seconds in which an address must answer, and memory be reserved


def connect(address: str, workers: int | None) -> None:
    """Join a cluster, or start one here; does nothing if this process is in one. Raises BuildError."""
    if ray.is_initialized():
        return
    atexit.register(ray.shutdown)  # Ray's own, which comes later, waits half a second for lines of the parts
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends no statistics
    os.environ.setdefault("RAY_worker_niceness", "0")  # of a cluster started here; Ray's own 15 leaves parts no time
    options: dict[str, Any] = {"logging_level": "error", "log_to_driver": False, "configure_logging": False}
    host, _, port = address.rpartition(":")
    try:
        if address == LOCAL:
            count = workers or processors()
            store = _STORE + count * _STORE_OF_A_WORKER
            options |= {"num_cpus": count, "include_dashboard": False, "object_store_memory": store}
        elif host and port.isdecimal():  # without a listener there, Ray would wait for minutes
            socket.create_connection((host, int(port)), timeout=_REACH).close()
        ray.init(address=address, **options)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise BuildError(
            f"there is no Ray cluster at {address!r}: {str(error).partition(chr(10))[0]}",
            "give the address that `ray start --head` printed, 'auto' on one of its machines, or 'local'",
        ) from error


def spare_memory() -> int:
    """The bytes of memory that are free on all machines, as Ray counts them."""
    return int(ray.available_resources().get("memory", 0))


def reserve(needed: Sequence[int]) -> PlacementGroup:
    """Reserve the bytes of memory that each part needs, on machines far and wide; raises Shortage."""
    group = placement_group([{"CPU": SHARE, "memory": need} for need in needed], strategy="SPREAD")
    if not group.wait(_REACH):
        remove_placement_group(group)
        raise Shortage(
            f"{len(needed)} parts need up to {text_of_bytes(max(needed))} of memory each, for which the machines have "
            f"no room: {text_of_bytes(spare_memory())} are free on all of them",
            "add machines, or more parts with --cluster-workers, or free some memory",
        )
    return group


def memory_of_parts(division: Division, product: ProductForm) -> list[int]:
    """The bytes that each part needs: the program, its tables, and its bit sets.

    The bit sets are two bits for each vertex and another one for each own vertex.
    """
    layout = division.layout
    tables = sum(table.nbytes for table in product.tables)
    own = [last - first for first, last in map(division.rows, range(division.parts))]
    return [PROGRAM + 2 * tables + (2 * layout.rows + rows) * layout.words * 8 for rows in own]

"""The machines of a Ray cluster: what each has free, which parts' files lie there, and where parts are started."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
from pathlib import Path
from typing import Any, NamedTuple

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from puzzlebase.builder.preflight import existing
from puzzlebase.builder.publishing import BuildError
from puzzlebase.builder.threads import default_threads
from puzzlebase.db.machine import spare_memory
from puzzlebase.version import program

LOCAL = "local"
"""The address that means a cluster of this machine alone, for this build."""

_STORE = 256 << 20  # bytes of the object store of a local cluster, and as much for each worker as it has in flight
_STORE_OF_A_WORKER = 32 << 20
_REACH = 10.0  # seconds
_ENDED = 15.0  # seconds


class Seen(NamedTuple):
    """What a machine has: bytes that are free, the names of the parts' files in the folder, the program's version."""

    processors: int
    memory: int
    disk: int
    files: frozenset[str]
    program: str


class Node(NamedTuple):
    """A machine: its id and address in Ray, and what it has."""

    id: str
    address: str
    processors: int
    memory: int
    disk: int
    files: frozenset[str]
    program: str


def connect(address: str, workers: int | None) -> None:
    """Join a cluster, or start one here; does nothing where this process is in one. Raises BuildError."""
    if ray.is_initialized():
        return
    atexit.register(ray.shutdown)  # Ray's own, which comes later, waits half a second for lines of the parts
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    os.environ.setdefault("RAY_worker_niceness", "0")  # of a cluster started here; Ray's own 15 leaves parts no turn
    quiet: dict[str, Any] = {"logging_level": "error", "log_to_driver": False, "configure_logging": False}
    try:
        if address == LOCAL:
            count = workers or default_threads()
            store = _STORE + count * _STORE_OF_A_WORKER
            ray.init(address=LOCAL, num_cpus=count, include_dashboard=False, object_store_memory=store, **quiet)
        else:
            _reach(address)
            ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise BuildError(
            f"there is no Ray cluster at {address!r}: {str(error).partition(chr(10))[0]}",
            "give the address that `ray start --head` printed, 'auto' on one of its machines, or 'local'",
        ) from error


def _reach(address: str) -> None:
    """Raise OSError where nothing listens at HOST:PORT, for which Ray would wait minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_REACH).close()


def processors() -> int:
    """How many processors the cluster has for work."""
    return int(ray.cluster_resources().get("CPU", 1))


def seen(folder: Path) -> Seen:
    """What this machine has."""
    files = frozenset(file.name for file in folder.iterdir()) if folder.is_dir() else frozenset()
    free = shutil.disk_usage(existing(folder)).free
    return Seen(default_threads(), spare_memory(), free, files, program())


def on(node: str, work: Any) -> Any:
    """A task or an actor, to be run on a node if it is there."""
    return work.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False))


def end(process: int, node: str) -> None:
    """Kill a process on a node that does not answer Ray; waits for a few seconds at most."""
    ray.wait([on(node, ray.remote(num_cpus=0, max_retries=0)(_kill)).remote(process)], timeout=_ENDED)


def _kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)

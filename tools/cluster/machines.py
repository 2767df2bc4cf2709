"""The machines of a Ray cluster: what each has free, what parts need, and on which machine each part is started."""

from __future__ import annotations

import atexit
import os
import socket
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from puzzlebase.builder.preflight import PROGRAM, Shortage, text_of_bytes
from puzzlebase.builder.publishing import BuildError
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import ProductForm
from puzzlebase.system import processors
from puzzlebase.tools.cluster.plan import Division, Plan
from puzzlebase.version import program

LOCAL = "local"  # the address of a cluster of this machine alone, for this build

_STORE = 256 << 20  # bytes of the object store of a local cluster, and again for each worker's messages in flight
_STORE_OF_A_WORKER = 32 << 20
_REACH, _ANSWER = 10.0, 180.0  # seconds in which an address and a machine must answer


class Machine(NamedTuple):
    """A machine: its id and address in Ray, free bytes of memory, the names of parts' files, the program's version."""

    id: str
    address: str
    processors: int
    memory: int
    files: frozenset[str]
    program: str


def _seen(folder: Path) -> tuple[int, int, frozenset[str], str]:
    """The fields of this machine after its address."""
    files = frozenset(file.name for file in folder.iterdir()) if folder.is_dir() else frozenset()
    return processors(), spare_memory(), files, program()


def machines_of(folder: Path) -> list[Machine]:
    """The machines that answer, the driver's first, with what they have of `folder`.

    Raises BuildError if none answers, or if one runs another version of the program.
    """
    alive = [each for each in ray.nodes() if each["Alive"]]
    working = [each for each in alive if each["Resources"].get("CPU")] or alive  # not a head with --num-cpus=0
    look = ray.remote(num_cpus=0, max_retries=0)(_seen)
    asked = {on(each["NodeID"], look).remote(folder): each for each in working}
    answers, _ = ray.wait([*asked], num_returns=len(asked), timeout=_ANSWER)
    found = []
    for answer in answers:
        try:
            found.append(Machine(asked[answer]["NodeID"], asked[answer]["NodeManagerAddress"], *ray.get(answer)))
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError:
            continue  # it ended meanwhile
    if not found:
        raise BuildError(
            "no machine of the Ray cluster answers", "look at `ray status`, and run the same command again"
        )
    for machine in found:
        if machine.program != program():
            wrong = f"{machine.address} has another version of this program"
            raise BuildError(wrong, "install the same one on every machine of the cluster")
    here = ray.get_runtime_context().get_node_id()
    return sorted(found, key=lambda machine: (machine.id != here, machine.address, machine.id))


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


def on(machine: str, work: Any) -> Any:
    """Have a task or an actor run on the machine of this id if it is there."""
    return work.options(scheduling_strategy=NodeAffinitySchedulingStrategy(machine, soft=False))


def memory_of_parts(division: Division, product: ProductForm) -> list[int]:
    """The bytes that each part needs: the program, its bit sets, and its tables, whole until they are divided.

    The bit sets are three bits for each own vertex and two for each of the margin.
    """
    bytes_of_a_row = division.layout.words * 8
    tables = sum(table.nbytes for table in product.tables)
    needed = []
    for part in range(division.parts):
        first, last = division.rows(part)
        own, margin = last - first, len(division.margin(product, part))
        of_rows = 2 * 4 * product.edges * (own + margin)
        needed.append(PROGRAM + (3 * own + 2 * margin) * bytes_of_a_row + tables + of_rows)
    return needed


def place(plan: Plan, machines: Sequence[Machine], needed: Sequence[int]) -> list[Machine]:
    """Choose a machine for each part, by the bytes that it needs; raises Shortage if memory is too small.

    If a part's file is on one machine alone, the part goes there. Else it goes to a machine that it fits, with fewest
    parts for each processor.
    """
    left = Counter({machine.id: machine.memory for machine in machines})
    parts: Counter[str] = Counter()
    found: list[Machine] = []
    for number, need in enumerate(needed):
        holders = [machine for machine in machines if plan.layers(number).name in machine.files]
        candidates = holders if len(holders) == 1 else machines
        fitting = [machine for machine in candidates if need <= left[machine.id]]
        if not fitting:
            machine = max(candidates, key=lambda each: left[each.id])
            most = " and ".join(f"{text_of_bytes(each.memory)} on {each.address}" for each in machines)
            raise Shortage(
                f"part {number} of {plan.parts} of {plan.puzzle} needs about {text_of_bytes(need)} of memory,"
                f" {text_of_bytes(left[machine.id])} are left on {machine.address}; free are {most}",
                "add machines, or more parts with --cluster-workers, or free some memory",
            )
        machine = min(fitting, key=lambda each: (parts[each.id] / each.processors, -left[each.id]))
        left[machine.id] -= need
        parts[machine.id] += 1
        found.append(machine)
    return found

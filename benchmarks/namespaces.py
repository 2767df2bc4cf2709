"""Machines that are simulated on one: namespaces of a network with a switch, and a link of each that is shaped.

Traffic from a machine is shaped at its own end, traffic to it at the switch's end. Needs root, and a kernel with
namespaces, bridges and `tbf`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NAME = f"puzzlebase-{os.getpid()}"  # of no other run's
_SWITCH = f"{_NAME}-switch"
_PORT = 6399
_STARTED = 120.0  # seconds that nodes of Ray may take to join
_BURST = 1 << 20  # bytes: with less, tbf cannot keep up at 10 Gbit/s


def can_simulate() -> bool:
    """True if this process may make namespaces, links and queues."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and bool(shutil.which("ip") and shutil.which("tc"))


@dataclass(frozen=True)
class Machine:
    """A namespace with one link."""

    number: int

    @property
    def name(self) -> str:
        """The name of its namespace."""
        return f"{_NAME}-{self.number}"

    @property
    def address(self) -> str:
        """Its address."""
        return f"10.77.0.{self.number + 1}"

    def start(self, *command: str | Path, **options: Any) -> subprocess.Popen[str]:
        """Run a program on it."""
        words = ["ip", "netns", "exec", self.name, *map(str, command)]
        return subprocess.Popen(words, text=True, **options)  # noqa: S603 (our own command)

    def bytes(self) -> int:
        """The bytes that its link has carried, in the direction that carried more."""
        counts = []
        for count in "rx_bytes", "tx_bytes":
            words = ["ip", "netns", "exec", self.name, "cat", f"/sys/class/net/eth0/statistics/{count}"]
            counts.append(int(subprocess.run(words, check=True, capture_output=True, text=True).stdout))  # noqa: S603
        return max(counts)


@contextmanager
def network(machines: int, megabits: int | None) -> Iterator[list[Machine]]:
    """Machines on one switch, with links of so many Mbit/s; None does not shape them."""
    made = [Machine(number) for number in range(machines)]
    try:
        _ip("netns", "add", _SWITCH)
        _ip("-n", _SWITCH, "link", "add", "bridge", "type", "bridge")
        _ip("-n", _SWITCH, "link", "set", "bridge", "up")
        for machine in made:
            port = f"port{machine.number}"
            _ip("netns", "add", machine.name)
            _ip("-n", machine.name, "link", "set", "lo", "up")
            _ip("-n", machine.name, *f"link add eth0 type veth peer name {port} netns {_SWITCH}".split())
            _ip("-n", _SWITCH, "link", "set", port, "master", "bridge", "up")
            _ip("-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "eth0")
            _ip("-n", machine.name, "link", "set", "eth0", "up")
            for place, device in ((machine.name, "eth0"), (_SWITCH, port)) if megabits else ():
                shape = f"qdisc add dev {device} root tbf rate {megabits}mbit burst {_BURST} latency 100ms"
                _run("tc", "-n", place, *shape.split())
        yield made
    finally:
        for name in (*(machine.name for machine in made), _SWITCH):
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)  # noqa: S603, S607


@contextmanager
def ray_on(machines: Sequence[Machine], processors: int, folder: Path) -> Iterator[str]:
    """A Ray cluster, whose head has no parts and whose other machines have so many processors; its address."""
    environment = os.environ | {"RAY_worker_niceness": "0", "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    command: list[str | Path] = [
        Path(sys.executable).with_name("ray"),
        "start",
        "--block",
        "--object-store-memory",
        str(150 << 20),
    ]
    address = f"{machines[0].address}:{_PORT}"
    heads = ["--head", f"--port={_PORT}", "--num-cpus=0", "--include-dashboard=false"]
    nodes: list[subprocess.Popen[str]] = []
    with (folder / "ray.log").open("w") as log:
        try:
            for machine in machines:
                joins = [f"--address={address}", f"--num-cpus={processors}"] if machine.number else heads
                where = f"--node-ip-address={machine.address}"
                nodes.append(machine.start(*command, *joins, where, env=environment, stdout=log, stderr=log))
                _wait_for(len(nodes), folder / "ray.log")  # two at a time choose the same names of sockets
            yield address
        finally:
            for node in reversed(nodes):
                node.terminate()
            for node in nodes:
                node.wait()


def _wait_for(nodes: int, log: Path) -> None:
    """Wait until so many nodes say that they have started."""
    until = time.monotonic() + _STARTED
    while log.read_text("utf-8").count("Ray runtime started") < nodes:
        if time.monotonic() > until:
            raise RuntimeError(f"Ray did not start:\n{log.read_text('utf-8')}")
        time.sleep(0.1)


def _ip(*words: str) -> None:
    _run("ip", *words)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)  # noqa: S603 (our own commands)

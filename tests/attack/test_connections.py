"""Clients that open as many connections as they can, or ask all the time: others are answered meanwhile."""

from __future__ import annotations

import resource
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.serving import Served, asking, serving
from tests.waiting import PATIENCE

IDLE = 8600
"""More than two workers may have."""

OPENED = 60_000
SECONDS = 6.0
LOOKUP = "/v1/puzzles/avenger/lookup?state=.AAA.BBB.CCC.DDD.EEE."


@pytest.fixture(scope="module")
def served(data: Path) -> Iterator[Served]:
    with serving(data) as service:
        yield service


@pytest.fixture(autouse=True)
def many_files() -> None:
    """This process may have as many connections as the attack takes."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 2 * IDLE:
        pytest.skip(f"a process may open {most:,} files here; the attack needs {2 * IDLE:,}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def address(served: Served) -> tuple[str, int]:
    host, port = served.address.removeprefix("http://").split(":")
    return host, int(port)


def idle(served: Served) -> None:
    """Connections that say nothing."""
    with ExitStack() as stack:
        for _ in range(IDLE):
            stack.enter_context(socket.create_connection(address(served), timeout=PATIENCE))
        time.sleep(SECONDS)


def slow_heads(served: Served) -> None:
    """Heads of requests that come letter by letter and never end."""
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(address(served), timeout=PATIENCE)) for _ in range(IDLE)
        ]
        until = time.monotonic() + SECONDS
        for letter in b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 1000:
            for connection in connections:
                with suppress(OSError):
                    connection.send(bytes([letter]))
            if time.monotonic() > until:
                break


def churn(served: Served) -> None:
    """Connections as fast as they can be opened, the eldest closed in their turn."""
    opened: deque[socket.socket] = deque()
    until = time.monotonic() + SECONDS
    for _ in range(OPENED):
        connection = socket.socket()
        connection.setblocking(False)
        with suppress(BlockingIOError):
            connection.connect(address(served))
        opened.append(connection)
        if len(opened) > IDLE:
            opened.popleft().close()
        if time.monotonic() > until:
            break
    for connection in opened:
        connection.close()


def metrics(served: Served) -> None:
    """Requests for /metrics, by two hundred clients all the time."""
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(address(served), timeout=PATIENCE)) for _ in range(200)
        ]
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            for connection in connections:
                connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            for connection in connections:
                connection.recv(1 << 16)


@pytest.mark.parametrize("attack", [idle, slow_heads, churn, metrics])
@pytest.mark.parametrize("path", ["/healthz", "/readyz", LOOKUP])
def test_others_are_answered(
    served: Served, attack: Callable[[Served], None], path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """While the attack lasts: none waits for its end."""
    began = time.monotonic()
    with asking(served, path) as seconds:
        attack(served)
    lasted = time.monotonic() - began
    with capfd.disabled():
        print(f"\n{attack.__name__}, {path.partition('?')[0]}: within {max(seconds):.3f} s")  # noqa: T201 (the figures)
    assert max(seconds) < lasted / 2

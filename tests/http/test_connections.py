"""connection/connections.py: clients that open more connections than there may be, and what others notice of it."""

from __future__ import annotations

import asyncio
import resource
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from socket import AF_INET, AF_INET6

import pytest

from puzzlebase.service.http.connection.connections import AcceptedConnections, most_connections
from puzzlebase.service.http.connection.limits import MAX_CONNECTIONS, REFUSED_SECONDS
from tests.serving import Served, asking, serving
from tests.waiting import PATIENCE, wait_until

FILES = 256
MANY = 700
"""Connections, more than two workers may have with so few files."""

SEARCH = "/v1/puzzles/sliding-4x4/lookup?state=cabf975601234ed8&max_seconds="
"""It ends when its seconds do."""


@pytest.fixture(scope="module")
def few(data: Path) -> Iterator[Served]:
    """A service that may open few files."""
    with serving(data, before=["bash", "-c", f'ulimit -n {FILES} && exec "$@"', "bash"]) as served:
        yield served


def connect(served: Served, host: str = "127.0.0.1") -> socket.socket:
    """A connection that comes from an address of this machine."""
    name, port = served.address.removeprefix("http://").split(":")
    return socket.create_connection((name, int(port)), timeout=PATIENCE, source_address=(host, 0))


def is_open(connection: socket.socket) -> bool:
    """False if the service has closed a connection over which it has sent all that it will."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHo"])
def test_a_client_with_all_connections_shuts_nobody_out(few: Served, sent: bytes) -> None:
    """Nor does it keep a processor busy, where files end before connections do."""
    workers = few.workers()
    before = sum(sum(worker.cpu_times()[:2]) for worker in workers)
    began = time.monotonic()
    with ExitStack() as stack, asking(few) as health:
        connections = [stack.enter_context(connect(few)) for _ in range(MANY)]
        for connection in connections:
            with suppress(ConnectionError):
                connection.sendall(sent)
        asked = len(health)
        time.sleep(3)
        wait_until(lambda: len(health) > asked + 3, "others are answered while the connections stay")
        wait_until(lambda: sum(map(is_open, connections)) < FILES, "the surplus is closed")
    busy = sum(sum(worker.cpu_times()[:2]) for worker in workers) - before
    assert busy < (time.monotonic() - began) / 3


@pytest.mark.slow
def test_a_client_with_few_connections_keeps_them(few: Served) -> None:
    """It may be silent for long, while another client opens many."""
    with ExitStack() as stack:
        idle = [stack.enter_context(connect(few)) for _ in range(20)]
        time.sleep(0.3)
        for _ in range(MANY):
            stack.enter_context(connect(few, "127.0.0.2"))
        time.sleep(0.5)
        assert all(map(is_open, idle))
        for connection in idle:
            connection.setblocking(True)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.slow
def test_a_request_under_way_is_answered(few: Served) -> None:
    """Although its connection is silent for longer than any other one of its client."""
    assert any(is_answered_after_others_are_closed(few, seconds) for seconds in (3, 10, 30))


def is_answered_after_others_are_closed(few: Served, seconds: float) -> bool:
    """True if others were closed before a search of so many seconds ended, which is answered in any case."""
    connection = HTTPConnection(few.address.removeprefix("http://"), timeout=PATIENCE)
    with ExitStack() as stack:
        stack.callback(connection.close)
        connection.request("GET", f"{SEARCH}{seconds}")
        time.sleep(0.3)
        others = [stack.enter_context(connect(few)) for _ in range(MANY)]
        wait_until(lambda: not all(map(is_open, others)), "others are closed")
        under_way = not select.select([connection.sock], [], [], 0)[0]
        assert connection.getresponse().status == 200
        return under_way


@pytest.mark.slow
@pytest.mark.parametrize(("family", "host", "name"), [(AF_INET, "127.0.0.1", "127.0.0.1"), (AF_INET6, "::1", "[::1]")])
def test_clients_are_known_by_the_address_that_granian_gives(family: int, host: str, name: str) -> None:
    """Only the client whose body was refused is closed, over IPv4 and IPv6, at whichever port of several."""
    with ExitStack() as stack:
        server, _ = (stack.enter_context(socket.create_server((host, 0), family=family)) for _ in range(2))
        refused, other = (
            stack.enter_context(socket.create_connection(server.getsockname()[:2], timeout=PATIENCE)) for _ in range(2)
        )
        for _ in range(2):
            stack.enter_context(server.accept()[0])

        async def close() -> None:
            connections = AcceptedConnections(lambda _: None)
            connections.begin()
            connections.close_refused(f"{name}:{refused.getsockname()[1]}")
            await asyncio.sleep(REFUSED_SECONDS + 0.5)

        asyncio.run(close())
        assert (is_open(refused), is_open(other)) == (False, True)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="the system tells nothing about connections")
def test_a_request_that_this_process_has_not_read_yet_does_not_count_as_silence() -> None:
    """Its loop may be late; others of the same host sent something since, which has been read."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        connections = AcceptedConnections(lambda _count: None)
        connections._ports.add(listening.getsockname()[1])
        connections.most = 6
        clients = [
            stack.enter_context(socket.create_connection(listening.getsockname(), timeout=PATIENCE)) for _ in range(6)
        ]
        accepted = [stack.enter_context(listening.accept()[0]) for _ in clients]
        clients[0].send(b"GET /healthz HTTP/1.1\r\n\r\n")
        time.sleep(0.2)
        for client, its in zip(clients[1:], accepted[1:], strict=True):
            client.send(b"x")
            assert its.recv(1) == b"x"
        connections._close_surplus()
        assert is_open(clients[0])
        assert sum(map(is_open, clients)) == 3


def test_there_are_files_beside_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, connections in ((256, 128), (1024, 512), (65536, MAX_CONNECTIONS)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert most_connections() == connections

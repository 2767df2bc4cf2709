"""service/http/rsgi.py: clients that stall,
send too much or leave, and what other clients notice of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import pytest

from puzzlebase.service.http import rsgi
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.limits import MAX_BODY, MAX_HEADER
from tests.fixtures import TABLES
from tests.serving import Served, lookups, serving, with_limits
from tests.waiting import PATIENCE, wait_until

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
LOOKUP = f"/v1/puzzles/avenger/lookup?state={SOLVED}"
POST = b"POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
PATIENT = with_limits(IDLE_SECONDS=3600, BODY_SECONDS=3600)
"""A service with it gives up no client while these tests ask."""


class Running(NamedTuple):
    """A service and the file of its log."""

    served: Served
    log: Path

    def connect(self) -> socket.socket:
        """A connection to it."""
        host, port = self.served.address.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE)

    def lines(self) -> list[dict[str, Any]]:
        """Its log."""
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def running(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    log = tmp_path_factory.mktemp("log") / "log"
    with serving(data, errors=log, before=PATIENT) as served:
        yield Running(served, log)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        f"Content-Length: {MAX_BODY + 1}\r\n\r\n".encode(),
        b"Content-Length: 1" + b"0" * 18 + b"\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n"
        + f"{MAX_BODY + 1:x}\r\n".encode()
        + b" " * (MAX_BODY + 1)
        + b"\r\n",
    ],
)
def test_a_body_over_the_limit_is_refused_before_it_ends(running: Running, sent: bytes) -> None:
    with running.connect() as connection:
        connection.sendall(POST + sent)
        assert connection.recv(12) == b"HTTP/1.1 413"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("GET /v1/puzzles/avenger/lookup?state=Ω HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /v1/puzzles/avenger/lookup?state=À HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("GET /v1/puzzles/Ω/lookup?state=x HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (
            "POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + "0" * 5000
            + "\r\n\r\n",
            400,
        ),
    ],
)
def test_letters_and_lengths_of_any_kind_have_a_problem(
    running: Running, sent: str, status: int
) -> None:
    """They are logged as any others."""
    with running.connect() as connection:
        connection.sendall(sent.encode())
        header, _, body = connection.recv(1 << 16).partition(b"\r\n\r\n")
    assert header.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"application/problem+json" in header
    assert "UTF-8" not in json.loads(body)["detail"]
    answered = re.findall(rb"x-request-id: (\S+)", header.lower())[0].decode()
    lines = wait_until(
        lambda: [line for line in running.lines() if line.get("id") == answered], "it is logged"
    )
    assert lines[0]["status"] == status
    assert f"{lines[0]['path']}?{lines[0]['query']}".rstrip("?") == sent.split()[1]


@pytest.mark.slow
def test_a_head_has_a_limit(running: Running) -> None:
    """Granian limits the header;
    one that comes whole may be longer than one that comes in parts.
    """
    for length, status in ((MAX_HEADER, 200), (2 * MAX_HEADER, 431)):
        header, end = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: ", b"\r\n\r\n"
        with running.connect() as connection:
            connection.sendall(header + b"a" * (length - len(header) - len(end)) + end)
            assert connection.recv(12) == f"HTTP/1.1 {status}".encode()
    for sent in (b"GARBAGE\r\n\r\n", POST + b"Content-Length: -5\r\n\r\n"):
        with running.connect() as connection:
            connection.sendall(sent)
            assert connection.recv(12) in (b"", b"HTTP/1.1 400")
    assert running.served.get("/healthz")[0] == 200


# The limits of the server, with clients made here.


class Scope:
    """A POST as granian gives it."""

    method, path, query_string, client, scheme = (
        "POST",
        "/v1/puzzles/avenger/lookup",
        "",
        "127.0.0.1:9",
        "http",
    )

    def __init__(self, **headers: str) -> None:
        self.headers = {"content-type": "application/json", **headers}


class Client:
    """A client that sends chunks, and keeps the response."""

    def __init__(self, *chunks: bytes, stalls: bool = False, gone: bool = False) -> None:
        self.chunks, self.stalls, self.gone = chunks, stalls, gone
        self.status = 0
        self.read = False
        self.headers: dict[str, str] = {}
        self.problem: dict[str, Any] = {}

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.read = True
        for chunk in self.chunks:
            yield chunk
        if self.stalls:
            await asyncio.sleep(60)

    async def client_disconnect(self) -> None:
        """The client leaves at once or never."""
        if not self.gone:
            await asyncio.sleep(60)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Keep the response."""
        self.status, self.headers, self.problem = status, dict(headers), json.loads(body)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return rsgi.Server(create_app(tmp_path_factory.mktemp("nothing")))


@pytest.mark.parametrize(
    ("client", "status", "slug"),
    [
        (Client(b"{", stalls=True), 408, "slow-body"),
        (Client(*[b" " * 1000] * 1100, stalls=True), 413, "too-large"),
        (Client(b"{"), 400, "invalid-parameter"),
    ],
)
def test_bodies_have_limits(
    server: Any, monkeypatch: pytest.MonkeyPatch, client: Client, status: int, slug: str
) -> None:
    monkeypatch.setattr(rsgi, "BODY_SECONDS", 0.1 if status == 408 else 30)
    asyncio.run(server.__rsgi__(Scope(), client))
    assert (client.status, client.problem["type"]) == (status, f"/docs#{slug}")
    assert client.headers.get("Connection") == (None if status == 400 else "close")


def test_bodies_beyond_a_number_wait_unread(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_bodies", asyncio.Semaphore(2))
    stalled, late = [Client(b"{", stalls=True) for _ in range(2)], Client(b"{")

    async def meet() -> None:
        holding = [asyncio.create_task(server.__rsgi__(Scope(), client)) for client in stalled]
        waiting = asyncio.create_task(server.__rsgi__(Scope(), late))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not late.read
        holding[0].cancel()
        await waiting
        holding[1].cancel()
        await asyncio.gather(*holding, return_exceptions=True)

    asyncio.run(meet())
    assert late.status == 400


def test_health_answers_while_a_file_is_opened_for_readiness(server: Any) -> None:
    """Also to a request that the event loop passes on."""
    opened, client, scope = Event(), Client(), Scope(**{"if-none-match": "x"})
    scope.method, scope.path = "GET", "/healthz"
    opening = server._watched["/readyz"].submit(opened.wait)
    asyncio.run(server.__rsgi__(scope, client))
    opened.set()
    assert opening.result(PATIENCE)
    assert client.status == 200


def test_requests_that_wait_have_limits(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While all threads are taken, requests up to the limit may wait,
    and one whose client has left is dropped.
    """
    monkeypatch.setattr(rsgi, "MAX_WAITING", 8)
    sent = b'{"x": 1}'
    free = Event()
    taken = [server._threads.submit(free.wait) for _ in range(server._threads._max_workers)]
    staying, leaving = [Client(sent) for _ in range(5)], [Client(sent, gone=True) for _ in range(3)]
    beyond = Client(sent)

    async def meet() -> None:
        requests = [
            asyncio.create_task(server.__rsgi__(Scope(), client)) for client in [*staying, *leaving]
        ]
        for _ in range(100):
            await asyncio.sleep(0)
        assert server._waiting == 8
        await server.__rsgi__(Scope(), beyond)
        free.set()
        await asyncio.gather(*requests)

    asyncio.run(meet())
    assert all(thread.result(PATIENCE) for thread in taken)
    assert (beyond.status, beyond.problem["type"]) == (503, "/docs#overloaded")
    assert [client.status for client in staying] == [400] * 5
    assert [client.status for client in leaving] == [0] * 3
    assert server._waiting == 0


# Several processes.


@pytest.mark.slow
def test_requests_are_counted_and_logged_over_all_processes(running: Running) -> None:
    before = running.served.get(LOOKUP) and lookups(running.served)
    for number in range(20):
        with running.connect() as connection:
            connection.sendall(
                f"GET {LOOKUP} HTTP/1.1\r\nHost: x\r\nX-Request-ID: test-{number}\r\n\r\n".encode()
            )
            assert connection.recv(12) == b"HTTP/1.1 200"
    assert lookups(running.served) == before + 20
    asked = {f"test-{number}" for number in range(20)}
    wait_until(
        lambda: asked <= {line.get("id") for line in running.lines()}, "all lines are written"
    )
    lines = {line["id"]: line for line in running.lines() if "id" in line}
    line = lines["test-7"]
    assert (line["route"], line["status"], line["source"]) == (
        "/v1/puzzles/{name}/lookup",
        200,
        "table",
    )
    assert line["ms"] > 0
    assert line["bytes"] > 500
    assert len({line["time"] for line in lines.values()}) > 20


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_only_its_own_requests_fail(running: Running) -> None:
    served = running.served
    with loaded(served) as outcomes:
        counted = lookups(served)
        killed, *others = served.workers()
        os.kill(killed.pid, signal.SIGKILL)
        wait_until(
            lambda: (
                sum(worker.is_running() and worker != killed for worker in served.workers()) == 2
            ),
            "there are two workers again",
        )
    # Each may have a request under way there, and come once more to the socket of a process that is
    # just ending.
    assert all(answered > 20 and broken <= 2 for answered, broken in outcomes)
    with loaded(served) as outcomes:
        pass
    assert all(answered > 20 and broken == 0 for answered, broken in outcomes)
    assert lookups(served) > counted
    assert others[0].is_running()
    assert set(served.get("/readyz")[1]["tables"]) == set(TABLES)


@contextmanager
def loaded(served: Served) -> Iterator[list[tuple[int, int]]]:
    """Four clients that ask before the block, in it and after it, and fill the list then."""
    stop = Event()
    outcomes: list[tuple[int, int]] = []
    with ThreadPoolExecutor(4) as pool:
        loads = [pool.submit(ask_until, stop, served) for _ in range(4)]
        try:
            time.sleep(0.2)
            yield outcomes
            time.sleep(0.2)
        finally:
            stop.set()
        outcomes += [load.result(PATIENCE) for load in loads]


def ask_until(stop: Event, served: Served) -> tuple[int, int]:
    """The number of lookups answered on one connection, and how often it broke."""
    answered = broken = 0
    connection = HTTPConnection(served.address.removeprefix("http://"), timeout=PATIENCE)
    while not stop.is_set() or answered <= 20:
        try:
            connection.request("GET", LOOKUP)
            assert json.load(connection.getresponse())["distance"] == 0
            answered += 1
        except (ConnectionError, HTTPException):
            connection.close()
            broken += 1
    connection.close()
    return answered, broken

"""A worker that has served many puzzles, goals and searches holds no more than `serve --memory` says."""

from __future__ import annotations

import itertools
import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
import pytest

from puzzlebase.puzzles import find
from tests.serving import Served, serving, with_limits
from tests.waiting import PATIENCE, wait_until

MEMORY = 1 << 30


def peak(served: Served) -> int:
    """Bytes of memory that the worker held at the most, less those of the files that all workers map."""
    (worker,) = served.workers()
    mapped = sum(each.rss for each in worker.memory_maps() if Path(each.path).suffix in (".distances", ".numbering"))
    status = Path(f"/proc/{worker.pid}/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 - mapped


def reset_peak(served: Served) -> int:
    """Bytes that the worker holds now, measured as its peak is, which counts anew from here."""
    (worker,) = served.workers()
    Path(f"/proc/{worker.pid}/clear_refs").write_text("5", "ascii")
    return peak(served)


def held(served: Served, part: str) -> float:
    """Bytes that the worker says it holds for something."""
    with urlopen(f"{served.address}/metrics", timeout=PATIENCE) as response:
        lines = response.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f'puzzlebase_memory_bytes{{part="{part}"'))


def send_batch(served: Served, states: int, sent: float = 1.0) -> socket.socket:
    """A connection with a batch to avenger, of which this share has been sent; its client reads slowly or never."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    connection.settimeout(PATIENCE)
    host, port = served.address.removeprefix("http://").split(":")
    connection.connect((host, int(port)))
    batch = json.dumps({"states": [find("avenger").goal().states[0]] * states, "moves": True}).encode()
    header = f"POST /v1/puzzles/avenger/lookup HTTP/1.1\r\nHost: x\r\nContent-Length: {len(batch)}\r\n"
    with suppress(ConnectionError):  # it may be refused before it ends
        connection.sendall(f"{header}Content-Type: application/json\r\n\r\n".encode() + batch[: int(sent * len(batch))])
    return connection


def answered(connection: socket.socket) -> tuple[int, int]:
    """The status of what comes on a connection until it is closed or silent for a second, and its bytes."""
    connection.settimeout(PATIENCE)
    received = bytearray()
    with suppress(ConnectionError, TimeoutError):
        while piece := connection.recv(1 << 16):
            received += piece
            connection.settimeout(1)
    return int(received[9:12] or b"0"), len(received)


def is_closed(connection: socket.socket) -> bool:
    """True if the service has closed an answered connection, or does so soon."""
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def ask(served: Served, name: str, **fields: object) -> None:
    """One lookup; a search may have to give up, which is an answer too."""
    with urlopen(f"{served.address}/v1/puzzles/{name}/lookup?{urlencode(fields)}", timeout=PATIENCE) as response:
        assert json.load(response)["source"] in ("table", "oracle", "search")


@pytest.mark.matrix
@pytest.mark.slow(10)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_many_puzzles_goals_and_searches(data: Path) -> None:
    """A hundred puzzles, three hundred goals and two hundred searches, of which many would each take all of it."""
    with serving(data, "--workers", "1", "--memory", str(MEMORY)) as served:
        for posts in itertools.islice(itertools.product("rbn", repeat=3), 25):
            for n in (2, 3, 4, 5):
                name = f"hanoi-{''.join(posts)}-{n}"
                ask(served, name, state=find(name).goal().start)
        random = np.random.default_rng(3)
        for name in ("turnstile", "panguru", "panex-6", "quantum-2x3-2", "sliding-3x4"):
            ask(served, name, state=find(name).goal().start, max_states=100_000)
        avenger = find("avenger")
        space = avenger.space(avenger.goal())
        texts = [avenger.text(index, avenger.goal()) for index in random.integers(0, space.size, 600).tolist()]
        for goal, state in zip(texts[:300], texts[300:], strict=True):
            ask(served, "avenger", state=state, goal=goal, max_states=2_000)
        turnstile = find("turnstile")
        start = turnstile.goal().states[0]
        for moves in itertools.islice(itertools.product(turnstile.moves, repeat=3), 95):
            state = start
            for move in moves:
                state = turnstile.play(state, move.name)
            ask(served, "turnstile", state=state, goal=start)
        for _ in range(5):  # each gives up for its memory
            state = turnstile.text(int(random.integers(0, 6_000_000_000)), turnstile.goal())
            ask(served, "turnstile", state=state, max_seconds=5)
        assert peak(served) < MEMORY
        with urlopen(f"{served.address}/metrics", timeout=PATIENCE) as response:
            parts = [line for line in response.read().decode().splitlines() if line.startswith("puzzlebase_memory")]
        assert any('part="tables"' in line for line in parts)
        assert any('part="spaces"' in line for line in parts)


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
SHARE = MEMORY // 16
"""Bytes that bodies may take, and as many that answers may."""


@pytest.fixture(scope="module")
def worker(data: Path) -> Iterator[Served]:
    patient = with_limits(READ_SECONDS=3600)
    with serving(data, "--workers", "1", "--memory", str(MEMORY), before=patient) as served:
        for _ in range(4):  # all kernels are loaded
            with send_batch(served, 10_000) as connection:
                assert answered(connection)[0] == 200
        yield served


@pytest.mark.slow(15)
@needs_proc
def test_bodies_that_never_end(worker: Served) -> None:
    """They take their share and what granian has read ahead, 32 kB a connection; each is refused in time."""
    before = reset_peak(worker)
    with ExitStack() as stack:
        connections = []
        held_most = 0.0
        for _ in range(300):
            connections.append(stack.enter_context(send_batch(worker, 25_000, sent=0.95)))
            held_most = max(held_most, held(worker, "bodies"))
        wait_until(lambda: peak(worker) > before + SHARE // 2, "the bodies are in memory")
        assert SHARE // 2 < held_most <= SHARE
        statuses = {answered(connection)[0] for connection in connections}
        assert all(map(is_closed, connections))
    assert statuses <= {408, 503, 0}
    assert 408 in statuses
    assert peak(worker) < before + SHARE + (64 << 20)
    wait_until(lambda: held(worker, "bodies") == 0, "nothing is held")


@pytest.mark.slow(15)
@needs_proc
def test_answers_that_nobody_reads(worker: Served) -> None:
    """They take their share, and those under way in four threads what they need; others are cut short or refused."""
    before = reset_peak(worker)
    with ExitStack() as stack:
        connections = [stack.enter_context(send_batch(worker, 10_000)) for _ in range(40)]
        wait_until(lambda: held(worker, "answers") >= SHARE * 3 / 4, "the answers are there")
        time.sleep(5)
        assert SHARE * 3 / 4 < held(worker, "answers") <= SHARE
        whole = Counter(answered(connection) for connection in connections)
    assert {status for status, _ in whole} <= {200, 503, 0}
    assert any(status == 200 for status, _ in whole)
    assert peak(worker) < before + SHARE + (192 << 20)
    wait_until(lambda: held(worker, "answers") == 0, "nothing is held")


@pytest.mark.slow
def test_a_large_answer_is_whole_however_slowly_it_is_read(worker: Served) -> None:
    received = []
    for pause in (0.0, 0.02):
        with send_batch(worker, 2_000) as connection:
            content = bytearray()
            while not content.endswith(b"]}") and (piece := connection.recv(1 << 14)):
                content += piece
                time.sleep(pause)
            header, _, body = bytes(content).partition(b"\r\n\r\n")
            assert f"content-length: {len(body)}".encode() in header.lower()
            received.append(body)
    assert received[0] == received[1]
    assert len(json.loads(received[0])["results"]) == 2_000


@pytest.mark.slow(30)
@pytest.mark.matrix
@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux closes them")
def test_a_connection_whose_client_reads_nothing_is_closed(worker: Served) -> None:
    """Also where each answer is small."""
    lookup = f"GET /v1/puzzles/avenger/lookup?state={find('avenger').goal().states[0]} HTTP/1.1\r\nHost: x\r\n\r\n"
    connection = send_batch(worker, 1)
    connection.setblocking(False)
    (process,) = worker.workers()
    port = connection.getsockname()[1]

    def is_open() -> bool:
        return any(other.raddr and other.raddr.port == port for other in process.net_connections())

    with connection:
        wait_until(is_open, "the worker has accepted it")
        with suppress(BlockingIOError):
            while True:
                connection.send(lookup.encode() * 100)
        wait_until(lambda: not is_open(), "it is closed", pause=1)

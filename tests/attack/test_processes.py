"""Workers that hang, a machine that is suspended, and stops under load."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from puzzlebase.service.http.connection.limits import SILENT_SECONDS
from tests.attack.hanging import HANG
from tests.http.load import load_until_refused
from tests.serving import Served, free_port, lookups, running, serving, with_limits
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
LOOKUP = "/v1/puzzles/avenger/lookup?state=.AAA.BBB.CCC.DDD.EEE."


@pytest.fixture
def hanging(data: Path) -> Iterator[Served]:
    port = free_port()
    command: list[str | Path] = [sys.executable, "-m", "tests.attack.hanging", data, str(port)]
    with running(command, port, PYTHONPATH=str(ROOT)) as process:
        served = Served(f"http://127.0.0.1:{port}", data, process)
        for _ in range(8):
            assert served.get("/readyz")[0] == 200
        yield served


def test_workers_whose_interpreter_is_never_released_are_replaced(hanging: Served) -> None:
    """All of them at once."""
    before = hanging.workers()
    with ExitStack() as stack:
        for _ in range(60):  # to either worker
            connection = stack.enter_context(
                socket.create_connection(("127.0.0.1", int(hanging.address.rpartition(":")[2])), timeout=PATIENCE)
            )
            connection.sendall(f"GET {HANG} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        psutil.wait_procs(before, timeout=PATIENCE)
    assert not any(worker.is_running() for worker in before)
    deadline = time.monotonic() + PATIENCE
    answered = 0
    while answered < 60:
        assert time.monotonic() < deadline
        with suppress(OSError), urlopen(hanging.address + LOOKUP, timeout=PATIENCE) as response:
            answered += response.status == 200
    assert len(hanging.workers()) == len(before)


def test_nobody_is_replaced_after_all_were_suspended(data: Path) -> None:
    with serving(data) as served:
        workers = served.workers()
        everybody = [psutil.Process(served.process), *workers]
        for process in everybody:
            process.suspend()
        time.sleep(SILENT_SECONDS + 3)
        for process in everybody:
            process.resume()
        time.sleep(3)
        assert served.workers() == workers
        assert all(served.get("/healthz")[0] == 200 for _ in range(8))


@pytest.mark.parametrize("clients", [8, 24, 48])
def test_a_stop_under_load_leaves_no_request_without_an_answer(data: Path, clients: int) -> None:
    with serving(data, before=with_limits(STOP_SECONDS=3600)) as served, ThreadPoolExecutor(clients) as pool:
        loads = [pool.submit(load_until_refused, served.address, LOOKUP) for _ in range(clients)]
        wait_until(lambda: lookups(served) > 2000, "many are answered")
        os.kill(served.process, signal.SIGTERM)
        psutil.Process(served.process).wait(PATIENCE)
        outcome = sum((load.result(PATIENCE) for load in loads), Counter())
    assert outcome["answered"] > 1000
    assert outcome["unanswered"] == 0
    assert outcome["not accepted"] <= clients

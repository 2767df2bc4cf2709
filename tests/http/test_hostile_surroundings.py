"""A running service whose temporary folder is full,
whose log nobody reads, whose parent is killed, or that starves.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest

from puzzlebase.puzzles import find
from tests.fixtures import TABLES
from tests.serving import COMMAND, Served, free_port, running, serving
from tests.waiting import PATIENCE, wait_until

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
LOOKUP = f"/v1/puzzles/avenger/lookup?state={SOLVED}"
pytestmark = [pytest.mark.slow, pytest.mark.matrix]


def assert_answers(served: Served) -> None:
    """Health, what is ready, metrics and lookups, of either worker."""
    for _ in range(8):
        for address in ("/healthz", "/readyz", LOOKUP, "/v1/puzzles/none/lookup?state=x"):
            assert served.get(address)[0] == (404 if "none" in address else 200)
        with urlopen(f"{served.address}/metrics", timeout=PATIENCE) as response:
            assert b"puzzlebase_requests_total" in response.read()


def test_a_log_whose_reader_has_gone(data: Path) -> None:
    reader, writer = os.pipe()
    with serving(data, errors=writer) as served:
        os.close(writer)
        os.close(reader)
        assert_answers(served)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGUSR1])
def test_workers_end_with_their_parent(data: Path, tmp_path: Path, sent: signal.Signals) -> None:
    """They leave the port free."""
    with Path(os.devnull).open("wb") as errors:
        port = free_port()
        command: list[str | Path] = [COMMAND, "--data", data, "serve", "--port", str(port)]
        main = subprocess.Popen(
            command,
            stdout=errors,
            stderr=errors,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            start_new_session=True,
        )
        served = Served(f"http://127.0.0.1:{port}", data, main.pid)
        try:
            wait_until_ready(served)
            workers = served.workers()
            os.kill(main.pid, sent)
            main.wait(PATIENCE)
            _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
            assert not alive
        finally:
            with suppress(ProcessLookupError):
                os.killpg(main.pid, signal.SIGKILL)
        with running(command, port) as again:
            assert Served(served.address, data, again).get("/healthz")[0] == 200


def wait_until_ready(served: Served) -> None:
    def is_ready() -> bool:
        with suppress(OSError):
            return served.get("/readyz")[0] == 200 and len(served.workers()) >= 2
        return False

    wait_until(is_ready, "both workers are ready")


def opened(request: Request) -> Any:
    """The response to a request, an error too."""
    try:
        return urlopen(request, timeout=PATIENCE)
    except HTTPError as error:
        return error


@pytest.mark.slow(8)
def test_first_lookups_of_a_starved_service(data: Path, tmp_path: Path) -> None:
    """Batches to an oracle come without end, more than there are threads;
    lookups from tables, what is ready and metrics are answered all the same.
    """
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    puzzle = find("panex-10")
    state = puzzle.goal().start
    batch = json.dumps({"states": [puzzle.play(state, "LC"), state] * 5000, "moves": True}).encode()
    answered: list[int] = []
    ended = Event()
    with serving(folder) as served, ThreadPoolExecutor(16) as pool:

        def send() -> None:
            while not ended.is_set():
                request = Request(
                    f"{served.address}/v1/puzzles/panex-10/lookup",
                    batch,
                    {"Content-Type": "application/json"},
                )
                with closing(opened(request)) as response:
                    response.read()
                    answered.append(int(response.status))

        sent = [pool.submit(send) for _ in range(16)]
        wait_until(lambda: answered, "a batch is answered, and others wait")
        try:
            for name in TABLES:
                asked = find(name).goal().states[0]
                for address in (
                    f"/v1/puzzles/{name}/lookup?state={asked}",
                    "/readyz",
                    "/metrics",
                    "/healthz",
                ):
                    with urlopen(f"{served.address}{address}", timeout=PATIENCE) as response:
                        assert response.status == 200
                        response.read()
        finally:
            ended.set()
        for each in sent:
            each.result(PATIENCE)
        assert {*answered} <= {200, 400, 503}

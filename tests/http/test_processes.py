"""How the service stops."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest

from tests.http.load import load_until_refused
from tests.serving import Served, lookups, metrics, serving, with_limits
from tests.waiting import PATIENCE, wait_until

LOOKUP = "/v1/puzzles/avenger/lookup?state=.AAA.BBB.CCC.DDD.EEE."
SEARCH = "/v1/puzzles/sliding-4x4/lookup?state=cabf975601234ed8&max_seconds="
"""It ends when its seconds do."""

pytestmark = pytest.mark.slow


NO_DEADLINE = with_limits(STOP_SECONDS=3600)
"""A service with it stops when nothing is under way, and not because the time for a stop is up."""


def stop(served: Served) -> None:
    """Stop a service, and wait for its end."""
    os.kill(served.process, signal.SIGTERM)
    psutil.Process(served.process).wait(PATIENCE)


def connect(served: Served) -> HTTPConnection:
    return HTTPConnection(served.address.removeprefix("http://"), timeout=PATIENCE)


def warnings(log: Path) -> list[str]:
    lines = map(json.loads, log.read_text("utf-8").splitlines())
    return [line["message"] for line in lines if line.get("level", "info") != "info"]


def test_a_stop_of_an_idle_service_is_quick_and_warns_of_nothing(
    data: Path, tmp_path: Path
) -> None:
    """Idle connections do not hold it up."""
    log = tmp_path / "log"
    with serving(data, "--workers", "1", errors=log, before=NO_DEADLINE) as served:
        address = served.address.removeprefix("http://").split(":")
        with (
            closing(connect(served)) as idle,
            socket.create_connection((address[0], int(address[1])), timeout=PATIENCE),
        ):
            idle.request("GET", "/healthz")
            assert idle.getresponse().read()
            stop(served)
    assert warnings(log) == []


def test_a_stop_waits_for_the_answer_to_what_has_come(data: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        serving(
            data, "--workers", "1", "--search-seconds", "3600", errors=log, before=NO_DEADLINE
        ) as served,
        ThreadPoolExecutor(1) as pool,
        closing(connect(served)) as searching,
    ):
        searching.request("GET", f"{SEARCH}3600&max_states=2000000")
        wait_until(lambda: searches(served), "the search runs")
        stopped = pool.submit(stop, served)
        wait_until(lambda: is_refused(served), "nobody can connect")
        response = searching.getresponse()
        assert (response.status, response.headers["Connection"]) == (200, "close")
        assert json.load(response)["source"] == "search"
        stopped.result(PATIENCE)
    assert warnings(log) == []


def test_a_stop_waits_for_no_answer_that_takes_too_long(data: Path) -> None:
    options = "--workers", "1", "--search-seconds", "3600"
    with serving(data, *options) as served, closing(connect(served)) as searching:
        searching.request("GET", f"{SEARCH}3600")
        wait_until(lambda: searches(served), "the search runs")
        stop(served)
        with pytest.raises(ConnectionError):
            searching.getresponse()


def searches(served: Served) -> float:
    """The number of searches under way."""
    return sum(
        value for name, value in metrics(served).items() if name.startswith("puzzlebase_searches")
    )


def is_refused(served: Served) -> bool:
    """True if a new connection is."""
    with closing(connect(served)) as late:
        try:
            late.connect()
        except ConnectionError:
            return True
    return False


def test_a_stop_under_load_leaves_no_request_without_an_answer(data: Path) -> None:
    with serving(data, before=NO_DEADLINE) as served, ThreadPoolExecutor(8) as pool:
        loads = [pool.submit(load_until_refused, served.address, LOOKUP) for _ in range(8)]
        wait_until(lambda: lookups(served) > 200, "many are answered")
        stop(served)
        outcome = sum((load.result(PATIENCE) for load in loads), Counter())
    assert outcome["answered"] > 100
    assert outcome["refused"] == 0
    assert outcome["closed"] + outcome["not accepted"] <= 2 * 8

"""Stops under load."""

from __future__ import annotations

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.http.load import load_until_refused
from tests.serving import lookups, serving, with_limits
from tests.waiting import PATIENCE, wait_until

LOOKUP = "/v1/puzzles/avenger/lookup?state=.AAA.BBB.CCC.DDD.EEE."


@pytest.mark.parametrize("clients", [8, 24, 48])
def test_a_stop_under_load_leaves_no_request_without_an_answer(data: Path, clients: int) -> None:
    with serving(data, before=with_limits(STOP_SECONDS=3600)) as served, ThreadPoolExecutor(clients) as pool:
        loads = [pool.submit(load_until_refused, served.address, LOOKUP) for _ in range(clients)]
        wait_until(lambda: lookups(served) > 2000, "many are answered")
        os.kill(served.process, signal.SIGTERM)
        psutil.Process(served.process).wait(PATIENCE)
        outcome = sum((load.result(PATIENCE) for load in loads), Counter())
    assert outcome["answered"] > 1000
    assert outcome["refused"] == 0
    assert outcome["closed"] + outcome["not accepted"] <= 2 * clients

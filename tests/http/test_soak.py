"""Tables are swapped under load: no request fails, no answer mixes two tables, and no worker ends
or takes more memory than it may.

`make soak` does it for ten minutes, the suite for 9 seconds.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.builder import TableJob
from puzzlebase.paths import table_path
from puzzlebase.puzzles import Goal, IndexSide, Puzzle, Space, find
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.settings import BESIDE_MEMORY
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import opened, quiet, some_states
from tests.http.load import Expected, load
from tests.serving import Served, serving
from tests.waiting import PATIENCE, wait_until

SECONDS = 60 * float(os.environ.get("SOAK_MINUTES", "0.15"))
MEMORY = 512 << 20
SWAPPED = "novice-sixths"
ANOTHER = "novice"
LOADS = 3
SEEN = 7
"""Swaps after which it is waited until the new table answers, as after the first two:
else it may be replaced each time before it does.
"""


class Folders(NamedTuple):
    """The true table of SWAPPED, and another of it that the service cannot tell from a true one."""

    true: Path
    other: Path


@pytest.fixture(scope="module")
def folders(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The other table is of distances to the nearest of two states, solved and a far one: sound
    throughout, and different for most states.
    """
    other = tmp_path_factory.mktemp("other")
    puzzle = find(SWAPPED)
    TableJob(
        nearer(puzzle), replace(puzzle.goal(), published=None), other, "test", 2, quiet()
    ).build()
    shutil.copy(table_path(data, ANOTHER), other)
    return Folders(data, other)


def nearer(puzzle: Puzzle) -> Puzzle:
    """The same with one more state at distance 0."""

    def space(goal: Goal) -> Space:
        true = puzzle.space(goal)
        assert true.storage is STATES
        return replace(true, goal_states=np.append(true.goal_states, true.size // 3))

    return replace(puzzle, index_side=IndexSide(space))


@pytest.fixture(scope="module")
def expected(folders: Folders) -> list[Expected]:
    """Requests of every kind, and what each table answers to them."""
    clients = [create_app(folder).test_client() for folder in folders]
    tables = Sources(folders.true)
    asked: list[tuple[str, str, bytes]] = []
    for name in (SWAPPED, ANOTHER):
        at = f"/v1/puzzles/{name}"
        states = some_states(tables, name, 150)
        for verb in ("lookup", "solve", "hint"):
            asked += [("GET", f"{at}/{verb}?state={state}", b"") for state in states]
        asked += [("GET", f"{at}/random?distance={far}&seed={far}", b"") for far in range(10)]
        asked += [("GET", f"{at}/{whole}", b"") for whole in ("histogram", "antipodes")] * 10
        batch = json.dumps({"states": some_states(tables, name, 2000), "moves": True}).encode()
        game = json.dumps(
            {"state": opened(tables, name).goal.start, "moves": ["L", "R", "L", "R'", "L'", "R"]}
        ).encode()
        asked += [("POST", f"{at}/lookup", batch), ("POST", f"{at}/grade", game)] * 10
    return [Expected(*one, all_answers(clients, *one)) for one in asked]


def all_answers(
    clients: list[FlaskClient], method: str, path: str, sent: bytes
) -> dict[str, bytes]:
    """The answer of each table, by its tag."""
    found = {}
    for client in clients:
        response: Any = client.open(path, method=method, data=sent)
        assert response.status_code == 200, response.text
        tag = (
            response.headers.get("ETag")
            or client.get(path.rpartition("/")[0] + "/histogram").headers["ETag"]
        )
        found[tag] = response.data
    return found


@pytest.fixture
def served(folders: Folders, tmp_path: Path) -> Iterator[Served]:
    for name in (SWAPPED, ANOTHER):
        shutil.copy(table_path(folders.true, name), tmp_path)
    with serving(tmp_path, "--memory", str(MEMORY)) as service:
        yield service


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.timeout(SECONDS + 900)
def test_swapped_under_load(
    served: Served,
    folders: Folders,
    expected: list[Expected],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    host, port = served.address.removeprefix("http://").split(":")
    end = tmp_path / "end"
    workers, sizes = served.workers(), list[int]()
    spawn = get_context("spawn")
    begun = spawn.Barrier(LOADS + 1)
    with ProcessPoolExecutor(LOADS, spawn, begun.wait, (PATIENCE,)) as pool:
        for _ in range(LOADS):
            pool.submit(int)
        begun.wait(PATIENCE)  # processes begin slowly where others take the processors
        loads = [pool.submit(load, host, int(port), expected, end, seed) for seed in range(LOADS)]
        try:
            swaps = swap(served, folders, sizes)
        finally:
            end.touch()
        outcomes = [running.result(SECONDS + PATIENCE) for running in loads]
    answered = sum((outcome.answered for outcome in outcomes), Counter())
    with capfd.disabled():
        print(  # noqa: T201 (the figures)
            f"\nsoak: {answered.total():,} requests, {swaps:,} tables\n"
            f"a worker takes {max(sizes) >> 20} MiB at most"
        )
    assert [failure for outcome in outcomes for failure in outcome.failures] == []
    tags = {tag for one in expected for tag in one.answers}
    assert set(answered) == tags
    assert max(sizes) < MEMORY + BESIDE_MEMORY
    assert served.workers() == workers
    status, ready = served.get("/readyz")
    assert (status, set(ready["tables"]), ready["damaged"]) == (200, {ANOTHER, SWAPPED}, [])


def swap(served: Served, folders: Folders, sizes: list[int]) -> int:
    """Swap the tables for some seconds, each at least once,
    note the bytes of memory that each worker has meanwhile, and count the swaps.
    """
    until = time.monotonic() + SECONDS
    asked = f"/v1/puzzles/{SWAPPED}/histogram"
    histograms = [create_app(folder).test_client().get(asked).json for folder in folders]
    path = table_path(served.data, SWAPPED)
    for turn in count():
        if turn >= len(folders) and time.monotonic() > until:
            return turn
        copy = path.with_suffix(".copy")
        shutil.copy(table_path(folders[turn % 2], SWAPPED), copy)
        copy.replace(path)
        # an odd number, so that this is each of the two in turn
        if turn < len(folders) or turn % SEEN == 0:
            wait_until(
                partial(answers, served, asked, histograms[turn % 2]), "the new table answers"
            )
            time.sleep(0.5)
        sizes += [worker.memory_info().rss for worker in served.workers()]
        time.sleep(0.1)
    raise AssertionError


def answers(served: Served, path: str, right: object) -> bool:
    """True if the service answers a request."""
    return bool(served.get(path)[1] == right)

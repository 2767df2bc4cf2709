"""A service whose tables lie in parts on two other servers, each a process of its own, beside one of whole tables."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from puzzlebase.db.paths import PARTS as VARIABLE
from puzzlebase.db.paths import table_path
from puzzlebase.db.table_file import TableFile
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.rsgi import look_up_once
from puzzlebase.tools.parts.splitting import split_table
from tests.conftest import TABLES, build_table, quiet
from tests.part_server import part_process, part_server
from tests.serving import Served, serving
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow
NAMES = "avenger", "challenger"


class Split(NamedTuple):
    """A service and the servers of its parts: their folders, ports and processes."""

    served: Served
    folders: list[Path]
    ports: list[int]
    processes: list[int]
    stack: ExitStack


@pytest.fixture(scope="module")
def split(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Split]:
    front = tmp_path_factory.mktemp("front")
    folders = [tmp_path_factory.mktemp(f"part{part}") for part in range(2)]
    for name in NAMES:
        *parts, _ = split_table(table_path(data, name), front, 2, quiet())
        for folder, path in zip(folders, parts, strict=True):
            path.rename(folder / path.name)
    with ExitStack() as stack:
        ports, processes = zip(*(stack.enter_context(part_process(folder)) for folder in folders), strict=True)
        places = ",".join(f"http://127.0.0.1:{port}" for port in ports)
        served = stack.enter_context(serving(front, "--parts", places, "--workers", "1"))
        yield Split(served, folders, [*ports], [*processes], stack)


@pytest.fixture(scope="module")
def whole(data: Path) -> FlaskClient:
    return create_app(data).test_client()


def expected(whole: FlaskClient, address: str) -> Any:
    response = whole.get(address)
    assert response.status_code == 200, response.text
    return response.json


def post(service: Served, address: str, body: object) -> Any:
    request = urllib.request.Request(
        service.address + address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)


def test_a_server_that_ends_and_comes_again(split: Split, whole: FlaskClient) -> None:
    """First of all tests: no block has been read but those of the goals."""
    states = [expected(whole, f"/v1/puzzles/avenger/random?seed={seed}")["state"] for seed in range(20)]
    lookups = [f"/v1/puzzles/avenger/lookup?state={state}" for state in states]
    assert split.served.get("/readyz") == (200, {"ready": True, "tables": [*NAMES], "damaged": []})
    os.kill(split.processes[1], signal.SIGKILL)
    found = {}
    for address in lookups:
        status, answer = split.served.get(address)
        found[status] = answer
    problem = found.pop(503)
    assert not found, "each of these states or one of its neighbours lies in part 1"
    assert problem["type"] == "/docs#unavailable-part"
    assert "part 1 of the table 'avenger' cannot be read from" in problem["detail"]
    assert f"http://127.0.0.1:{split.ports[1]}/avenger-" in problem["detail"]
    assert "have that file served there" in problem["hint"]
    _, ready = split.served.get("/readyz")
    assert [each["table"] for each in ready["damaged"]] == [*NAMES]
    split.stack.enter_context(part_process(split.folders[1], split.ports[1]))
    assert split.served.get("/readyz") == (200, {"ready": True, "tables": [*NAMES], "damaged": []})
    for address in lookups:
        assert split.served.get(address) == (200, expected(whole, address))


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_those_of_the_whole_table(split: Split, whole: FlaskClient, data: Path, name: str) -> None:
    path = f"/v1/puzzles/{name}"
    drawn = [expected(whole, f"{path}/random?seed={seed}")["state"] for seed in range(30)]
    with TableFile(table_path(data, name)) as file:
        drawn += [text for _, text in file.antipodes(0, 3)]
    addresses = [f"{path}/{verb}?state={state}" for state in drawn[:6] for verb in ("lookup", "solve", "hint")]
    addresses += [f"{path}/solve?all=20&state={drawn[-1]}"]
    addresses += [f"{path}/random?seed={seed}&distance={seed + 5}" for seed in range(5)]
    addresses += [f"{path}/random?daily=2026-11-22", f"{path}/histogram", f"{path}/antipodes?limit=20", path]
    for address in addresses:
        status, answer = split.served.get(address)
        right = expected(whole, address)
        assert status == 200, answer
        if address == path:
            for each in (answer, right):
                each["table"].pop("bytes")
        assert answer == right, address
    for moves in (False, True):
        body = {"states": [*drawn, "no state"], "moves": moves}
        assert post(split.served, f"{path}/lookup", body) == whole.post(f"{path}/lookup", json=body).json
    assert len(drawn) == 33


SIX = "avenger", "challenger", "hanoi-nnn-9", "novice-sixths", "panex-4", "sliding-3x3"


def test_one_silent_server_delays_neither_a_start_nor_readiness(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the second parts of six tables. It accepts connections and says nothing."""
    front, first, second = (tmp_path / name for name in ("front", "0", "1"))
    for name in SIX:
        if name not in TABLES:
            build_table(tmp_path / "built", name)
        whole = table_path(data if name in TABLES else tmp_path / "built", name)
        for folder, part in zip((first, second), split_table(whole, front, 2, quiet()), strict=False):
            folder.mkdir(exist_ok=True)
            part.rename(folder / part.name)
    shutil.copy(table_path(data, "novice"), front)
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv(VARIABLE, f"{first},http://127.0.0.1:{port}")
        app = create_app(front)
        look_up_once(app.tables)
        service: Any = app.test_client()
        ready = service.get("/readyz")
    assert ready.json
    assert (ready.json["ready"], ready.json["tables"]) == (True, ["novice"])
    assert [each["table"] for each in ready.json["damaged"]] == [*SIX]
    waited = 0.0
    for each in ready.json["damaged"]:
        message = f"part 1 of the table '{each['table']}' cannot be read from 'http://127.0.0.1:{port}/{each['table']}-"
        assert each["detail"].startswith(message)
        waited += float(re.findall(r"it gave no answer within (\S+) s", each["detail"])[0])
    assert waited < 5, "the patience for one table"
    with part_server(second, port):
        wait_until(lambda: not service.get("/readyz").json["damaged"], "all tables are whole")
        now: Any = service.get("/readyz").json
    assert sorted(now["tables"]) == sorted([*SIX, "novice"])

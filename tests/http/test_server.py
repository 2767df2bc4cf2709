"""service/http/server.py: granian in processes of its own, over a socket."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from puzzlebase.paths import CACHE
from tests.fixtures import TABLES, build_table
from tests.matrix import one_in
from tests.serving import COMMAND, Served, free_port, serving
from tests.waiting import PATIENCE

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service on an empty folder."""
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.mark.slow
def test_a_new_and_a_rebuilt_table_are_served_without_a_restart(served: Served) -> None:
    assert served.get("/readyz")[0] == 503
    assert served.get(f"/v1/puzzles/novice/lookup?state={NOVICE}")[1]["source"] == "search"
    status, problem = served.get("/v1/puzzles/novice/histogram")
    assert (status, problem["hint"]) == (
        409,
        f"build it: puzzlebase build novice --data {served.data}",
    )
    digests = set()
    for _ in range(2):
        build_table(served.data, "novice")
        for _ in range(20):
            status, answer = served.get(f"/v1/puzzles/novice/lookup?state={NOVICE}")
            assert (status, answer["distance"], answer["source"]) == (200, 5, "table")
        digests.add(served.get("/v1/puzzles/novice")[1]["table"]["digest"])
    assert len(digests) == 1
    assert served.get("/readyz") == (200, {"ready": True, "tables": ["novice"], "damaged": []})


@pytest.mark.needs("page")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "shown"),
    one_in(
        4,
        [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::1", "[::1]"), ("::", "[::1]")],
    ),
)
def test_it_says_once_where_it_answers(tmp_path: Path, host: str, shown: str) -> None:
    port = free_port()
    command: list[str | Path] = [
        COMMAND,
        "--data",
        tmp_path,
        "serve",
        "--host",
        host,
        "--port",
        str(port),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        assert server.stderr
        line = server.stdout.readline()
        addresses = re.findall(r"http://\S+", line)
        try:
            assert addresses == [f"http://{shown}:{port}/", f"http://{shown}:{port}/docs"]
            for address in addresses:
                with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                    assert answer.status == 200
        finally:
            server.terminate()
        assert server.stdout.read() == "", "once, not once a worker"
        logged = [json.loads(each) for each in server.stderr.read().splitlines()]
        assert any(
            f" at http://{'[::]' if host == '::' else shown}:{port}: 2 workers" in str(each)
            for each in logged
        )
        assert {each["client"] for each in logged if "client" in each} == {shown}
        warned = any("put nginx or Caddy before it" in str(each) for each in logged)
        assert warned == (host == "::"), "it can be reached from elsewhere"


@pytest.mark.slow
def test_workers_do_not_load_arrow(served: Served) -> None:
    loaded = [
        {Path(file.path).name for file in worker.memory_maps()} for worker in served.workers()
    ]
    assert loaded
    for names in loaded:
        assert any("multiarray" in name for name in names)
        assert not any("arrow" in name for name in names)


FIRST_LOOKUPS = """
import os, sys
from pathlib import Path
from puzzlebase.puzzles import find
from puzzlebase.service.http import rsgi
from puzzlebase.kernels import interpreted
from puzzlebase.service.http.middleware import begin_wsgi
from puzzlebase.service.http.settings import Settings

folder, *names = sys.argv[1:]
os.environ |= Settings(Path(folder)).to_environment()
server = rsgi.rsgi_service()
rsgi.warm_up_rsgi(server.app.sources)

from numba.core.dispatcher import Dispatcher
made, compile = [], Dispatcher.compile  # machine code that is kept is loaded there too
Dispatcher.compile = lambda *given: made.append(given) or compile(*given)
for name in names:
    query = f"state={find(name).goal().start}"
    path = f"/v1/puzzles/{name}/lookup"
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query}
    exchange = begin_wsgi(environ)
    # the table's file has to be looked at again
    while not server.app.middleware.fast_response(exchange):
        server.app.sources.table(name)
sys.exit(len(made))
"""


@pytest.mark.slow
def test_no_kernel_waits_for_the_first_lookup(data: Path) -> None:
    """It would be loaded or compiled on the event loop, which answers nobody meanwhile."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_LOOKUPS, data, *TABLES], timeout=PATIENCE, check=False
    )
    assert done.returncode == 0


BEFORE_COMPILING = """
import os, sys
from pathlib import Path
from puzzlebase.service.http import rsgi
from puzzlebase.kernels import interpreted
from puzzlebase.service.http.middleware import begin_wsgi
from puzzlebase.service.http.settings import Settings

folder, state = sys.argv[1:]
os.environ |= Settings(Path(folder)).to_environment()
server = rsgi.rsgi_service()
path, query = "/v1/puzzles/novice/lookup", f"state={state}"
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query}
exchange = begin_wsgi(environ)
for _ in range(9):  # the first time the table's file may have to be looked at again
    with interpreted():
        response = server.app.middleware.fast_response(exchange)
    if response:
        break
    server.app.sources.table("novice")
print(response.body.decode(), sorted({"numba", "duckdb"} & sys.modules.keys()))
"""


@pytest.mark.slow
def test_a_worker_that_starts_again_answers_before_numba_and_duckdb_are_loaded(
    tmp_path: Path,
) -> None:
    build_table(tmp_path, "novice")
    for path in tmp_path.glob("*.duckdb"):
        # what is written just now is opened each time
        os.utime(path, (1_700_000_000, 1_700_000_000))
    command = [sys.executable, "-c", BEFORE_COMPILING, str(tmp_path), NOVICE]
    environment = {name: value for name, value in os.environ.items() if name != CACHE}
    first, second = (
        subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
        ).stdout
        for _ in range(2)
    )
    answer, loaded = second.rsplit("}", 1)
    assert loaded.strip() == "[]"
    assert first.startswith(answer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "says"),
    [
        ("127.0.0.1", "take another --port"),
        ("192.0.2.1", "with --host"),
        ("no.such.host.invalid", "cannot be used"),
    ],
)
def test_an_address_that_cannot_be_served_is_an_error_that_names_it(
    served: Served, host: str, says: str
) -> None:
    port = served.address.rpartition(":")[2]
    command: list[str | Path] = [
        COMMAND,
        "--data",
        served.data,
        "serve",
        "--host",
        host,
        "--port",
        port,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert says in done.stderr
    assert f"'{host}:{port}'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_no_request_fails_while_a_table_is_replaced(served: Served) -> None:
    build_table(served.data, "novice")

    def ask(_: int) -> bool:
        status, answer = served.get(f"/v1/puzzles/novice/lookup?state={NOVICE}")
        return status == 200 and answer["distance"] == 5

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask, number) for number in range(100)]
        for _ in range(2):
            build_table(served.data, "novice")
        assert all(answer.result(PATIENCE) for answer in asked)

"""docs/games.md: the game server there, started as the page says, played with and attacked."""

from __future__ import annotations

import http.client
import json
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.serving import Served, free_port, running, serving
from tests.test_docs import BIN, ROOT, fenced
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow  # two programs are started

PAGE = ROOT / "docs" / "games.md"
GAME = {"player": "Ada", "level": 4, "moves": []}


class Answer(NamedTuple):
    """The response to a request."""

    status: int
    headers: dict[str, str]
    body: Any


class Player:
    """Asks over one connection, which a bad request must not end."""

    def __init__(self, port: int, tablebase: Served) -> None:
        self.tablebase = tablebase
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.connect()
        self._socket = self._connection.sock

    def close(self) -> None:
        """Leave."""
        self._connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> Answer:
        """The answer, which is JSON in any case; pages may read it."""
        self._connection.request(method, path, body, dict(headers))
        response = self._connection.getresponse()
        content = response.read()
        given = {name.lower(): value for name, value in response.getheaders()}
        assert given["access-control-allow-origin"] == "*"
        assert self._connection.sock is self._socket, "the connection was dropped"
        found = json.loads(content) if content else None
        if response.status >= 400:
            assert found is not None
            assert given["content-type"] == "application/problem+json"
            assert found["status"] == response.status
            assert found["title"]
            assert found["detail"]
            assert "Traceback" not in content.decode()
        return Answer(response.status, given, found)

    def post(self, path: str, body: object) -> Any:
        """The body of the answer to an object."""
        return self.ask("POST", path, json.dumps(body).encode()).body


def started(folder: Path, tablebase: str) -> tuple[list[str | Path], int, dict[str, str]]:
    """The command that the page gives, its port and its environment."""
    (folder / "game_server.py").write_text(fenced(PAGE, "python")[1], "utf-8")
    (line,) = fenced(PAGE, "sh")
    program, *words = shlex.split(line)
    assert program == ".venv/bin/granian"
    port = free_port()
    words[words.index("8000")] = str(port)
    environment = {
        "PUZZLEBASE_URL": tablebase,
        "GAME_SCORES": str(folder / "scores.db"),
        "PYTHONPATH": str(folder),
    }
    return [sys.executable, BIN / "granian", *words], port, environment


@pytest.fixture(scope="module")
def player(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with serving(data, "--workers", "1") as tablebase:
        command, port, environment = started(tmp_path_factory.mktemp("game"), tablebase.address)
        with running(command, port, subprocess.DEVNULL, **environment), closing(Player(port, tablebase)) as player:
            yield player


def test_it_scores_games(player: Player) -> None:
    state = player.post("/level", {"level": 4})["state"]
    solution = player.tablebase.get(f"/v1/puzzles/avenger/solve?state={state}")[1]["solution"]
    game = {**GAME, "moves": ["L", "L'", *solution]}
    assert player.post("/games", game) == {"stars": 2, "best": 2, "message": "6 moves"}
    helped = {**game, "moves": solution, "hints": [1, 3]}
    assert player.post("/games", helped) == {"stars": 2, "best": 2, "message": "4 moves"}
    assert player.post("/games", {**helped, "hints": [1, 2]}) == {"stars": 3, "best": 3, "message": "4 moves"}
    assert player.post("/games", {**game, "moves": solution}) == {"stars": 3, "best": 3, "message": "4 moves"}
    assert player.post("/games", game)["best"] == 3
    assert player.post("/games", {**game, "player": "Bob"})["best"] == 2
    assert player.post("/games", {**game, "moves": solution[:3]}) == {
        "stars": 0,
        "message": "not solved, 1 from the goal",
    }
    assert player.post("/games", GAME) == {"stars": 0, "message": "not solved, 4 from the goal"}
    assert player.post("/games", {**game, "moves": ["U"]}) == {"stars": 0, "message": "move 1: there is no move 'U'"}
    for level in range(1, 16):
        assert player.post("/level", {"level": level})["level"] == level


WRONG_BODIES = [
    b"",
    b"null",
    b"\xff\xfe",
    b"[" * 50_000,
    b'{"level": "4"}',
    b'{"level": ' + b"9" * 5000 + b"}",
    b'{"level": 16}',
    b'{"level": 4, "more": 1}',
    b'{"player": "\\ud800", "level": 4, "moves": []}',
]
WRONG_GAMES: list[dict[str, object]] = [
    {**GAME, "player": "a" * 41},
    {**GAME, "moves": [1]},
    {**GAME, "moves": ["L"] * 1001},
    {**GAME, "level": 99},
]


def test_a_wrong_body_is_400_and_says_why(player: Player) -> None:
    for body in WRONG_BODIES:
        for path in ("/level", "/games"):
            answer = player.ask("POST", path, body)
            assert (answer.status, answer.body["title"]) == (400, "Wrong body"), body[:40]
    for game in WRONG_GAMES:
        answer = player.ask("POST", "/games", json.dumps(game).encode())
        assert (answer.status, answer.body["title"]) == (400, "Wrong body"), game
    assert "level: Input should be less than or equal to 15" in player.post("/level", {"level": 16})["detail"]


def test_a_page_of_another_origin_may_ask(player: Player) -> None:
    preflight = {
        "Origin": "https://game.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    for path in ("/level", "/games"):
        answer = player.ask("OPTIONS", path, headers=preflight)
        assert answer.status == 200
        assert answer.headers["access-control-allow-headers"] == "Content-Type"
        assert "POST" in answer.headers["allow"]


def test_a_large_body_is_413_before_it_is_sent(player: Player) -> None:
    with socket.create_connection(("127.0.0.1", player.port), timeout=PATIENCE) as connection:
        connection.sendall(b"POST /level HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\n\r\n")
        header = connection.makefile("rb").readline()
    assert header.startswith(b"HTTP/1.1 413")
    assert player.ask("POST", "/level", b'{"level": 3}' + b" " * 90_000).status == 200


def test_health_and_a_tablebase_that_is_gone(player: Player, tmp_path: Path) -> None:
    assert player.ask("GET", "/healthz")[::2] == (200, {"status": "ok"})
    command, port, environment = started(tmp_path, f"http://127.0.0.1:{free_port()}")
    with running(command, port, subprocess.DEVNULL, **environment), closing(Player(port, player.tablebase)) as alone:
        assert alone.ask("GET", "/healthz").status == 503
        assert alone.ask("POST", "/level", b'{"level": 3}').body["title"] == "No answer"
        assert alone.ask("POST", "/level", b"[1]").status == 400

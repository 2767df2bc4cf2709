"""docs/games.md: the game server there, started as the page says, played with and attacked."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.documents import BIN, ROOT, fenced
from tests.serving import Served, free_port, running, serving
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow  # two programs are started

PAGE = ROOT / "docs" / "games.md"
GAME = {"player": "Ada", "level": 4, "moves": []}


class Player(NamedTuple):
    """A client of the game server, and the service behind that."""

    client: httpx.Client
    tablebase: Served

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """The response, which any page may read; that of an error is a problem."""
        response = self.client.request(method, path, **sent)
        assert response.headers["access-control-allow-origin"] == "*"
        if response.is_error:
            problem = response.json()
            assert response.headers["content-type"] == "application/problem+json"
            assert problem["status"] == response.status_code
            assert problem["title"]
            assert problem["detail"]
        return response

    def post(self, path: str, body: object) -> Any:
        """The body of the response to an object."""
        return self.ask("POST", path, json=body).json()


@contextmanager
def served(folder: Path, tablebase: str) -> Iterator[httpx.Client]:
    """A client of the server that the command on the page starts."""
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
    with (
        running([sys.executable, BIN / "granian", *words], port, subprocess.DEVNULL, **environment),
        httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            timeout=PATIENCE,
            trust_env=False,
            # the server may close an idle one at any time
            limits=httpx.Limits(max_keepalive_connections=0),
        ) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def player(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with (
        serving(data, "--workers", "1") as tablebase,
        served(tmp_path_factory.mktemp("game"), tablebase.address) as client,
    ):
        yield Player(client, tablebase)


def test_it_scores_games(player: Player) -> None:
    state = player.post("/level", {"level": 4})["state"]
    solution = player.tablebase.get(f"/v1/puzzles/avenger/solve?state={state}")[1]["solution"]
    game = {**GAME, "moves": ["L", "L'", *solution]}
    assert player.post("/games", game) == {"stars": 2, "best": 2, "message": "6 moves"}
    cheaper = {**GAME, "hint": 2}
    assert {*player.post("/hints", cheaper)} == {"distance", "groups"}
    assert player.post("/games", {**game, "moves": solution}) == {
        "stars": 3,
        "best": 3,
        "message": "4 moves",
    }
    assert player.post("/games", game)["best"] == 3
    assert player.post("/games", {**game, "player": "Bob"})["best"] == 2
    assert player.post("/games", {**game, "moves": solution[:3]}) == {
        "stars": 0,
        "message": "not solved, 1 from the goal",
    }
    assert player.post("/games", GAME) == {"stars": 0, "message": "not solved, 4 from the goal"}
    assert player.post("/games", {**game, "moves": ["U"]}) == {
        "stars": 0,
        "message": "move 1: there is no move 'U'",
    }
    helped = {**game, "player": "Cyd", "moves": solution}
    told = player.post("/hints", {**GAME, "player": "Cyd", "moves": solution[:3], "hint": 3})
    assert (told["distance"], told["move"]) == (1, solution[3])
    assert player.post("/games", helped) == {"stars": 2, "best": 2, "message": "4 moves"}
    assert player.post("/hints", {**GAME, "moves": ["U"], "hint": 1})["title"] == "Wrong moves"
    for level in range(1, 16):
        assert player.post("/level", {"level": level})["level"] == level


WRONG_BODIES = [
    b"",
    b"\xff\xfe",
    b"[" * 50_000,
    b'{"level": ' + b"9" * 5000 + b"}",
    b'{"level": 4, "more": 1}',
    b'{"player": "\\ud800", "level": 4, "moves": []}',
]
WRONG_GAMES: list[dict[str, object]] = [
    {**GAME, "player": "a" * 41},
    {**GAME, "moves": [1]},
    {**GAME, "moves": ["L"] * 1001},
    {**GAME, "level": 99},
    {**GAME, "hints": []},
]


def test_a_wrong_body_is_refused_and_says_why(player: Player) -> None:
    for body in WRONG_BODIES:
        for path in ("/level", "/games"):
            response = player.ask("POST", path, content=body)
            assert (response.status_code, response.json()["title"]) == (400, "Wrong body"), body[
                :40
            ]
    for game in WRONG_GAMES:
        assert player.post("/games", game)["title"] == "Wrong body", game
    assert (
        "level: Input should be less than or equal to 15"
        in player.post("/level", {"level": 16})["detail"]
    )
    assert player.ask("POST", "/level", content=b" " * 100_001).status_code == 413

"""service/http/headers.py: a tag tells an answer from every other one,
whatever it was made from.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from puzzlebase.builder import TableJob
from puzzlebase.puzzles import find
from puzzlebase.puzzles.discovery import discover_definitions, forget
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.exchange import Environ
from puzzlebase.service.http.middleware import Middleware
from puzzlebase.service.sources.sources import Sources
from puzzlebase.version import VERSION
from tests.fixtures import quiet
from tests.waiting import wait_until

RING = (
    "Set TILE 4 1\nSolved\nTILE\n1 2 3 4\nEnd\nMove T\nTILE\n2 3 4 1\nEnd\nMove S\nTILE\n2 "
    "1 3 4\nEnd\n"
)
"""Four tiles in a ring that turns, two of which change places: all 24 orders."""
TURNED = RING.replace("2 1 3 4", "3 4 1 2")
"""Only turns: 4 orders."""
SQUARES = "".join(
    f'<circle id="TILE-l{place}-o0" cx="{9 + 20 * place}" cy="9" r="9" fill="#ff0000"/>'
    for place in range(4)
)
SWAPPED = "BACD"


class Folders:
    """A folder of definitions and one of data,
    and the service over both, begun anew at each request.
    """

    def __init__(self, definitions: Path, data: Path) -> None:
        self.definitions, self.data = definitions, data

    def define(self, text: str, name: str = "ring.tws") -> None:
        """Write a definition, or the drawing beside it."""
        (self.definitions / name).write_text(text, "utf-8")

    def build(self) -> None:
        """Build the table."""
        discover_definitions(self.definitions)
        puzzle = find("ring")
        TableJob(puzzle, puzzle.goal(), self.data, VERSION, 1, quiet()).build()

    def restart(self) -> FlaskClient:
        """A client of the service, begun anew."""
        discover_definitions(self.definitions)
        return create_app(self.data).test_client()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folders]:
    made = Folders(tmp_path / "definitions", tmp_path / "data")
    for folder in (made.definitions, made.data):
        folder.mkdir()
    with monkeypatch.context() as patch:
        patch.setenv("PUZZLEBASE_PUZZLES", str(made.definitions))
        made.define(RING)
        yield made
    forget()


def answers(client: FlaskClient, address: str) -> Any:
    """The JSON of an answer, a problem too."""
    return client.get(address).json


@pytest.mark.needs("definitions")
@pytest.mark.slow
def test_a_running_service_notices_definitions(folders: Folders) -> None:
    client = create_app(folders.data).test_client()
    address = f"/v1/puzzles/ring/lookup?state={SWAPPED}"
    before = client.get(address)
    assert (before.get_json()["distance"], before.get_json()["source"]) == (1, "search")
    folders.define(TURNED)
    wait_until(lambda: answers(client, address)["solvable"] is False, "the edit is noticed")
    assert client.get(address, headers={"If-None-Match": before.headers["ETag"]}).status_code == 200
    folders.define("Set")
    wait_until(lambda: client.get(address).status_code == 404, "the fault is noticed")
    assert "ring.tws, line 1" in answers(client, address)["detail"]
    (folders.definitions / "ring.tws").unlink()
    wait_until(
        lambda: "no puzzle 'ring'" in answers(client, address)["detail"], "the file is missed"
    )
    folders.define(RING, "other.tws")
    wait_until(
        lambda: client.get(address.replace("ring", "other")).status_code == 200,
        "a new file is noticed",
    )

    def listed() -> set[str]:
        return {puzzle["name"] for puzzle in answers(client, "/v1/puzzles")["puzzles"]} & {
            "ring",
            "other",
        }

    wait_until(lambda: listed() == {"other"}, "the list has the new file and not the old one")
    assert answers(client, "/v1/puzzles/other")["family"] == "other"
    of_ours = "/v1/puzzles/novice/board?state=BBBBBBBBBBBBRRRRRRRRR"
    assert client.get(of_ours).status_code == 200
    shutil.rmtree(folders.definitions)
    assert client.get(of_ours).status_code == 200


@pytest.mark.needs("definitions")
@pytest.mark.slow
def test_no_answer_mixes_two_definitions(folders: Folders) -> None:
    """The first answer is half of each: it is made again."""
    discover_definitions(folders.definitions)
    made: list[list[str]] = []

    def app(_environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        names = [move.name for move in find("ring").moves]
        if not made:
            folders.define(RING.replace("Move S", "Move Z"))
            wait_until(
                lambda: [move.name for move in find("ring").moves] != names, "the edit is noticed"
            )
        made.append([*names, *(move.name for move in find("ring").moves)])
        start_response("200 OK", [])
        return BytesIO(" ".join(made[-1]).encode())

    environ = EnvironBuilder(path="/v1/puzzles/ring", method="POST", data=b"{}").get_environ()
    body = b"".join(Middleware(app, Sources(folders.data), log=False)(environ, lambda *_: None))
    assert [("S" in names, "Z" in names) for names in made] == [(True, True), (False, True)]
    assert body.decode().split() == made[1]


DEFINITIONS = [
    RING,
    TURNED,
    RING.replace("Move S", "Move Z"),
    RING.replace("1 2 3 4", "1 2 3 3"),
]
ADDRESSES = [
    *(
        f"{verb}?state={state}"
        for verb in ("lookup", "solve", "picture", "board")
        for state in ("BACD", "CDAB", "ABCC")
    ),
    *(f"hint?level=3&state=BACD&goal={goal}" for goal in ("solved", "CDAB")),
    "random?seed=1",
    "histogram",
    "antipodes",
]


@pytest.mark.needs("definitions")
@pytest.mark.slow(3)
def test_no_two_answers_of_an_address_share_a_tag(folders: Folders) -> None:
    """Over edits of a definition, of its drawing and of what is built for it:
    exact answers and their tags.
    """
    bodies: dict[tuple[str, str], set[bytes]] = {}
    statuses = Counter[int]()
    edits = [(text, "#ff0000", built) for text in DEFINITIONS for built in (False, True)]
    for number, (text, colour, built) in enumerate(
        [*edits, (RING, "#00aa00", False), (RING, "#00aa00", True)]
    ):
        folders.define(text)
        folders.define(
            f'<svg viewBox="0 0 80 20">{SQUARES.replace("#ff0000", colour)}</svg>', "ring.svg"
        )
        shutil.rmtree(folders.data)
        folders.data.mkdir()
        if built:
            folders.build()
        client = folders.restart()
        for address in ADDRESSES:
            answer = client.get(f"/v1/puzzles/ring/{address}")
            statuses[answer.status_code] += 1
            if tag := answer.headers.get("ETag"):
                bodies.setdefault((address, tag), set()).add(answer.data)
                again = client.get(f"/v1/puzzles/ring/{address}", headers={"If-None-Match": tag})
                assert (again.status_code, again.data) == (304, b""), (number, address)
    assert statuses[200] > 70
    assert [key for key, found in bodies.items() if len(found) > 1] == []

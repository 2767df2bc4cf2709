"""plugins/methods/sources.py: an oracle that needs no data answers everything at once,
with integers of any length.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import puzzlebase
from puzzlebase.puzzles import find
from puzzlebase.service.http.app import create_app
from tests.commands import command, ran
from tests.http.asking import assert_problem, get
from tests.naive import hanoi as naive_hanoi

pytestmark = pytest.mark.needs("hanoi")

NAME = "hanoi-nnn-64"
START = find(NAME).goal().start
SOLVED = find(NAME).goal().states[0]
TOTAL = 1_040_510_248_573_488_632_353_366_026_802


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder of data."""
    return tmp_path_factory.mktemp("nothing")


@pytest.fixture(scope="module")
def client(nothing: Path) -> FlaskClient:
    return create_app(nothing).test_client()


def ask(client: FlaskClient, verb: str, **query: Any) -> Any:
    return get(client, f"/v1/puzzles/{NAME}/{verb}", **query)


def play(state: str, move: str) -> str:
    after = naive_hanoi.move(state, move, "NNN")
    assert after is not None
    return after


def played(state: str, moves: list[str]) -> str:
    """The state after moves by the plain rules."""
    for move in moves:
        state = play(state, move)
    return state


def test_lookups_have_decimal_strings_where_doubles_would_round(client: FlaskClient) -> None:
    lookup = ask(client, "lookup", state=START)
    assert (lookup["distance"], lookup["lower_bound"], lookup["upper_bound"]) == (str(TOTAL),) * 3
    assert (lookup["source"], lookup["exact"], lookup["solvable"]) == ("oracle", True, True)
    assert [(move["move"], move["distance"], move["delta"]) for move in lookup["moves"]] == [
        (move, str(TOTAL - 1), -1) for move in ("SI", "SD")
    ]
    assert ask(client, "lookup", state=SOLVED)["distance"] == 0
    there, back = (
        ask(client, "lookup", state=START, goal=SOLVED),
        ask(client, "lookup", state=SOLVED, goal=START),
    )
    assert there["distance"] == back["distance"] == str(TOTAL)


def test_a_page_begins_at_any_move(client: FlaskClient) -> None:
    offset = 10**29
    page = ask(client, "solve", state=START, offset=offset, limit=4, states="true")
    assert page["next"] == str(offset + 4)
    for before, move, after in zip(
        page["states"], page["solution"], page["states"][1:], strict=False
    ):
        assert play(before, move) == after
    assert ask(client, "lookup", state=page["states"][0])["distance"] == str(TOTAL - offset)
    body = {"state": START, "offset": str(offset), "limit": 4, "states": True}
    assert client.post(f"/v1/puzzles/{NAME}/solve", json=body).json == page
    assert ask(client, "solve", state=START, offset=TOTAL, states="true")["states"] == [SOLVED]
    assert ask(client, "solve", state=START, offset=10**40)["solution"] == []
    last = ask(client, "solve", state=START, offset=TOTAL - 3)
    assert (len(last["solution"]), last["next"]) == (3, None)


@pytest.mark.parametrize("offset", ["-1", "1.5", "", "1" + "0" * 41, "٣"])
def test_offsets_that_are_none(client: FlaskClient, offset: str) -> None:
    query = {"state": START, "offset": offset}
    assert_problem(
        client.get(f"/v1/puzzles/{NAME}/solve", query_string=query), 400, "invalid-parameter"
    )
    assert_problem(client.post(f"/v1/puzzles/{NAME}/solve", json=query), 400, "invalid-parameter")


def test_hints_and_batches(client: FlaskClient) -> None:
    hint = ask(client, "hint", state=START, level=4)
    assert (hint["distance"], hint["groups"], hint["move"]) == (str(TOTAL), ["post S"], "SI")
    assert (hint["solution"][0], len(hint["solution"])) == ("SI", 10_000)
    batch: Any = client.post(
        f"/v1/puzzles/{NAME}/lookup", json={"states": [START, "x", SOLVED], "moves": True}
    ).json
    assert [result.get("distance") for result in batch["results"]] == [str(TOTAL), None, 0]
    assert batch["results"][0] == ask(client, "lookup", state=START)
    refused = client.get(f"/v1/puzzles/{NAME}/solve", query_string={"state": START, "all": 2})
    assert_problem(refused, 400, "invalid-parameter")


def test_random_states_are_uniform(client: FlaskClient) -> None:
    found = ask(client, "random", seed="a")
    assert (found["drawn"], found["percentile"], found["scramble"]) == ("uniform", None, None)
    assert found == ask(client, "random", seed="a")
    assert found["state"] != ask(client, "random", seed="b")["state"]
    small: Any = client.get("/v1/puzzles/hanoi-nnn-5/random?seed=a").json
    assert len(small["scramble"]) == small["distance"]
    solved = find("hanoi-nnn-5").goal().states[0]
    assert played(solved, small["scramble"]) == small["state"]


WORDS = {
    "first": (1, 3, None),
    "easy": (4, 6, None),
    "medium": (7, 13, None),
    "hard": (14, 40, None),
}
"""By hand: 1 + 2 + ... + 13 = 91 is the first sum that is a tenth of 1 + 2 + ... + 40 = 820."""


def test_its_distances_are_difficulties(client: FlaskClient, nothing: Path) -> None:
    """Up to 40 moves, or the start's distance; the scramble is as long, and leads to the state."""
    small = WORDS | {"medium": (7, 7, None), "hard": (8, 11, None)}
    for name, words in {NAME: WORDS, "hanoi-nnn-3": small}.items():
        listed = get(client, f"/v1/puzzles/{name}")["difficulties"]
        assert {each.pop("name"): (*each.values(),) for each in listed} == words
    name = "hanoi-nnn-9"
    address, solved = f"/v1/puzzles/{name}/random", find(name).goal().states[0]
    for word, (least, most, _) in WORDS.items():
        found = get(client, address, difficulty=word, daily="2026-11-21")
        assert least <= found["distance"] == len(found["scramble"]) <= most
        assert played(solved, found["scramble"]) == found["state"]
    found = get(client, address, difficulty="hardest", seed="x")
    assert found["difficulty"] == "hard"
    done = command(nothing, "random", name, "--difficulty", "hardest", "--seed", "x", "--json")
    assert json.loads(done.stdout) == found
    opened = puzzlebase.open(name, data=nothing)
    assert opened.random(difficulty="hardest", seed="x") == found
    assert_problem(client.get(f"{address}?distance=3"), 409, "missing-table")


def test_it_is_listed_and_described(client: FlaskClient, nothing: Path) -> None:
    about: Any = client.get(f"/v1/puzzles/{NAME}").json
    assert (about["coverage"], about["states"], about["table"], about["layers"]) == (
        "oracle",
        None,
        None,
        None,
    )
    lines = {line["name"]: line for line in client.get("/v1/puzzles").json["puzzles"]}  # type: ignore[index]
    assert (lines[NAME]["coverage"], lines["hanoi-nnn-8"]["coverage"]) == ("oracle", "oracle")
    assert_readiness_counts_files(client)
    assert [*nothing.iterdir()] == []


def assert_readiness_counts_files(client: FlaskClient) -> None:
    """An oracle without data is always there:
    readiness is about the files that were to be served.
    """
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json) == (503, {"ready": False, "tables": [], "damaged": []})


def test_there_is_nothing_to_build(nothing: Path) -> None:
    for verb in ("build", "verify"):
        done = ran(nothing, verb, NAME)
        assert (
            "needs no file: its oracle gives every published distance" in done.stdout + done.stderr
        )
    assert json.loads(command(nothing, "build", NAME, "--json").stdout)["coverage"] == "oracle"
    assert command(nothing, "build", NAME, "--depth", "3").status == 2
    assert [*nothing.iterdir()] == []


def test_the_command_line_has_integers_of_any_length(nothing: Path) -> None:
    found = json.loads(
        command(
            nothing, "solve", NAME, START, "--offset", str(10**29), "--limit", "1", "--json"
        ).stdout
    )
    assert (found["distance"], found["next"]) == (str(TOTAL), str(10**29 + 1))
    done = command(nothing, "lookup", NAME, START, SOLVED)
    assert f"distance {TOTAL:,} (oracle)" in done.stdout
    assert f"{TOTAL - 1:,}" in command(nothing, "lookup", NAME, START).stdout

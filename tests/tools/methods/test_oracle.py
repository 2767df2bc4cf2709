"""tools/methods/sources.py: an oracle's data are stored and checked, and it answers as a table does."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.builder import BuildError, VerificationError
from puzzlebase.db.blobs import BlobsFile, BlobsWriter
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.puzzles import NoSpace, Puzzle, find
from puzzlebase.puzzles.families.panex import oracle as panex
from puzzlebase.service.answers import grades, hints, lookups, random_states, solutions
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.error_status import TooMuchWork
from puzzlebase.service.http import responses
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import Deadline
from puzzlebase.service.sources.sources import Sources
from puzzlebase.tools.methods.job import OracleJob
from puzzlebase.tools.methods.record import Oracle
from puzzlebase.tools.methods.sources import OpenOracle
from tests.commands import command
from tests.conftest import build_table, quiet, quiet_job, source_of
from tests.http.asking import get
from tests.naive import panex as naive_panex

START = "abcdefghij||ABCDEFGHIJ"
SOLVED = "ABCDEFGHIJ||abcdefghij"


def built(puzzle: Puzzle, data: Path) -> Path:
    return quiet_job(OracleJob, puzzle, data).build()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of two oracles, and a whole table of the smaller puzzle in a folder beside it."""
    folder = tmp_path_factory.mktemp("oracles")
    built(find("panex-4"), folder)
    built(find("panex-10"), folder)
    build_table(folder.with_name("whole"), "panex-4")
    return folder


def ask(client: FlaskClient, verb: str, name: str = "panex-10", **query: Any) -> Any:
    return get(client, f"/v1/puzzles/{name}/{verb}", **query)


def test_blobs_come_back(tmp_path: Path) -> None:
    path = tmp_path / "x.oracle.duckdb"
    given = {"one": b"", "other": bytes(range(256)) * 300, "": b"nameless"}
    with BlobsWriter(path) as writer:
        writer.finish("x", given)
    with BlobsFile(path) as file:
        assert (file.puzzle, file.blobs) == ("x", given)
        digest = file.digest
    with BlobsWriter(path) as writer:
        writer.finish("x", dict(reversed(given.items())))
    with BlobsFile(path) as file:
        assert file.digest == digest, "whatever their order"


def blobs(path: Path) -> dict[str, bytes]:
    with BlobsFile(path) as file:
        return file.blobs


@pytest.mark.slow
def test_damage_is_an_error(tmp_path: Path) -> None:
    path = built(find("panex-3"), tmp_path)
    whole = path.read_bytes()
    sound = blobs(path)
    for at in np.random.default_rng(2).integers(0, len(whole), 40).tolist():
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xAA]) + whole[at + 1 :])
        try:
            assert blobs(path) == sound
        except DamagedTable:
            continue
    for change in (
        "UPDATE blob SET name = name || 'x'",
        "UPDATE blob SET bytes = bytes + 1",
        "UPDATE oracle_info SET puzzle = 'panex-4'",
        "UPDATE oracle_info SET format = 7",
        "DELETE FROM blob",
    ):
        path.write_bytes(whole)
        with duckdb.connect(str(path)) as connection:
            connection.execute(change)
        with pytest.raises(DamagedTable):
            blobs(path)


@pytest.mark.slow
def test_data_that_do_not_give_the_published_distances_are_not_published(tmp_path: Path) -> None:
    three, four = find("panex-3"), find("panex-4")
    oracle = three.engine(Oracle)
    assert oracle
    path = built(three, tmp_path)
    former = path.read_bytes()
    other = quiet_job(OracleJob, four, tmp_path)
    path.rename(other.path)
    with pytest.raises(VerificationError, match="puzzle"):
        other.verify()
    other.path.unlink()
    job = quiet_job(OracleJob, three, tmp_path)
    with BlobsWriter(path) as writer:
        writer.finish("panex-3", dict.fromkeys(oracle.make(), b"from another version"))
    with pytest.raises(DamagedTable):
        job.verify()
    path.write_bytes(former)
    job.verify()
    assert [*tmp_path.iterdir()] == [path]


def test_an_oracle_that_memory_ran_out_for_is_made_anew(tmp_path: Path) -> None:
    def make() -> dict[str, bytes]:
        raise MemoryError("no more")

    puzzle = find("panex-3")
    oracle = puzzle.engine(Oracle)
    assert oracle
    failing = replace(puzzle, engines=(replace(oracle, make=make),))
    with pytest.raises(BuildError, match=r"memory ran out while building panex-3\.oracle: no more") as caught:
        OracleJob(failing, puzzle.goal(), tmp_path, report=quiet()).build()
    assert caught.value.hint == "free some, then run the same command again: it starts anew"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.slow(15)
@pytest.mark.matrix
def test_the_certificate_says_what_it_proves_and_no_more(tmp_path: Path) -> None:
    """The lower bound of docs/panex-theorem.md. The upper one is that of a construction."""
    *_, last = panex.certify(tmp_path / "certificate")
    assert "at least U(n) moves for all n >= 5" in last
    assert "shows that U(n) are enough by the construction that solve --method seed follows" in last


@pytest.mark.slow
def test_its_own_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = find("panex-5")
    oracle = puzzle.engine(Oracle)
    assert oracle
    path = tmp_path / "certificate"
    job = quiet_job(OracleJob, puzzle, tmp_path)
    wrong = replace(puzzle, engines=(replace(oracle, certify=partial(panex.certify, steps=6)),))
    with pytest.raises(VerificationError, match=r"is refused: steps repeat from .* too few"):
        replace(job, puzzle=wrong).certify(path)
    assert len(path.read_text("ascii").splitlines()) == 7
    monkeypatch.setattr(panex, "_PROJECT", tmp_path)
    with pytest.raises(VerificationError, match="not installed"):
        job.certify(path)
    with pytest.raises(VerificationError, match="no certificate"):
        replace(job, puzzle=replace(puzzle, engines=(replace(oracle, certify=None),))).certify(path)


@pytest.mark.slow
def test_an_oracle_answers_as_the_table_does(data: Path) -> None:
    by_oracle = source_of(Sources(data), "panex-4")
    table = Sources(data.with_name("whole")).table("panex-4")
    assert isinstance(by_oracle, OpenOracle)
    draw = np.random.default_rng(9)
    for index in draw.integers(0, table.space.size, 60).tolist():
        text = table.puzzle.text(index, table.goal)
        assert lookups.lookup(by_oracle, text) == lookups.lookup(table, text)
        whole, mine = (
            solutions.solve(table, text, all=3, states=True),
            solutions.solve(by_oracle, text, all=2, states=True),
        )
        others = [moves for moves in whole["solutions"] if moves != mine["solution"]]
        assert mine["distance"] == len(mine["solution"]) == whole["distance"]
        assert mine["solutions"] == [mine["solution"], *others[:1]]
        assert mine["optimal_count"] in (whole["optimal_count"], None)
        assert mine["states"][-1] == table.goal.states[0]
        for level in (1, 2):
            assert hints.hint(by_oracle, text, level) == hints.hint(table, text, level)
        moves = [*whole["solution"][:2], "LC", "CR"]
        assert grades.grade(by_oracle, text, moves=moves) == grades.grade(table, text, moves=moves)


@pytest.mark.slow
def test_the_panex_that_people_own(client: FlaskClient) -> None:
    lookup = ask(client, "lookup", state=START)
    assert (lookup["distance"], lookup["exact"], lookup["source"]) == (31_537, True, "table")
    assert {move["move"]: move["delta"] for move in lookup["moves"]} == {"LC": 0, "LR": -1, "RC": 0, "RL": -1}
    assert ask(client, "lookup", state=START, goal="centre")["distance"] == 4_875
    moves: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = ask(client, "solve", state=START, offset=offset)
        moves += page["solution"]
        offset = page["next"]
    assert len(moves) == 31_537
    assert ask(client, "solve", state=START, offset=19_999, limit=1)["solution"] == [moves[19_999]]
    state = START
    for number, move in enumerate(moves):
        state = dict(naive_panex.neighbours(state))[move]
        if number % 4_001 == 0:
            assert ask(client, "lookup", state=state)["distance"] == 31_537 - number - 1
    assert state == SOLVED
    assert ask(client, "solve", state=START, offset=31_600, states="true")["states"] == [SOLVED]
    page = ask(client, "solve", state=START, offset=100, limit=2, states="true")
    assert [page["states"][1], page["states"][2]] == [
        dict(naive_panex.neighbours(page["states"][0]))[moves[100]],
        dict(naive_panex.neighbours(page["states"][1]))[moves[101]],
    ]


def test_random_states_of_it_are_walked_to(client: FlaskClient) -> None:
    found = ask(client, "random", seed="a")
    assert (found["drawn"], found["percentile"]) == ("walk", None)
    assert found == ask(client, "random", seed="a")
    assert found["state"] != ask(client, "random", seed="b")["state"]


@pytest.fixture(scope="module", params=[20, 22, 23, 24, 25, 26])
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, FlaskClient]:
    """The name of a puzzle with a hundred million moves and more, and a service that has its oracle."""
    name = f"panex-{request.param}"
    folder = tmp_path_factory.mktemp(name)
    built(find(name), folder)
    return name, create_app(folder).test_client()


def exchange(name: str) -> int:
    """U(n), the moves that are known to suffice: docs/panex.md."""
    n, root = int(name.removeprefix("panex-")), Decimal(2).sqrt()
    u = Decimal("3.5") * ((7 - 4 * root) * (1 + root) ** n + (7 + 4 * root) * (1 - root) ** n) - 8 * n - 2
    return round(u)


@pytest.mark.slow
def test_a_random_state_of_a_large_one_takes_no_longer(large: tuple[str, FlaskClient]) -> None:
    """Move by move it would take hours, more than a test may."""
    name, client = large
    found = ask(client, "random", name, seed="a")
    assert found == ask(client, "random", name, seed="a")
    assert 0 < found["distance"] < exchange(name) + random_states._WALK
    assert found["drawn"] == "walk"


def test_states_of_a_solution_begin_anywhere(large: tuple[str, FlaskClient]) -> None:
    name, client = large
    start = find(name).goal().start
    for offset in (100_000_000, exchange(name) - 2):
        page = ask(client, "solve", name, state=start, offset=offset, limit=3, states="true")
        assert page["solution"] == ask(client, "solve", name, state=start, offset=offset, limit=3)["solution"]
        state, *passed = page["states"]
        assert ask(client, "lookup", name, state=state)["distance"] == exchange(name) - offset
        for move, after in zip(page["solution"], passed, strict=True):
            state = dict(naive_panex.neighbours(state))[move]
            assert after == state
    assert (state, page["next"]) == (find(name).goal().states[0], None)


def test_answers_of_a_large_one(large: tuple[str, FlaskClient]) -> None:
    name, client = large
    start, far = find(name).goal().start, exchange(name)
    lookup = ask(client, "lookup", name, state=start)
    assert (lookup["distance"], lookup["lower_bound"], lookup["upper_bound"]) == (far, far, far)
    assert {move["move"]: move["distance"] - far for move in lookup["moves"]} == {"LC": 0, "LR": -1, "RC": 0, "RL": -1}
    for level in (1, 2, 3, 4):
        hint = ask(client, "hint", name, state=start, level=level)
        assert hint["distance"] == far
    assert (hint["groups"], hint["move"]) == (["left track", "right track"], "LR")
    assert len(hint["solution"]) == 10_000
    page = ask(client, "solve", name, state=start)
    assert (page["solution"], page["next"]) == (hint["solution"], 10_000)
    assert client.get(f"/v1/puzzles/{name}/solve", query_string={"state": start, "all": 1}).status_code == 400
    batch: Any = client.post(f"/v1/puzzles/{name}/lookup", json={"states": [start], "moves": True}).json
    assert batch["results"] == [lookup]


def test_a_table_comes_before_an_oracle(data: Path, tmp_path: Path) -> None:
    built(find("panex-2"), tmp_path)
    assert source_of(Sources(tmp_path), "panex-2").origin.tag == BlobsFile(tmp_path / "panex-2.oracle.duckdb").digest
    build_table(tmp_path, "panex-2")
    assert source_of(Sources(tmp_path), "panex-2") is not None
    assert not isinstance(source_of(Sources(tmp_path), "panex-2"), OpenOracle)
    with pytest.raises(MissingTable, match="panex-26"):
        source_of(Sources(data), "panex-26")
    with pytest.raises(NoSpace):
        Sources(data).table("panex-10")


def test_a_long_batch_of_an_oracle_ends_when_its_time_is_up(data: Path) -> None:
    tables = Sources(data)
    with pytest.raises(TooMuchWork):
        lookup_batch(source_of(tables, "panex-10", deadline=Deadline(0)), [START])
    assert b"31537" in lookup_batch(source_of(tables, "panex-10", deadline=Deadline(60)), [START])


def test_work_that_takes_too_long_is_a_problem_of_its_own(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "ANSWER_SECONDS", 0.0)
    refused = client.get("/v1/puzzles/panex-10/hint", query_string={"state": START})
    assert (refused.status_code, refused.json and refused.json["type"]) == (400, "/docs#too-much-work")


def test_a_solution_is_one_whatever_asks_for_it(data: Path) -> None:
    """`solution`, the first of `solutions` and the move of a hint belong together; no solution is there twice."""
    source = source_of(Sources(data), "panex-4")
    assert isinstance(source, OpenOracle)
    puzzle, goal = source.puzzle, source.goal
    with_others = 0
    for index in np.random.default_rng(5).integers(0, puzzle.space(goal).size, 20).tolist():
        state = puzzle.text(index, goal)
        solved = solutions.solve(source, state, all=12)
        hint = hints.hint(source, state, 4)
        assert solved["solution"] == solved["solutions"][0] == hint["solution"]
        assert hint["move"] == hints.hint(source, state, 3)["move"] == solved["solution"][0]
        assert source.solver.distance(puzzle.play(state, hint["move"])) == (solved["distance"] or 0) - 1
        assert len({*map(tuple, solved["solutions"])}) == len(solved["solutions"])
        counted = solved["optimal_count"]
        assert counted is None or len(solved["solutions"]) == min(12, int(counted))
        with_others += len(solved["solutions"]) > 1
    assert with_others > 5


def test_a_goal_that_play_cannot_reach_is_refused_at_any_size(client: FlaskClient) -> None:
    """From none of these states does a move lead anywhere but among three or four others."""
    for name, goal in (("panex-4", "aB|dC|bADc"), ("panex-10", "cDbefghij|aC|dABEFGHIJ")):
        response = client.get(f"/v1/puzzles/{name}/lookup", query_string={"state": goal, "goal": goal})
        assert response.status_code == 422, response.text
        assert f"'{goal}' cannot be reached from" in response.text


def test_the_command_for_an_oracle_builds_it(tmp_path: Path) -> None:
    """A build of a puzzle that has a table as well makes that, unless it is told otherwise."""
    for name in ("panex-3", "panex-8"):
        refused = command(tmp_path, "verify", name, "--oracle")
        assert f"--data {tmp_path} build {name} --oracle\n" in refused.stderr
    makefile = (Path(__file__).parents[3] / "Makefile").read_text("utf-8")
    assert "$(if $(ORACLE),--oracle)" in makefile

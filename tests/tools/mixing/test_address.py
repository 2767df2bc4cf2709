"""GET /v1/puzzles/{name}/mixing and random?turns=: computed results, and the remedy where there are none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from puzzlebase.paths import table_path
from puzzlebase.service.http.app import create_app
from tests.commands import ran
from tests.http.asking import assert_problem, get


def test_what_was_computed_is_answered(data: Path, client: FlaskClient) -> None:
    missing = client.get("/v1/puzzles/challenger/mixing")
    assert_problem(missing, 409, "missing-table")
    assert missing.get_json()["hint"] == "puzzlebase mixing challenger --walk any --turns 100"
    done = ran(data, "mixing", "challenger", "--turns", "3", "--easier-than", "3", "--json")
    found = get(client, "/v1/puzzles/challenger/mixing", easier_than="3")
    assert json.loads(done.stdout) == found
    assert [turn["turn"] for turn in found["turns"]] == [0, 1, 2, 3]
    assert (found["turns"][0]["reached"], found["turns"][0]["mean"], found["turns"][0]["easier"]) == (1, 0, 1)
    assert found["turns"][3]["easier"] < 1
    assert found["uniform"]["states"] == 2_910_600
    assert len(get(client, "/v1/puzzles/challenger/mixing", turns="1")["turns"]) == 2
    assert_problem(client.get("/v1/puzzles/challenger/mixing?turns=4"), 409, "missing-table")
    assert_problem(client.get("/v1/puzzles/challenger/mixing?walk=alternate"), 409, "missing-table")


def test_the_answer_may_be_kept_until_more_turns_are_computed(data: Path, tmp_path: Path) -> None:
    shutil.copy(table_path(data, "novice"), tmp_path)
    client = create_app(tmp_path).test_client()
    address = "/v1/puzzles/novice/mixing?walk=no-undo"
    ran(tmp_path, "mixing", "novice", "--walk", "no-undo", "--turns", "2")
    tag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    ran(tmp_path, "mixing", "novice", "--walk", "no-undo", "--turns", "4")
    response = client.get(address, headers={"If-None-Match": tag})
    assert (response.status_code, len(response.get_json()["turns"])) == (200, 5)


@pytest.mark.parametrize("fields", ["walk=slow", "turns=-1", "easier_than=0", "steps=3"])
def test_wrong_fields(client: FlaskClient, fields: str) -> None:
    assert_problem(client.get(f"/v1/puzzles/novice/mixing?{fields}"), 400, "invalid-parameter")


def test_random_turns(client: FlaskClient) -> None:
    asked = {"turns": "90", "walk": "alternate", "seed": "x"}
    found = get(client, "/v1/puzzles/avenger/random", **asked)
    assert (found["drawn"], len(found["scramble"])) == ("turns", 90)
    assert get(client, "/v1/puzzles/avenger/random", **asked) == found
    for fields in ("turns=9&distance=3", "walk=any", "turns=1001"):
        assert_problem(client.get(f"/v1/puzzles/avenger/random?{fields}"), 400, "invalid-parameter")
    assert_problem(client.get("/v1/puzzles/avenger-sixths/random?turns=3&walk=alternate"), 400, "invalid-parameter")

"""service/answers/difficulties.py: words and levels for how hard a state is."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from puzzlebase.service.answers.difficulties import (
    DifficultyAnswer,
    difficulties,
    difficulty_levels,
    difficulty_of,
    word_of,
)
from puzzlebase.service.error_status import InvalidRequest
from tests.http.asking import assert_problem, get

AVENGER = {
    "first": (1, 3),
    "easy": (4, 6),
    "medium": (7, 11),
    "hard": (12, 14),
    "hardest": (15, 15),
}
"""By hand from the published layers: of 52,390,800 states 3,081,800 are nearer than 11, which is
5.9 per cent, and 11,713,462 nearer than 12, which is 22.4.
"""

layers_of = st.lists(st.integers(1, 10**6), max_size=60).map(lambda farther: [1, *farther])


def ranges(listed: list[DifficultyAnswer]) -> dict[str, tuple[int, int]]:
    return {each["name"]: (each["min"], each["max"]) for each in listed}


def test_the_ladder_of_avenger(golden: dict[str, Any]) -> None:
    layers = golden["avenger"]["layers"]
    assert ranges(difficulties(layers)) == AVENGER
    assert ranges(difficulty_levels(layers)) == {
        str(distance): (distance, distance) for distance in range(1, 16)
    }
    shares = {each["max"]: each["percentile"] for each in difficulties(layers)}
    assert shares == {
        most: 100 * sum(layers[: most + 1]) / 52_390_800 for most in (3, 6, 11, 14, 15)
    }


@given(layers=layers_of)
def test_words_and_levels_share_the_distances_out(layers: list[int]) -> None:
    farthest = len(layers) - 1
    for listed in (difficulties(layers), difficulty_levels(layers)):
        distances = [
            distance for each in listed for distance in range(each["min"], each["max"] + 1)
        ]
        assert distances == [*range(1, farthest + 1)]
        assert all(
            each["percentile"] == 100 * sum(layers[: each["max"] + 1]) / sum(layers)
            for each in listed
        )
    numbered = difficulty_levels(layers)
    assert [each["name"] for each in numbered] == [
        str(number) for number in range(1, len(numbered) + 1)
    ]
    assert min(farthest, 5) <= len(numbered) <= 15
    sizes = {each["max"] - each["min"] for each in numbered[6:-1]} or {0}
    assert max(sizes) - min(sizes) <= 1
    if farthest:
        assert numbered[-1]["min"] == numbered[-1]["max"] == farthest


def test_without_a_table(client: FlaskClient) -> None:
    assert (difficulties(()), difficulty_levels(()), word_of(3, ())) == ([], [], None)
    about = get(client, "/v1/puzzles/sliding-2x2")
    assert (about["difficulties"], about["levels"]) == ([], [])
    assert get(client, "/v1/puzzles/sliding-2x2/random", seed="1")["difficulty"] is None


@pytest.mark.parametrize("name", ["first", "medium", "9"])
def test_random_states_of_a_difficulty(client: FlaskClient, name: str) -> None:
    first, last = AVENGER.get(name) or (int(name), int(name))
    drawn = get(client, "/v1/puzzles/avenger/random", difficulty=name, seed="1")
    assert first <= drawn["distance"] <= last
    assert drawn == get(client, "/v1/puzzles/avenger/random", difficulty=name, seed="1")
    assert drawn == get(
        client, "/v1/puzzles/avenger/random", distance=str(drawn["distance"]), seed="1"
    )
    word = next(
        word for word, (first, last) in AVENGER.items() if first <= drawn["distance"] <= last
    )
    assert drawn["difficulty"] == word


def test_each_distance_of_a_difficulty_is_as_likely(client: FlaskClient) -> None:
    """Of states drawn uniformly from 7 to 11 moves hardly one in
    a thousand would be 7 moves away.
    """
    counts = Counter(
        get(client, "/v1/puzzles/avenger/random", difficulty="medium", seed=f"{seed}")["distance"]
        for seed in range(300)
    )
    assert sorted(counts) == [7, 8, 9, 10, 11]
    # 60 each, and four times the deviation of 6.9
    assert all(35 < count < 90 for count in counts.values())


@pytest.mark.parametrize("name", ["harder", "0", "16", "04", "9" * 100])
def test_what_is_no_difficulty(client: FlaskClient, name: str) -> None:
    response: Any = client.get("/v1/puzzles/avenger/random", query_string={"difficulty": name})
    assert_problem(response, 400, "invalid-parameter")
    assert response.json["detail"].startswith(f"no difficulty is '{name[:30]}")
    remedy = (
        "give one of first, easy, medium, hard, hardest, or a level from 1 to 15, which is "
        "distance 15"
    )
    assert response.json["hint"] == remedy
    with pytest.raises(InvalidRequest, match="no difficulty is"):
        difficulty_of(name, [1, 2, 3])


def test_a_difficulty_goes_with_nothing_else_and_needs_a_table(client: FlaskClient) -> None:
    assert_problem(
        client.get("/v1/puzzles/avenger/random?difficulty=easy&percentile=3"),
        400,
        "invalid-parameter",
    )
    assert_problem(
        client.get(f"/v1/puzzles/avenger/random?difficulty={'9' * 201}"), 400, "invalid-parameter"
    )
    assert_problem(
        client.get("/v1/puzzles/sliding-2x2/random?difficulty=easy"), 409, "missing-table"
    )


def test_today_is_a_day_that_callers_do_not_keep(client: FlaskClient) -> None:
    for _ in range(2):  # the day may end between two requests
        before = datetime.now(UTC).date()
        today = client.get("/v1/puzzles/avenger/random?daily=today&difficulty=medium")
        if before == datetime.now(UTC).date():
            break
    assert today.headers["Cache-Control"] == "no-store"
    dated = client.get(f"/v1/puzzles/avenger/random?daily={before}&difficulty=medium")
    assert "max-age" in dated.headers["Cache-Control"]
    assert today.json == dated.json

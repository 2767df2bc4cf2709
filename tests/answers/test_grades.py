"""service/answers/grades.py: games good, bad and wrong,
held against the reference implementation.
"""

from __future__ import annotations

import random

import pytest

from puzzlebase.service.answers import solutions
from puzzlebase.service.answers.grades import grade
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import COMMON, opened, some_states

SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
NEIGHBOURS = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)


def a_game(state: str, known: dict[str, int], chance: random.Random) -> list[str]:
    """A player who plays well mostly, wanders, goes on after solving, and may send nonsense."""
    moves: list[str] = []
    skill = chance.random()
    while chance.random() < 0.93:
        best = [move for move, after in NEIGHBOURS(state) if known[after] == known[state] - 1]
        moves.append(chance.choice(best if best and chance.random() < skill else naive.FULL_TURNS))
        state = naive.turn(state, moves[-1])
        if not known[state] and chance.random() < 0.8:
            break
    if chance.random() < 0.15:
        moves.insert(chance.randint(0, len(moves)), chance.choice(["", "L4", "x", "R''"]))
    return moves


@pytest.mark.slow
def test_random_games_agree_with_the_reference(tables: Sources, known: dict[str, int]) -> None:
    novice = opened(tables, "novice")
    chance = random.Random(12)
    seen = set()
    for start in [SOLVED, *some_states(tables, "novice", 300)]:
        moves = a_game(start, known, chance)
        answer = grade(novice, start, moves=moves)
        expected = naive.grade(start, moves, known, naive.FULL_TURNS)
        last = expected.pop("last")
        illegal = expected.pop("illegal")
        assert {name: answer[name] for name in expected} == expected  # type: ignore[literal-required]
        assert (answer["illegal"] and answer["illegal"]["step"]) == illegal
        seen.add((answer["legal"], answer["solved"], answer["stars"]))
        state = start
        for step, move in zip(answer["steps"], moves, strict=False):
            delta = known[naive.turn(state, move)] - known[state]
            state = naive.turn(state, move)
            assert step == {
                "move": move,
                "state": state,
                "distance": known[state],
                "delta": delta,
                "optimal": delta == -1,
            }
        assert state == last
    assert {(True, True, stars) for stars in (1, 2, 3)} | {
        (False, False, 0),
        (True, False, 0),
    } <= seen


def test_a_game_of_states_is_worth_the_same(tables: Sources, known: dict[str, int]) -> None:
    novice = opened(tables, "novice")
    chance = random.Random(5)
    for start in some_states(tables, "novice", 100):
        moves = [move for move in a_game(start, known, chance) if move in naive.FULL_TURNS]
        passed = [naive.play(start, moves[:count]) for count in range(len(moves) + 1)]
        by_moves, by_states = grade(novice, start, moves=moves), grade(novice, start, states=passed)
        assert grade(novice, start, states=passed[1:]) == by_states or passed[1:2] == [start]
        for name in ("legal", "solved", "length", "wasted", "stars"):
            assert by_states[name] == by_moves[name]
        assert [step["state"] for step in by_states["steps"]] == [
            step["state"] for step in by_moves["steps"]
        ]


def test_states_that_skip_a_move(tables: Sources) -> None:
    novice = opened(tables, "novice")
    start = naive.play(SOLVED, "R L R")
    first, second = naive.turn(start, "R'"), naive.play(start, "R' L'")
    answer = grade(novice, start, states=[second, SOLVED])
    assert (answer["legal"], answer["length"], answer["stars"], answer["solved"]) == (
        False,
        0,
        0,
        False,
    )
    assert answer["illegal"] is not None
    assert (answer["illegal"]["step"], answer["illegal"]["played"]) == (1, second)
    answer = grade(novice, start, states=[first, SOLVED])
    assert (answer["legal"], answer["length"], answer["illegal"] and answer["illegal"]["step"]) == (
        False,
        1,
        2,
    )
    assert grade(novice, start, states=[first, second, SOLVED])["stars"] == 3


def test_nothing_played(tables: Sources) -> None:
    novice = opened(tables, "novice")
    games: list[dict[str, list[str]]] = [{"moves": []}, {"states": []}, {"states": [SOLVED]}]
    for game in games:
        answer = grade(novice, SOLVED, moves=game.get("moves"), states=game.get("states"))
        assert set(answer) - COMMON == {
            "legal", "illegal", "solved", "length", "optimal_length", "wasted", "against_bound",
            "stars", "steps",
                "first_mistake",
        }  # fmt: skip
        assert (answer["solved"], answer["stars"], answer["steps"], answer["first_mistake"]) == (
            True,
            3,
            [],
            None,
        )
    answer = grade(novice, naive.turn(SOLVED, "R"), moves=[])
    assert (answer["legal"], answer["solved"], answer["stars"], answer["wasted"]) == (
        True,
        False,
        0,
        0,
    )


def test_the_next_state_in_other_letters_is_not_a_move_away(tables: Sources) -> None:
    avenger, start = opened(tables, "avenger"), ".C.E.DAB.BDAEA.ECDBC."
    passed = solutions.solve(avenger, start, states=True)["states"]
    assert grade(avenger, start, states=passed)["solved"]
    renamed = passed[1].translate(str.maketrans("AB", "BA"))
    assert avenger.index(renamed) == avenger.index(passed[1])
    assert grade(avenger, start, states=[renamed])["illegal"]


@pytest.mark.parametrize(
    ("wasted", "thresholds", "stars"),
    [
        (0, [0, 4, None], 3),
        (6, [0, 4, None], 1),
        (2, [1], 0),
        (2, [0, 0, 0, 3, 5, 9], 3),
        (0, [0, 1, 2, 3, 4], 5),
    ],
)
def test_hints_that_show_a_move_cost_the_third_star(
    tables: Sources, wasted: int, thresholds: list[int | None], stars: int
) -> None:
    """Hints of the levels 3 and 4 show one. The caller sets what a star is worth."""
    moves = [*(["L", "L'"] * (wasted // 2)), "L'", "R'"]
    for shown in ([], [1, 2], [3], [4, 1]):
        graded = grade(
            opened(tables, "novice"),
            naive.play(SOLVED, "R L"),
            moves,
            stars=thresholds,
            hints=shown,
        )
        assert (graded["solved"], graded["wasted"]) == (True, wasted)
        assert graded["stars"] == (min(stars, 2) if {3, 4} & {*shown} else stars)

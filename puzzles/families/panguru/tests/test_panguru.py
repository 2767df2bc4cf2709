"""families/panguru: the rules, the index of rows and columns,
the search, and goals that are arrangements of plates.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache, partial
from math import factorial, prod
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.puzzles import (
    GraphSearch,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Puzzle,
    Shortest,
    Space,
    Spend,
    UnknownGoal,
    find,
)
from puzzlebase.puzzles.families.panguru import panguru_puzzle
from puzzlebase.service.answers import lookups, solutions
from puzzlebase.service.answers.batches import lookup_batch
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.commands import command
from tests.fixtures import build_table, enumerated
from tests.naive import panguru as naive_panguru

PLATES = "WCBRBOGYGPCORPY"
START = "-PCBRYOGYGBCORP"
SOLVED = "-CBRBOGYGPCORPY"
RENAMED = "WXADAEFGFHXEDHG"
"""The default plates with other letters."""
OTHER = "AABBWCCDDEEFFGG"

SMALL = "WRYBRYBRYB"
SMALL_OTHER = "AABCWBCABC"


@pytest.fixture(scope="module")
def neighbours() -> naive.Neighbours:
    """The reference implementation's neighbours, each found once."""
    return cache(lambda state: [*naive_panguru.neighbours(state)])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small triangle's tables:
    of the default goal, and of another one by its key.
    """
    folder = tmp_path_factory.mktemp("panguru")
    puzzle = find("panguru-4")
    for goal in (None, puzzle.goal(SMALL_OTHER).key):
        build_table(folder, puzzle.name, goal)
    return folder


def shuffled(text: str, seed: int) -> str:
    letters = list(text)
    random.Random(seed).shuffle(letters)
    return "".join(letters)


# The rules.


@pytest.mark.parametrize(
    ("state", "error", "why"),
    [
        ("", InvalidState, "0 characters, not 15"),
        ("P" * 100_000, InvalidState, "100000 characters"),
        (PLATES, InvalidState, "'W', which is no colour and no hole"),
        (START.replace("PC", "--"), ImpossibleState, "3 holes"),
        (START.replace("Y", "P"), ImpossibleState, "'P' 4 times, not 2 times"),
    ],
)
def test_what_is_no_state_is_refused_with_the_reason(
    state: str, error: type[Exception], why: str
) -> None:
    puzzle = find("panguru")
    with pytest.raises(error, match=re.escape(why)) as caught:
        puzzle.parse(state)
    assert START in caught.value.hint  # type: ignore[attr-defined]
    assert len(str(caught.value)) < 200


def test_what_is_no_move_is_refused() -> None:
    for move in ("15", "-1", "3-5"):
        with pytest.raises(IllegalMove, match="no move"):
            find("panguru").play(START, move)


# The index.


@pytest.mark.parametrize("plates", [PLATES, RENAMED, OTHER])
def test_long_walks_agree_with_the_reference(plates: str) -> None:
    """Both sides agree on every move of every state passed."""
    puzzle = find("panguru")
    goal = puzzle.goal(plates)
    space = puzzle.space(goal)
    walk = random.Random(plates)
    state = goal.start
    for _ in range(200):
        legal = dict(naive_panguru.neighbours(state))
        successors = space.expand(np.array([puzzle.index(state, goal)]))[0].tolist()
        for place, successor in enumerate(successors):
            after = legal.get(str(place))
            if after is None:
                assert successor == -1
            else:
                assert puzzle.play(state, str(place)) == after
                assert puzzle.index(after, goal) == successor
                matching = [sum(map(str.__eq__, text, plates)) for text in (state, after)]
                assert abs(matching[0] - matching[1]) <= 1
        state = walk.choice(sorted(legal.values()))


@pytest.mark.parametrize("plates", [SMALL, SMALL_OTHER])
def test_all_of_the_small_triangle_agrees_with_the_reference(
    plates: str, neighbours: naive.Neighbours
) -> None:
    """All states, all moves in both forms, and all distances agree."""
    puzzle = find("panguru-4")
    goal = puzzle.goal(plates)
    space = puzzle.space(goal)
    every = np.arange(space.size)
    texts = [board.tobytes().decode("ascii") for board in space.unrank(every)]
    index = {text: number for number, text in enumerate(texts)}
    expected = naive.distances(goal.states[0], neighbours)
    assert set(expected) == set(index)
    assert space.size == factorial(10) // 6**3 == 16_800
    successors = space.expand(every)
    for text, row in zip(texts, successors.tolist(), strict=True):
        moved = {str(place): to for place, to in enumerate(row) if to >= 0}
        assert moved == {name: index[after] for name, after in neighbours(text)}
    assert space.product is not None
    assert np.array_equal(space.product().expand(every), successors)
    assert enumerated(space).tolist() == [expected[text] for text in texts]


# Goals.


def test_any_plates_are_a_goal() -> None:
    puzzle = find("panguru")
    default, goal = puzzle.goal(), puzzle.goal(OTHER)
    assert (default.name, default.states, default.start) == (PLATES, (SOLVED,), START)
    assert (goal.name, goal.states) == (OTHER, ("AABB-CCDDEEFFGG",))
    assert re.fullmatch("panguru@[a-gw]{15}", puzzle.table_name(goal))
    assert puzzle.table_name(puzzle.goal(RENAMED)) == "panguru"
    for each in (default, goal):
        assert (
            puzzle.goal(each.name) == puzzle.goal(each.states[0]) == puzzle.goal(each.key) == each
        )


def test_keys_differ_where_layouts_do() -> None:
    puzzle = find("panguru-4")
    layouts = [shuffled(SMALL, seed) for seed in range(2000)]
    keys: dict[str, str] = {}
    for plates in layouts:
        goal = puzzle.goal(plates)
        assert keys.setdefault(
            goal.key, naive_panguru.canonical(plates)
        ) == naive_panguru.canonical(plates)
        assert goal.key == goal.key.lower()
        assert puzzle.goal(goal.key).key == goal.key
        assert goal.start not in goal.states
    assert len(keys) == len({naive_panguru.canonical(plates) for plates in layouts})


@pytest.mark.parametrize(
    ("goal", "error"),
    [
        ("no such goal", UnknownGoal),
        ("wbacadefdgbecgf", UnknownGoal),
        ("W" * 100_000, InvalidState),
        (PLATES.lower(), InvalidState),
        ("WWBRBOGYGPCORPY", ImpossibleState),
        ("waaaaaaaaaaaaaa", ImpossibleState),
    ],
)
def test_what_is_no_goal(goal: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        find("panguru").goal(goal)
    assert len(str(caught.value)) < 200
    assert PLATES in str(caught.value) + caught.value.hint  # type: ignore[attr-defined]


# The search.


def unlimited(_visited: int, _bound: int) -> bool:
    return True


def shortest(puzzle: Puzzle, space: Space, index: int, spend: Spend = unlimited) -> Shortest:
    engine = puzzle.engine(GraphSearch)
    assert engine
    assert engine.shortest
    return engine.shortest(space, index, spend)


@pytest.mark.parametrize("plates", [PLATES, OTHER, "ABCDEFGWABCDEFG"])
def test_shortest_ways_agree_with_a_search_from_both_ends(plates: str) -> None:
    """States on shortest solutions are those of the reference implementation,
    for the ends of random walks.
    """
    puzzle = find("panguru")
    goal = puzzle.goal(plates)
    space = puzzle.space(goal)
    walk = random.Random(plates)
    reached = set()
    for length in (1, 3, 6, 9, 11, 12, 12, 12):
        state = goal.states[0]
        for _ in range(length):
            state = walk.choice([after for _, after in naive_panguru.neighbours(state)])
        expected = naive_panguru.levels(state, goal.states[0])
        found = shortest(puzzle, space, puzzle.index(state, goal))
        assert found.distance == len(expected) - 1 <= length
        assert [{puzzle.text(index, goal) for index in level} for level in found.levels] == expected
        reached.add(found.distance)
    assert max(reached) >= 8


def test_a_search_that_must_stop_has_a_lower_bound() -> None:
    """A search without a budget knows the bound of its first state."""
    puzzle = find("panguru")
    space = puzzle.space(puzzle.goal())
    index = puzzle.index(START, puzzle.goal())
    distance = shortest(puzzle, space, index).distance
    stopped = shortest(puzzle, space, index, lambda _visited, _bound: False)
    assert (stopped.distance, stopped.levels) == (None, ())
    assert distance is not None
    assert 0 < stopped.lower_bound <= distance


# Answers.


@pytest.mark.parametrize(
    ("goal", "names"),
    [(SMALL, "RYB"), ("WXYZXYZXYZ", "XYZ"), (SMALL_OTHER, "ABC"), ("QQPRWPRQPR", "QPR")],
)
def test_answers_are_in_the_goals_own_letters(
    goal: str, names: str, tables: Sources, neighbours: naive.Neighbours
) -> None:
    """Two tables answer for the default goal, for another, and for both with other letters."""
    opened = tables.table("panguru-4", goal)
    solved = goal.replace("W", "-")
    known = naive.distances(solved, neighbours)
    for seed in range(40):
        state = shuffled(solved, seed)
        answer = lookups.lookup(opened, state)
        assert (answer["goal"], answer["distance"]) == (goal, known[state])
        moves = {move["move"]: (move["state"], move["distance"]) for move in answer["moves"]}
        assert moves == {move: (after, known[after]) for move, after in neighbours(state)}
        assert set(answer["state"]) == {*names, "-"}
        assert [lookup_batch(opened, [state], moves=True)["results"][0]] == [answer]
        assert solutions.solve(opened, state)["solution"] in naive.shortest(
            state, known, neighbours
        )


def test_pebbles_that_the_goal_has_no_plates_for_cannot_be_solved(tables: Sources) -> None:
    opened = tables.table("panguru-4")
    answer = lookups.lookup(opened, "-XXYXRYYRR")
    assert answer["solvable"] is False
    assert answer["distance"] is None
    assert {move["move"]: move["state"] for move in answer["moves"]} == dict(
        naive_panguru.neighbours("-XXYXRYYRR")
    )


def distances_without_the_centre_line(solved: str) -> dict[str, int]:
    """The distance of every state, by the reference implementation."""
    return naive.distances(solved, partial(naive_panguru.neighbours, centre=False))


def test_an_example_with_lines_and_colours_of_its_own() -> None:
    """examples/leaping.py: three, two and one pebble of a colour, no centre line."""
    rules = ["--rules", str(Path(__file__).parents[4] / "examples" / "leaping.py")]
    known = distances_without_the_centre_line("-AAABBCDDD")
    for state in ("-DBAACDADB", *random.Random(1).sample(sorted(known), 3)):
        answer = json.loads(command(None, *rules, "solve", "leaping", state, "--json").stdout)
        assert answer["distance"] == known[state]


@pytest.mark.slow
@pytest.mark.parametrize("counts", ["63", "432", "6111", "9"])
def test_any_numbers_of_pebbles(counts: str) -> None:
    """All distances by the table, and by the search,
    whatever the order of the colours in the plates.
    """
    puzzle = find(f"panguru-4-{counts}-plain")
    plates = shuffled(puzzle.goal().name, 3)
    goal = puzzle.goal(plates)
    space = puzzle.space(goal)
    known = distances_without_the_centre_line(plates.replace("W", "-"))
    assert space.size == len(known) == factorial(9) * 10 // prod(map(factorial, map(int, counts)))
    states = [*known]
    boards = np.array([puzzle.parse(state) for state in states])
    indices = space.rank(boards)
    assert np.array_equal(space.unrank(indices), boards)
    assert enumerated(space)[indices].tolist() == [*known.values()]
    for at in random.Random(2).sample(range(len(states)), min(len(states), 30)):
        assert shortest(puzzle, space, int(indices[at])).distance == known[states[at]]


def test_more_colours_than_words_have_bits_for_are_searched_from_both_ends() -> None:
    puzzle = find("panguru-4-111111111")
    assert puzzle.engines[-1] == GraphSearch()
    state = puzzle.goal().states[0]
    for move in ("2", "7", "3", "6", "0"):
        state = puzzle.play(state, move) if move in dict(naive_panguru.neighbours(state)) else state
    assert json.loads(command(None, "solve", puzzle.name, state, "--json").stdout)["exact"]


def test_lines_that_do_not_reach_every_arrangement() -> None:
    """A ring, and a star, whose middle parts them:
    a state that no path leads to, and the search that ends.
    """
    ring = [[place, (place + 1) % 6] for place in range(6)]
    for lines in (ring, [[0, place] for place in range(1, 6)]):
        puzzle = panguru_puzzle("own", "WABCDE", "-ABCED", lines)
        goal = puzzle.goals[0]
        space = puzzle.space(goal)
        assert not space.connected
        distances = enumerated(space)
        reached = {puzzle.text(int(index), goal) for index in np.flatnonzero(distances >= 0)}

        def moved(state: str, lines: list[list[int]] = lines) -> Iterator[tuple[str, str]]:
            hole = state.index("-")
            for place in {place for line in lines if hole in line for place in line} - {hole}:
                after = [*state]
                after[hole], after[place] = after[place], "-"
                yield "", "".join(after)

        assert reached == {*naive.distances("-ABCDE", moved)}
        assert goal.start not in reached
    with pytest.raises(ImpossibleState, match="'A' 2 times"):
        panguru_puzzle("own", "WABCDE", "-AACED", ring)

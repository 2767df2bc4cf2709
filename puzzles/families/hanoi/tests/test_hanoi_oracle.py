"""The oracle of Hanoi: distances,
optimal moves and solutions against a reference implementation and tables.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from puzzlebase.puzzles import UNREACHED, NoSpace, find
from puzzlebase.puzzles.families.hanoi.index import draw
from puzzlebase.puzzles.families.hanoi.rules import HanoiRules
from tests.matrix import one_in
from tests.naive import hanoi as naive_hanoi

from .hanoi_states import (
    VARIANTS,
    distances_to,
    every_state,
    first_solution,
    name,
    played,
    solver,
)

TOTAL = 1_040_510_248_573_488_632_353_366_026_802
"""Moves of 64 disks on neutral posts: the published recurrences."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_any_state_to_any_state(variant: str) -> None:
    """Distances are those of the reference implementation's search, with states out of reach."""
    chosen = random.Random(variant)
    for n in (1, 2, 3, 4):
        states = every_state(variant, n)
        for goal in chosen.sample(states, min(len(states), 3 if n < 4 else 1)):
            known, asked = distances_to(variant, goal), solver(variant, n, goal)
            some = chosen.sample(states, min(len(states), 60))
            assert asked.distances(some) == [known.get(each, UNREACHED) for each in some]


@pytest.mark.parametrize("variant", VARIANTS)
def test_solutions_take_the_first_optimal_move_and_begin_anywhere(variant: str) -> None:
    chosen = random.Random(variant)
    for n in (1, 3, 4):
        states = every_state(variant, n)
        goal = chosen.choice(states)
        known, asked = distances_to(variant, goal), solver(variant, n, goal)
        for begin in chosen.sample(states, min(len(states), 12)):
            if begin not in known:
                assert list(asked.line(begin)) == []
                assert asked.state_at(begin, 3) == begin
                continue
            moves = first_solution(variant, begin, known)
            assert list(asked.line(begin)) == moves
            behind = [state for _, state in naive_hanoi.neighbours(variant)(begin)]
            assert asked.distances(behind) == [known[state] for state in behind]
            for offset in {0, len(moves) // 2, len(moves), len(moves) + 2}:
                assert list(asked.line(begin, offset)) == moves[offset:]
                assert asked.state_at(begin, offset) == played(variant, begin, moves[:offset])


def test_sixty_four_disks() -> None:
    puzzle, asked = find("hanoi-nnn-64"), solver("NNN", 64)
    start, [solved] = puzzle.goal().start, puzzle.goal().states
    assert asked.distances([start])[0] == TOTAL
    nearer = [
        move
        for move, state in naive_hanoi.neighbours("NNN")(start)
        if asked.distances([state])[0] == TOTAL - 1
    ]
    assert nearer == ["SI", "SD"]
    assert (asked.distances([solved])[0], asked.state_at(start, TOTAL)) == (0, solved)
    for offset in (0, 10**29, TOTAL // 2, TOTAL - 40):
        moves = list(islice(asked.line(start, offset), 40))
        passed = [asked.state_at(start, offset)]
        for move in moves:
            passed.append(played("NNN", passed[-1], [move]))
        assert asked.distances(passed) == [TOTAL - offset - made for made in range(41)]
        assert asked.state_at(start, offset + 40) == passed[-1]
    assert passed[-1] == solved
    with pytest.raises(NoSpace):
        puzzle.space(puzzle.goal())


@pytest.mark.parametrize("variant", ["NNN", "RBN", "NBR", "RRB"])
def test_large_states_are_as_far_there_as_back(variant: str) -> None:
    """Every move changes the distance by one at most, and one of them leads nearer."""
    chosen = random.Random(variant)
    for n in (17, 40, 64):
        goal = find(name(variant, n)).goal()
        one, other = (draw(HanoiRules(variant, n), goal, chosen.randrange) for _ in range(2))
        there = solver(variant, n, one).distances([other])[0]
        assert there == solver(variant, n, other).distances([one])[0]
        asked, neighbours = solver(variant, n, one), naive_hanoi.neighbours(variant)(other)
        after = {move: asked.distances([state])[0] for move, state in neighbours}
        assert all(abs(distance - there) <= 1 for distance in after.values())
        assert there <= 0 or any(distance == there - 1 for distance in after.values())


def test_states_that_cannot_move() -> None:
    frozen = "R3|R2|R1"
    assert solver("NNN", 3, frozen).distances([frozen])[0] == 0
    assert solver("NNN", 3, frozen).distances(["R3.2.1||"])[0] == UNREACHED
    assert solver("NNN", 3).distances([frozen])[0] == UNREACHED


@pytest.mark.parametrize("variant", one_in(4, VARIANTS))
def test_random_states_are_all_that_can_move_alike(variant: str) -> None:
    """Each is drawn as often as the others, within six standard errors;
    without any of them the goal is drawn.
    """
    puzzle, chosen = find(name(variant, 2)), random.Random(variant)
    can_move = [
        state for state in every_state(variant, 2) if list(naive_hanoi.neighbours(variant)(state))
    ]
    drawn = Counter(
        draw(HanoiRules(variant, 2), puzzle.goal(), chosen.randrange)
        for _ in range(100 * len(can_move))
    )
    assert {*drawn} == {*can_move}
    assert all(abs(times - 100) < 60 for times in drawn.values())
    assert (
        can_move
        or draw(HanoiRules(variant, 2), puzzle.goal(), chosen.randrange) == puzzle.goal().states[0]
    )

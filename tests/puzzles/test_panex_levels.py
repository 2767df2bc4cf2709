"""puzzles/_panex_*.py: Panex by levels, against whole tables, searches of its own kind, and what is published."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import islice
from string import ascii_lowercase
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from db import compress
from puzzles import UNREACHED, Goal, ImpossibleState, InvalidState, Solver, find
from puzzles.panex import checker as _panex_checker
from puzzles.panex import words
from puzzles.panex.certificate import certificate
from puzzles.panex.diagrams import NONE, NOTHING, ZERO, diagrams, join, merge, settle
from puzzles.panex.distances import Values
from puzzles.panex.levels import blobs, from_blobs, lengths
from puzzles.panex.oracle import PanexSolver
from puzzles.panex.solutions import Ways
from tests import naive
from tests.naive import panex as naive_panex

TEN = "abcdefghij||ABCDEFGHIJ"
IN_THE_WAY = {2: "|Aab|B", 3: "B|bac|AC", 4: "b|acBd|ADC"}
"""States with a tile in the centre's layer 0."""


@cache
def stored(n: int) -> dict[str, bytes]:
    oracle = find(f"panex-{n}").oracle
    assert oracle
    return oracle.make()


def solver(n: int, goal: str | None = None) -> Solver:
    """Answers about a goal by name, or about being in any legal state."""
    puzzle = find(f"panex-{n}")
    assert puzzle.oracle
    made = Goal(goal, (goal,), puzzle.goals[0].start) if goal and "|" in goal else puzzle.goal(goal)
    return puzzle.oracle.load(stored(n), made)


def wander(n: int, steps: int, seed: int) -> str:
    """A state some random moves from the start."""
    walk = random.Random(seed)
    state = find(f"panex-{n}").goals[0].start
    for _ in range(steps):
        state = walk.choice(list(naive_panex.neighbours(state)))[1]
    return state


# The derivation.


@cache
def derived() -> words.Levels:
    return words.derive()


def test_words_types_and_partial_states_are_as_many_as_known() -> None:
    levels = derived()
    assert len(levels.words) == 48
    assert len(levels.types) == 330
    assert Counter(start for start, _, _ in levels.types) == {0: 26, 1: 76, 2: 76, 3: 76, 4: 76}
    by_length = Counter(len(levels.words[word]) for _, _, word in levels.types)
    assert by_length == {0: 25, 2: 48, 4: 89, 6: 72, 8: 64, 10: 16, 12: 16}
    assert levels.partials == 1172
    assert len(levels.steps) == len(set(levels.steps)) == 11_185
    assert len({(step.source, step.target) for step in levels.steps}) == 10_745


def test_words_leave_out_what_is_of_no_use() -> None:
    known = words.Words()

    def word(letters: str) -> int:
        """Letters as 1^1 for lifting tile 1 from the centre, 1v0 for dropping it on the left."""
        found = 0
        for letter in letters.split():
            drop = words.DROP if letter[1] == "v" else 0
            found = known.then(found, drop + 3 * int(letter[0]) + int(letter[2]))
            if found < 0:
                return found
        return found

    longest = "0^0 1^1 0v1 1v1 1^1 0^1 1v1 0v1 0^1 1^1 0v1 1v0"
    assert known.piles[word(longest)] == ((1,), (0, 2), (3,))
    assert word("1^1 1v1") == -1
    assert word("1^1 2^1 2v1") == -1
    assert word("1^1 1v0 1^0 1v1") == -1
    assert word("0^0 1^1 0v1 0^1 1v1") == word("0^0")


@pytest.mark.parametrize("shape", range(5))
def test_pieces_of_level_two_do_what_they_say(shape: int) -> None:
    """Played with the rules' twin, on a board where three more tiles of each tower stand below."""
    start = ("ab|x|AB", "|ab|AB", "|b|aAB", "ab|AB|", "aAb|B|")[shape]
    under = ("c", "Cd", "D")
    for piece in derived().pieces:
        if piece.start != shape or piece.word:
            continue
        tracks = [track.replace("x", "") + more for track, more in zip(start.split("|"), under, strict=True)]
        state = "|".join(tracks)
        for move in piece.moves:
            state = dict(naive_panex.neighbours(state))[words.MOVES[move]]
        left, centre, right = state.split("|")
        assert (left[-1:], centre[-2:], right[-1:]) == under


# Functions of bits.


class Plain:
    """A function of k bits as a list, None where it has no value: the slow twin of a diagram."""

    def __init__(self, values: list[int | None]) -> None:
        self.values = values

    @classmethod
    def drawn(cls, k: int, draw: random.Random) -> Plain:
        """Any function."""
        return cls([draw.choice([None, *range(6)]) for _ in range(1 << k)])

    def built(self, made: Any) -> tuple[int, int]:
        """Its node and offset."""
        parts = [(NOTHING, 0) if value is None else (ZERO, value) for value in self.values]
        while len(parts) > 1:
            half = len(parts) // 2
            # Bit 1 is the lowest: neighbours in the list differ in it.
            parts = [join(*parts[2 * at], *parts[2 * at + 1], *made) for at in range(half)]
        node, offset = parts[0]
        return int(node), int(offset)

    def convolved(self, other: Plain) -> Plain:
        """One way after another, whatever bits each flips."""
        every = range(len(self.values))
        sums = [[(self.values[u], other.values[v ^ u]) for u in every] for v in every]
        ways = [[a + b for a, b in some if a is not None and b is not None] for some in sums]
        return Plain([min(some) if some else None for some in ways])

    def merged(self, other: Plain) -> Plain:
        """The lesser, value by value."""
        pairs = zip(self.values, other.values, strict=True)
        present = [[value for value in pair if value is not None] for pair in pairs]
        return Plain([min(some) if some else None for some in present])


@pytest.mark.parametrize("k", range(1, 6))
def test_diagrams_are_functions(k: int) -> None:
    """Equal functions are one node, however they came about."""
    made = diagrams(1 << 14, 1 << 12)
    draw = random.Random(k)
    for _ in range(200):
        one, two = Plain.drawn(k, draw), Plain.drawn(k, draw)
        a, b = one.built(made), two.built(made)
        assert tuple(map(int, merge(*a, *b, *made))) == one.merged(two).built(made)
        label, cost = np.array([a[0], NOTHING]), np.array([a[1], 0])
        begin, target = np.array([0, 1, 1], np.int32), np.array([1], np.int32)
        settle(begin, target, np.array([b[0]]), np.array([b[1]]), np.zeros(2, np.bool_), label, cost, *made)
        assert (int(label[1]), int(cost[1])) == one.convolved(two).built(made)
        values = [value for value in one.values if value is not None]
        whole = len(values) == len(one.values)
        assert made.nodes[a[0], -1] == (max(values) - min(values) if whole else NONE)
    assert not made.full


# Data.


def test_the_data_are_kilobytes_and_always_the_same() -> None:
    made = stored(26)
    assert sum(len(compress(blob)) for blob in made.values()) < 60_000
    assert made == blobs(lengths(26))
    again = from_blobs(made)
    for name, value in vars(lengths(26)).items():
        assert np.array_equal(getattr(again, name), value), name
    assert again.n == 26


def test_every_panex_has_an_oracle() -> None:
    assert all(find(f"panex-{n}").oracle for n in range(1, 27))
    assert find("novice").oracle is None


# Distances.


def test_published_distances(golden: dict[str, Any]) -> None:
    known = golden["panex"]
    lists = {
        "exchange": known["X"],
        "centre": known["T"],
        "centre-corner": known["T_bar"],
        "sink": [None, *known["S_n2_to_10"]],
        "sink-corner": [None, *known["S_bar_n2_to_10"]],
    }
    for n in range(1, 16):
        for goal in find(f"panex-{n}").goals:
            if n <= len(lists[goal.name]):
                assert solver(n, goal.name).distance(goal.start) == lists[goal.name][n - 1]


def test_the_exchange_takes_what_the_construction_takes(golden: dict[str, Any]) -> None:
    assert [_panex_checker.upper_bound(n) for n in range(5, 11)] == golden["panex"]["U_n5_to_10"]
    for n in range(5, 27):
        puzzle = find(f"panex-{n}")
        assert puzzle.oracle
        asked = puzzle.oracle.load(stored(26), puzzle.goal())
        assert asked.distance(puzzle.goal().start) == _panex_checker.upper_bound(n)


def every_distance(n: int, goal: str) -> tuple[npt.NDArray[np.int32], Callable[[npt.NDArray[np.int64]], list[str]]]:
    """Distances of all reachable states by breadth-first search, and the texts of indices."""
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal())
    found = np.full(space.size, UNREACHED, np.int32)
    layer = np.array([puzzle.index(goal, puzzle.goal())])
    distance = 0
    while len(layer):
        found[layer] = distance
        distance += 1
        after = space.expand(layer).ravel()
        after = np.unique(after[after >= 0])
        layer = after[found[after] == UNREACHED]
    return found, lambda indices: [puzzle.format(board) for board in space.unrank(indices)]


def goals(n: int) -> Iterator[str]:
    """The states of the named goals, two others, and one with a tile in the way."""
    yield from dict.fromkeys(goal.states[0] for goal in find(f"panex-{n}").goals)
    yield wander(n, 50, 1)
    yield wander(n, 1000, 2)
    if n in IN_THE_WAY:
        yield IN_THE_WAY[n]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_state_of_whole_tables(n: int) -> None:
    for goal in ["ABCD||abcd", "abc|d|ABCD", IN_THE_WAY[4]] if n == 4 else goals(n):
        expected, texts = every_distance(n, goal)
        assert (expected != UNREACHED).all()
        assert solver(n, goal).distances(texts(np.arange(len(expected)))) == expected.tolist()


def test_states_of_larger_tables() -> None:
    """Whatever is within four moves of some states; all states are for `make proof`."""
    puzzle = find("panex-5")
    space = puzzle.space(puzzle.goal())
    for goal in ("abcd|e|ABCDE", wander(5, 3000, 3)):
        expected, texts = every_distance(5, goal)
        near = np.random.default_rng(5).integers(0, space.size, 40)
        for _ in range(4):
            near = np.union1d(near, space.expand(near).ravel())
            near = near[near >= 0]
        assert len(near) > 1000
        assert solver(5, goal).distances(texts(near)) == expected[near].tolist()


def legal(n: int) -> Iterator[str]:
    """Every legal state, each twice for n > 1."""

    def put(size: int, tracks: tuple[str, ...]) -> Iterator[str]:
        if size < 0:
            if naive_panex.legal("|".join(tracks)):
                yield "|".join(tracks)
            return
        small = ascii_lowercase[size]
        for once in inserted(tracks, small):
            for twice in inserted(once, small.upper()):
                yield from put(size - 1, twice)

    def inserted(tracks: tuple[str, ...], tile: str) -> Iterator[tuple[str, ...]]:
        for at, track in enumerate(tracks):
            for j in range(len(track) + 1):
                yield (*tracks[:at], track[:j] + tile + track[j:], *tracks[at + 1 :])

    return put(n - 1, ("", "", ""))


@pytest.mark.parametrize(("n", "known"), [(1, 12), (2, 216), (3, 4872)])
def test_what_cannot_be_reached_has_no_distance(n: int, known: int) -> None:
    texts = sorted(set(legal(n)))
    puzzle = find(f"panex-{n}")
    boards = np.array([puzzle.parse(text) for text in texts])
    reached = (puzzle.space(puzzle.goal()).rank(boards) >= 0).tolist()
    assert sum(reached) == known
    for goal in puzzle.goals:
        assert [distance != UNREACHED for distance in solver(n, goal.name).distances(texts)] == reached


def test_between_states_out_of_reach() -> None:
    out = [text for text in sorted(set(legal(3))) if solver_of_three().distance(text) == UNREACHED]
    assert len(out) == 5760 - 4872
    for goal in random.Random(3).sample(out, 10):
        expected = naive.distances(goal, lambda state: list(naive_panex.neighbours(state)))
        texts = [*expected, *out[:100], "abc||ABC"]
        assert solver(3, goal).distances(texts) == [expected.get(text, UNREACHED) for text in texts]


@cache
def solver_of_three() -> Solver:
    return solver(3)


@pytest.mark.parametrize("n", [4, 10, 26])
def test_large_states_out_of_reach(n: int) -> None:
    """The smallest such state, with more below: everything larger lies where it does at the start."""
    more, mores = ascii_lowercase[3:n], ascii_lowercase[3:n].upper()
    out = f"a{more}|Ab|cCB{mores}"
    puzzle = find(f"panex-{n}")
    assert puzzle.parse(out).size == 2 * n + 2
    assert solver(n).distance(out) == UNREACHED
    there = solver(n, out)
    assert there.distance(out) == 0
    assert there.distance(puzzle.goal().start) == UNREACHED
    expected = naive.distances(out, lambda state: list(naive_panex.neighbours(state)))
    assert there.distances(list(expected)) == list(expected.values())


@pytest.mark.parametrize("n", [6, 7, 9, 10, 13])
def test_there_is_as_far_as_back(n: int) -> None:
    """Moves can be undone; the two directions are found in different ways."""
    for seed in range(6):
        one, two = wander(n, 40 * n * (seed + 1), seed), wander(n, 400, -1 - seed)
        assert solver(n, one).distance(two) == solver(n, two).distance(one) > 0


def anywhere(n: int, count: int, seed: int) -> list[str]:
    """States that the start can reach, tiles put down at random, the largest first."""
    draw = random.Random(seed)
    asked = solver(n)
    found: list[str] = []
    while len(found) < count:
        tracks: list[list[str]] = [[], [], []]
        for small in reversed(ascii_lowercase[:n]):
            for tile in draw.sample([small, small.upper()], 2):
                track = draw.choice(tracks)
                track.insert(min(draw.choice((0, 0, 0, 0, 1, 2)), len(track)), tile)
        state = "|".join(map("".join, tracks))
        if naive_panex.legal(state) and asked.distance(state) != UNREACHED:
            found.append(state)
    return found


@pytest.mark.parametrize("n", [8, 10])
def test_distances_differ_by_one_move_at_most(n: int) -> None:
    """And one move comes nearer: of all states this would be a proof."""
    states = anywhere(n, 12, n)
    for goal in (None, "sink", states.pop(), states.pop()):
        asked = solver(n, goal)
        for state in states:
            distance = asked.distance(state)
            after = asked.distances([each for _, each in naive_panex.neighbours(state)])
            assert distance > 1000
            assert min(after) == distance - 1
            assert max(after) <= distance + 1


def test_there_is_as_far_as_back_from_anywhere() -> None:
    one, two, three = anywhere(9, 3, 9)
    assert solver(9, one).distance(two) == solver(9, two).distance(one)
    assert solver(9, one).distance(three) == solver(9, three).distance(one)


# Moves.


def test_optimal_moves_are_those_of_the_table() -> None:
    texts = [find("panex-3").text(index, find("panex-3").goal()) for index in range(0, 4872, 17)]
    for goal in goals(3):
        asked = solver(3, goal)
        for text in texts:
            distance, after = asked.distance(text), dict(naive_panex.neighbours(text))
            nearer = asked.distances(list(after.values()))
            best = [move for move, left in zip(after, nearer, strict=True) if left == distance - 1]
            assert sorted(asked.optimal_moves(text)) == sorted(best)
            assert bool(best) == (text != goal)


def replayed(state: str, moves: list[str]) -> Iterator[str]:
    """The states of a solution, by the rules' twin."""
    for move in moves:
        state = dict(naive_panex.neighbours(state))[move]
        yield state


@pytest.mark.parametrize("n", range(1, 7))
def test_solutions_come_nearer_with_every_move(n: int) -> None:
    for goal in find(f"panex-{n}").goals:
        asked = solver(n, goal.name)
        moves = list(asked.line(goal.start))
        states = list(replayed(goal.start, moves))
        assert states[-1] == goal.states[0]
        distances = asked.distances([goal.start, *states])
        assert distances == list(range(len(moves), -1, -1))


@pytest.mark.parametrize("n", range(2, 8))
def test_solutions_between_any_states(n: int) -> None:
    for seed in range(3):
        start, goal = wander(n, 2000, seed), IN_THE_WAY.get(n, "") if seed == 2 else wander(n, 2000, -1 - seed)
        asked = solver(n, goal or wander(n, 500, 9))
        moves = list(asked.line(start))
        states = [start, *replayed(start, moves)]
        assert asked.distances(states) == list(range(len(moves), -1, -1))


def test_a_solution_from_any_of_its_moves() -> None:
    asked = solver(6)
    moves = list(asked.line("abcdef||ABCDEF"))
    assert len(moves) == 881
    assert moves == list(solver(6).line("abcdef||ABCDEF"))
    assert list(asked.line("abcdef||ABCDEF", -3)) == moves
    for offset in (*range(20), 300, 301, 440, 879, 880, 881, 2000):
        assert list(asked.line("abcdef||ABCDEF", offset)) == moves[offset:]


@pytest.mark.parametrize("n", range(1, 8))
def test_the_state_before_any_move_of_a_solution(n: int) -> None:
    for seed in range(3):
        start = find(f"panex-{n}").goal().start if not seed else wander(n, 2000, seed)
        asked = solver(n, None if seed < 2 else IN_THE_WAY.get(n, wander(n, 700, -seed)))
        states = [start, *replayed(start, list(asked.line(start)))]
        for offset in {*range(0, len(states), len(states) // 60 + 1), len(states) - 1}:
            assert asked.state_at(start, offset) == states[offset]
        assert asked.state_at(start, 2**53) == states[-1]


def test_no_solution_where_there_is_nothing_to_solve() -> None:
    assert list(solver(3).line("ABC||abc")) == []
    assert list(solver(3).line("a|Ab|cCB")) == []
    assert solver(3).state_at("a|Ab|cCB", 5) == "a|Ab|cCB"
    assert solver(3).optimal_moves("a|Ab|cCB") == []


def test_the_whole_solution_of_the_puzzle_people_own() -> None:
    asked = solver(10)
    moves = list(asked.line(TEN))
    assert len(moves) == asked.distance(TEN) == 31_537
    assert next(asked.line(TEN, 20_000)) == moves[20_000]
    puzzle = find("panex-10")
    state = TEN
    for at, move in enumerate(moves):
        state = puzzle.play(state, move)
        if at % 997 == 0:
            assert asked.distance(state) == 31_536 - at
            assert moves[at + 1] in asked.optimal_moves(state)
    assert state == "ABCDEFGHIJ||abcdefghij"


def test_the_middle_of_a_solution_of_many_thousand_million_moves() -> None:
    puzzle = find("panex-26")
    asked = solver(26)
    start = puzzle.goal().start
    assert asked.distance(start) == 42_107_455_985
    some = list(islice(asked.line(start, 20_000_000_000), 500))
    assert some[100:] == list(islice(asked.line(start, 20_000_000_100), 400))
    last = list(asked.line(start, 42_107_455_985 - 300))
    assert len(last) == 300
    state = "".join(puzzle.goal().states)
    for move in reversed(last):
        state = puzzle.play(state, move[::-1])
    assert asked.distance(state) == 300 == asked.distance(asked.state_at(start, 42_107_455_985 - 300))
    assert asked.state_at(start, 42_107_455_985 - 300) == state
    state = asked.state_at(start, 20_000_000_000)
    assert asked.distance(state) == 22_107_455_985
    for move in some:
        state = puzzle.play(state, move)
    assert asked.state_at(start, 20_000_000_500) == state


# The certificate; all of it is for `make proof`.


@cache
def steps_to_five() -> tuple[str, ...]:
    return tuple(certificate(lengths(2), 5))


def test_a_certificate_of_few_steps_proves_those_only() -> None:
    given = steps_to_five()
    checker = _panex_checker.Checker(json.loads(given[0]))
    for line in given[1:]:
        step = checker.read(json.loads(line))
        assert min(step.slacks, default=0) >= 0
    assert step.exchange == 343
    with pytest.raises(_panex_checker.Refused, match="too few"):
        _panex_checker.check(given)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda step: step["steepness"].__setitem__(7, step["steepness"][7] - 1), "improves something"),
        (lambda step: step["ways"][1][700].__setitem__(1, step["ways"][1][700][1] + 1), "improves something|ends"),
        (lambda step: step["lengths"][200].__setitem__(1, step["lengths"][200][1] + 1), "ends"),
        (lambda step: step["improves"][0].pop(), "StopIteration"),
        (lambda step: step["improves"][0].append(0), "no edges"),
        (lambda step: step["improves"][3].reverse(), "other functions"),
        (lambda step: step["triples"][90].__setitem__(3, 5), "that of others"),
    ],
)
def test_a_changed_certificate_is_refused(change: Callable[[Any], None], why: str) -> None:
    given = steps_to_five()[:4]
    step = json.loads(given[-1])
    change(step)
    with pytest.raises((_panex_checker.Refused, RuntimeError), match=why):
        _panex_checker.check([*given[:-1], json.dumps(step)])


@pytest.mark.parametrize(
    ("sequence", "follows", "stays"),
    [
        ([5, 5, 5, 5, 5, 5], True, True),
        ([1, 2, 3, 4, 5, 6], True, True),
        ([9, 8, 7, 6, 5, 4], True, False),
        ([1, 6, 35, 204, 1189, 6930], True, True),
        ([9, 3, 9, 51, 297], True, True),
        ([1, 2, 4, 8, 16, 32], False, True),
    ],
)
def test_what_holds_for_ever(sequence: list[int], follows: bool, stays: bool) -> None:
    assert _panex_checker._follows(sequence) == follows
    assert _panex_checker._stays(sequence) == stays


# Plumbing.


def test_little_room_changes_no_answer() -> None:
    puzzle = find("panex-7")
    texts = [wander(7, 200 * seed, seed) for seed in range(12)]
    boards = np.array([puzzle.parse(text) for text in texts])
    target = np.array([puzzle.parse(puzzle.goal().states[0])])
    roomy, tight = (Values(from_blobs(stored(7)), 7, target, room) for room in (1 << 14, 1 << 4))
    expected = roomy.distances(boards).tolist()
    assert [int(tight.distances(board[None])[0]) for board in boards] == expected
    for board in boards:
        assert np.array_equal(tight.neighbours(board), roomy.neighbours(board))
        one, two = tight.piece(board), roomy.piece(board)
        assert (one and one[:3]) == (two and two[:3])
        if one:
            after = tight.after(board, *one[:3])
            assert np.array_equal(after, one.after)
            assert np.array_equal(after, roomy.after(board, *one[:3]))


def test_little_room_changes_no_solution() -> None:
    made = from_blobs(stored(26))
    by = made.types.tolist().index([0, 3, 0])
    tight, roomy = Ways(made, 1), Ways(made)
    for k in range(3, 27):
        for flips in (0, (1 << k) - 1, 1 << k >> 2):
            assert tight.parts(k, by, flips) == roomy.parts(k, by, flips)
            for part, flipped, _ in roomy.parts(k, by, flips) if k > 3 else ():
                assert tight.parts(k - 1, part, flipped) == roomy.parts(k - 1, part, flipped)
    assert len(tight._functions) < len(roomy._functions)


def test_little_room_changes_no_state_of_a_solution() -> None:
    puzzle = find("panex-12")
    start, target = puzzle.goal().start, puzzle.goal().states
    roomy, tight = (PanexSolver(12, stored(12), target, puzzle.parse, room) for room in (1 << 14, 1 << 6))
    offsets = random.Random(2).sample(range(roomy.distance(start)), 40)
    states = [roomy.state_at(start, offset) for offset in offsets]
    assert [tight.state_at(start, offset) for offset in offsets] == states
    assert tight.distances(states) == [roomy.distance(start) - offset for offset in offsets]


def test_states_that_lie_far_apart_may_be_asked_about_together() -> None:
    asked = solver(26)
    start = find("panex-26").goal().start
    whole = asked.distance(start)
    offsets = random.Random(3).sample(range(whole), 280)
    states = [asked.state_at(start, offset) for offset in offsets]
    assert asked.distances(states) == [whole - offset for offset in offsets]


def test_threads_share_a_solver() -> None:
    asked = solver(8)
    texts = [wander(8, 100 * seed, seed) for seed in range(16)]
    alone = [(asked.distance(text), list(islice(asked.line(text, 50), 200))) for text in texts]
    shared = solver(8)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda text: (shared.distance(text), list(islice(shared.line(text, 50), 200))), texts)
        assert list(together) == alone


def test_what_is_no_state_is_refused_as_ever() -> None:
    asked = solver(3)
    for text, error in (("abc|ABC", InvalidState), ("cba||ABC", ImpossibleState)):
        for ask in (asked.distance, asked.optimal_moves, asked.line, partial(asked.state_at, offset=0)):
            with pytest.raises(error):
                ask(text)
        with pytest.raises(error):
            asked.distances(["abc||ABC", text])
    assert asked.distances([]) == []

"""Questions to the service whose answers a reference implementation knows, and clients that ask them.

A client counts what it compares. It never stops at a fault: a wrong answer, a refusal and a lost connection are noted
with their time, and the test judges them.
"""

from __future__ import annotations

import http.client
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote

from tests import naive

Moves = dict[str, tuple[str, int]]
"""Of one state: the state after each legal move, and its distance."""

PATIENCE = 60.0
"""Seconds that a client waits for an answer."""


class Puzzle(NamedTuple):
    """One puzzle, as the reference knows it.

    `states` are all of its states with their distances, `moves` what the moves of some of them lead to. `may_fail` are
    the statuses that an honest answer may have while harm is done to what the puzzle is answered from.
    """

    name: str
    states: dict[str, int]
    moves: dict[str, Moves]
    may_fail: tuple[int, ...] = ()


class Question(NamedTuple):
    """A request, and a check of the answer that says how many facts were compared; it raises AssertionError."""

    method: str
    path: str
    sent: dict[str, Any] | None
    check: Callable[[Any], int]


class Lost(NamedTuple):
    """A request without an answer: when its connection was made, its local port, when it was lost, and how."""

    connected: float
    port: int
    at: float
    how: str


@dataclass
class Asked:
    """The outcome of one client. `refused` are statuses that are no answer, by puzzle and status."""

    compared: int = 0
    answers: int = 0
    wrong: list[str] = field(default_factory=list)
    refused: Counter[tuple[str, int]] = field(default_factory=Counter)
    lost: list[Lost] = field(default_factory=list)


def known(name: str, distances: dict[str, int], neighbours: naive.Neighbours, games: int, **more: Any) -> Puzzle:
    """A puzzle from the distances of all its states, with the moves of so many of them."""
    some = random.Random(name).sample(sorted(distances), min(games, len(distances)))
    moves = {state: {move: (after, distances[after]) for move, after in neighbours(state)} for state in some}
    return Puzzle(name, distances, moves, **more)


def questions(puzzle: Puzzle, choose: random.Random) -> Iterable[Question]:
    """Questions of every kind without an end, each about other states."""
    path = f"/v1/puzzles/{puzzle.name}"
    states, some = [*puzzle.states], [*puzzle.moves]
    kinds = [_batch] + [_lookup, _hint, _solve] * bool(some) + [_random, _histogram]
    while True:
        yield choose.choice(kinds)(path, puzzle, states, some, choose)


def _lookup(path: str, puzzle: Puzzle, _: list[str], some: list[str], choose: random.Random) -> Question:
    state = choose.choice(some)

    def check(answer: Any) -> int:
        own, moves = puzzle.states[state], puzzle.moves[state]
        assert (answer["distance"], answer["exact"], answer["solvable"]) == (own, True, True)
        assert len(answer["moves"]) == len(moves)
        for each in answer["moves"]:
            after, distance = moves[each["move"]]
            told = (each["state"], each["distance"], each["delta"], each["optimal"])
            assert told == (after, distance, distance - own, distance == own - 1)
        return 1 + len(moves)

    return Question("GET", f"{path}/lookup?state={quote(state)}", None, check)


def _batch(path: str, puzzle: Puzzle, states: list[str], _: list[str], choose: random.Random) -> Question:
    asked = choose.choices(states, k=500)

    def check(answer: Any) -> int:
        told = [each["distance"] for each in answer["results"]]
        assert told == [puzzle.states[state] for state in asked]
        return len(told)

    return Question("POST", f"{path}/lookup", {"states": asked, "moves": False}, check)


def _hint(path: str, puzzle: Puzzle, _: list[str], some: list[str], choose: random.Random) -> Question:
    state = choose.choice(some)

    def check(answer: Any) -> int:
        own, moves = puzzle.states[state], puzzle.moves[state]
        assert answer["distance"] == own
        assert answer["move"] in {move for move, (_, distance) in moves.items() if distance == own - 1} or own == 0
        return 2

    return Question("GET", f"{path}/hint?level=3&state={quote(state)}", None, check)


def _solve(path: str, puzzle: Puzzle, _: list[str], some: list[str], choose: random.Random) -> Question:
    state = choose.choice(some)

    def check(answer: Any) -> int:
        assert len(answer["solution"]) == answer["distance"] == puzzle.states[state]
        passed = answer["states"][1:]  # the first is the state itself
        assert [puzzle.states[after] for after in passed] == [*reversed(range(len(passed)))]
        return 1 + len(passed)

    return Question("GET", f"{path}/solve?states=true&state={quote(state)}", None, check)


def _random(path: str, puzzle: Puzzle, states: list[str], _: list[str], choose: random.Random) -> Question:
    distance = puzzle.states[choose.choice(states)]

    def check(answer: Any) -> int:
        assert puzzle.states[answer["state"]] == answer["distance"] == distance
        return 1

    return Question("GET", f"{path}/random?distance={distance}&seed={choose.randrange(1 << 30)}", None, check)


def _histogram(path: str, puzzle: Puzzle, _: list[str], __: list[str], ___: random.Random) -> Question:
    counts = Counter(puzzle.states.values())
    layers = [counts[distance] for distance in range(max(counts) + 1)]

    def check(answer: Any) -> int:
        assert answer["layers"] == layers
        return len(layers)

    return Question("GET", f"{path}/histogram", None, check)


def ask(host: str, port: int, puzzles: list[Puzzle], until: float, seed: int) -> Asked:
    """Ask random questions over connections that stay for a while, until `time.monotonic()` is `until`.

    Processes of one machine share that clock.
    """
    choose = random.Random(seed)
    asked = Asked()
    of = [iter(questions(puzzle, choose)) for puzzle in puzzles]
    connection: http.client.HTTPConnection | None = None
    connected, local = 0.0, 0
    while time.monotonic() < until:
        if connection is None or choose.random() < 0.01:
            if connection:
                connection.close()
            connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
            connected = time.monotonic()
        which = choose.randrange(len(puzzles))
        question = next(of[which])
        sent = None if question.sent is None else json.dumps(question.sent)
        try:
            connection.request(question.method, question.path, sent, {"Content-Type": "application/json"})
            local = connection.sock.getsockname()[1]
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            asked.lost.append(Lost(connected, local, time.monotonic(), f"{question.path}: {error!r}"))
            connection.close()
            connection = None
            time.sleep(0.05)
            continue
        asked.answers += 1
        _compare(asked, puzzles[which], question, response.status, body)
    if connection:
        connection.close()
    return asked


def _compare(asked: Asked, puzzle: Puzzle, question: Question, status: int, body: bytes) -> None:
    if status != 200:
        asked.refused[puzzle.name, status] += 1
        if status not in (503, *puzzle.may_fail):
            asked.wrong.append(f"{question.path}: {status} {body[:300]!r}")
        return
    try:
        asked.compared += question.check(json.loads(body))
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        asked.wrong.append(f"{question.path}: {error!r} {body[:300]!r}")

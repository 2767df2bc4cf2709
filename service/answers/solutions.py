"""Solutions: one, many or their number, all by going down a table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, NotRequired

import numpy as np
from pydantic import Field

from puzzles import Indices
from service.answers.answer import MAX_BATCH, Answer, Text, common
from service.problems import InvalidRequest
from service.sources.source import UNKNOWN, Source

MAX_SOLUTIONS = 1000


_EXACT_IN_JSON = 2**53


_INT64_SAFE = 2**62


Line = Annotated[list[str], Field(description="moves, in order")]


class SolveAnswer(Answer):
    """A shortest solution."""

    solution: Annotated[list[str], Field(description="its moves from `offset`; empty where nothing is to do")]
    next: Annotated[int | None, Field(description="the offset that goes on; null where the solution ends here")]
    states: NotRequired[
        Annotated[list[Text], Field(description="the states passed, that before the first move given among them")]
    ]
    solutions: NotRequired[Annotated[list[Line], Field(description="the first `all`, by the puzzle's order of moves")]]
    optimal_count: NotRequired[
        Annotated[
            int | str | None,
            Field(
                description="how many shortest solutions there are, a string above 2^53; null where that is not known"
            ),
        ]
    ]


def solve(
    source: Source,
    text: str,
    *,
    states: bool = False,
    every: int | None = None,
    offset: int = 0,
    limit: int = MAX_BATCH,
) -> SolveAnswer:
    """A shortest solution: at each state the first optimal move in the puzzle's order.

    `offset` and `limit` give a part of it, `states` the states passed in that part. `every` adds so
    many solutions and their number; raises InvalidRequest where these would be too long.
    """
    index = source.index(text)
    distance = source.distance(index)
    before, line = source.part(text, distance, offset) if states else (text, source.line(index, distance, offset))
    names = [source.puzzle.moves[move].name for move in islice(line, limit)]
    answer: SolveAnswer = {
        **common(source, text, distance, index),  # type: ignore[typeddict-item]
        "solution": names,
        "next": offset + limit if offset + limit < distance else None,
    }
    if states:
        answer["states"] = _played(source, before, names)
    if every is not None:
        if every * distance > source.listed:
            raise InvalidRequest(
                f"{every} solutions of {distance} moves are too long for one answer",
                f"ask for at most {most} of them" if (most := source.listed // distance) else "leave out `all`",
            )
        answer["solutions"] = list(islice(_lines(source, index, distance), every))
        answer["optimal_count"] = _json_integer(optimal_count(source, index, distance))
    return answer


def optimal_count(source: Source, index: int, distance: int) -> int | None:
    """How many shortest solutions a state has: 1 for a solved one, 0 for one that has none.

    Layer by layer down the table, each state with the number of ways to it; None when more than
    a million states would be visited, or the distance is not known. Exact at any size: Python's
    integers where 64 bits do not do.
    """
    if distance < 0:
        return None if distance == UNKNOWN else 0
    states: Indices = np.array([index])
    ways = np.ones(1, np.int64)
    visited = 0
    for left in range(distance, 0, -1):
        visited += len(states)
        if visited > source.counted:
            return None
        if len(states) == 1 and len(closer := source.optimal_moves(int(states[0]), left)) == 1:
            states[0] = closer[0][1]  # most of a long solution; ten times as fast as what follows
            continue
        if ways.dtype != object and int(ways.sum()) > _INT64_SAFE // len(source.puzzle.moves):
            ways = ways.astype(object)
        successors, near = source.nearer(states, left)
        states, to = np.unique(successors[near], return_inverse=True)
        total = np.zeros(len(states), ways.dtype)
        np.add.at(total, to, np.broadcast_to(ways[:, None], near.shape)[near])
        ways = total
    return int(ways.sum())


def _lines(source: Source, index: int, distance: int) -> Iterator[list[str]]:
    """Every shortest solution, lazily, in the lexicographic order of the puzzle's moves."""
    if distance < 0:
        return
    known: dict[int, list[tuple[int, int]]] = {}

    def closer(state: int, left: int) -> Iterator[tuple[int, int]]:
        if state not in known:
            known[state] = source.optimal_moves(state, left)
        return iter(known[state])

    moves: list[str] = []
    branches = [closer(index, distance)]
    while branches:
        if len(moves) == distance:
            yield list(moves)
        move, state = next(branches[-1], (-1, -1))
        if move < 0:
            branches.pop()
            if moves:
                moves.pop()
        else:
            moves.append(source.puzzle.moves[move].name)
            branches.append(closer(state, distance - len(moves)))


def _played(source: Source, text: str, names: list[str]) -> list[str]:
    passed = [text]
    for name in names:
        passed.append(source.puzzle.play(passed[-1], name))
    return passed


def _json_integer(value: int | None) -> int | str | None:
    return str(value) if value is not None and value > _EXACT_IN_JSON else value

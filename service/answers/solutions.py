"""Solutions: one, many, or their number; shortest ones, followed by optimal moves, or those of a construction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Annotated, NotRequired

import numpy as np
from pydantic import Field

from puzzlebase.puzzles import Indices
from puzzlebase.service.answers.answer import Answer, Integer, Text, answer_fields
from puzzlebase.service.answers.limits import MAX_BATCH
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import UNKNOWN, Source

_SAFE_IN_INT64 = 2**62

Line = Annotated[list[str], Field(description="moves, in order")]


class SolveAnswer(Answer):
    """A shortest solution."""

    solution: Annotated[
        list[str],
        Field(description="its moves from `offset` on, none if there is nothing to do; a name may say an amount"),
    ]
    next: Annotated[Integer | None, Field(description="the offset of the next part; null if the solution ends here")]
    states: NotRequired[
        Annotated[list[Text], Field(description="the states passed, the one before the first move given included")]
    ]
    solutions: NotRequired[
        Annotated[
            list[Line],
            Field(description="as many as `all` asks for: `solution` first, the others in the puzzle's order of moves"),
        ]
    ]
    optimal_count: NotRequired[
        Annotated[
            Integer | None,
            Field(description="number of shortest solutions; null if it is not known"),
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
    """A shortest solution: at each state the first optimal move in the puzzle's order; an oracle's is one of its own.

    `offset` and `limit` select a part of it; `states` adds the states passed in that part. `every` adds so many
    solutions and the number of all; raises InvalidRequest if these would be too long for one answer.
    """
    index = source.index(text)
    distance = source.distance(index)
    before, moves = part(source, text, distance, offset) if states else (text, path(source, text, distance, offset))
    names = list(islice(moves, limit))
    answer: SolveAnswer = {
        **answer_fields(source, text, distance, index),  # type: ignore[typeddict-item]
        "solution": names,
        "next": offset + limit if offset + limit < source.listed(text, distance) else None,
    }
    if states:
        answer["states"] = _passed(source, before, names)
    if every is not None:
        if source.max_solutions is not None:
            raise InvalidRequest(
                f"a {source.name} finds one solution of {source.puzzle.name}, and does not count them",
                "leave out `all`",
            )
        count = optimal_count(source, index, distance) if distance <= source.max_listed_moves else None
        listed = every if count is None else min(every, count)
        if listed * distance > source.max_listed_moves:
            most = source.max_listed_moves // distance
            raise InvalidRequest(
                f"{listed} solutions of {distance} moves are too long for one answer",
                f"ask for at most {most} of them" if most else "leave out `all`",
            )
        answer["solutions"] = list(islice(_every_solution(source, text, index, distance), every))
        answer["optimal_count"] = count
    return answer


def path(source: Source, text: str, distance: int, offset: int = 0) -> Iterator[str]:
    """The moves of one shortest solution from move number `offset` on, lazily; none without a known solution."""
    if source.listed(text, distance) == 0:
        return iter(())
    if source.solver:
        return source.solver.line(text, offset)
    return _walk(source, source.index(text), distance, offset)


def part(source: Source, text: str, distance: int, offset: int) -> tuple[str, Iterator[str]]:
    """The state before move number `offset` of that solution, or its last state; and the moves from there, lazily."""
    if source.solver:
        return source.solver.state_at(text, offset), path(source, text, distance, offset)
    moves = path(source, text, distance)
    for move in islice(moves, min(offset, max(distance, 0))):
        text = source.puzzle.play(text, move)
    return text, moves


def _walk(source: Source, start: int, distance: int, offset: int) -> Iterator[str]:
    """The same from an index, by the first optimal move at each state, beginning at the last waypoint known."""
    moves, waypoints = source.puzzle.moves, source.waypoints
    made, index = waypoints.last_before(start, min(offset, distance)) if waypoints else (0, start)
    for left in range(distance - made, 0, -1):
        move, index = source.optimal_moves(index, left)[0]
        made = distance - left + 1
        if waypoints:
            waypoints.pass_by(start, made, index)
        if made > offset:
            yield moves[move].name


def optimal_count(source: Source, index: int, distance: int) -> int | None:
    """How many shortest solutions a state has: 1 for a goal state, 0 for one that cannot reach the goal.

    Goes from layer to layer towards the goal, and keeps for each state the number of paths to it. None if too many
    states would be visited, or the distance is not known. Exact at any size: with Python's integers where 64 bits
    are too few.
    """
    if distance < 0:
        return None if distance == UNKNOWN else 0
    states: Indices = np.array([index])
    paths = np.ones(1, np.int64)
    visited = 0
    for left in range(distance, 0, -1):
        visited += len(states)
        if visited > source.max_counted_states:
            return None
        if len(states) == 1 and len(only := source.optimal_moves(int(states[0]), left)) == 1:
            states[0] = only[0][1]  # most of a long solution; ten times as fast as what follows
            continue
        if paths.dtype != object and int(paths.sum()) > _SAFE_IN_INT64 // len(source.puzzle.moves):
            paths = paths.astype(object)
        successors, optimal = source.optimal_successors(states, left)
        states, to = np.unique(successors[optimal], return_inverse=True)
        total = np.zeros(len(states), paths.dtype)
        np.add.at(total, to, np.broadcast_to(paths[:, None], optimal.shape)[optimal])
        paths = total
    return int(paths.sum())


def _every_solution(source: Source, text: str, index: int, distance: int) -> Iterator[list[str]]:
    """Every shortest solution, lazily: first the one that `path` gives, which an oracle chooses, then the others."""
    paths = _every_path(source, index, distance)
    if source.solver is None:
        return paths
    first = list(path(source, text, distance))
    return chain([first] if distance >= 0 else [], (moves for moves in paths if moves != first))


def _every_path(source: Source, index: int, distance: int) -> Iterator[list[str]]:
    """Every shortest solution, lazily, in the lexicographic order of the puzzle's moves."""
    if distance < 0:
        return
    known: dict[int, list[tuple[int, int]]] = {}

    def optimal_moves(state: int, left: int) -> Iterator[tuple[int, int]]:
        if state not in known:
            known[state] = source.optimal_moves(state, left)
        return iter(known[state])

    moves: list[str] = []
    branches = [optimal_moves(index, distance)]
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
            branches.append(optimal_moves(state, distance - len(moves)))


def _passed(source: Source, text: str, names: list[str]) -> list[str]:
    """The states that moves pass, the first one included."""
    states = [text]
    for name in names:
        states.append(source.puzzle.play(states[-1], name))
    return states

"""Solutions: one, many, or their number. They are shortest solutions by optimal moves, or a construction's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, chain, islice
from typing import Annotated, NotRequired

import numpy as np

from puzzlebase.puzzles import Indices
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.answers import text
from puzzlebase.service.answers.limits import MAX_BATCH, MAX_OFFSET, MAX_SOLUTIONS
from puzzlebase.service.answers.lookups import Answer, Integer, answer_fields
from puzzlebase.service.answers.record import Within, answer
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import ShortestPaths, Source

_SAFE_IN_INT64 = 2**62


class SolveAnswer(Answer):
    """A shortest solution."""

    solution: list[str]
    """its moves from `offset` on, none if there is nothing to do; a name may say an amount"""
    next: Integer | None
    """the offset of the next part; null if the solution ends here"""
    stuck: NotRequired[str]
    """where the moves of a method that does not solve it end"""
    states: NotRequired[list[str]]
    """the states passed, the one before the first move given included"""
    solutions: NotRequired[list[list[str]]]
    """as many as `all` says: `solution` first, the others in the puzzle's order of moves"""
    optimal_count: NotRequired[Integer | None]
    """number of shortest solutions; null if it is not known"""


@answer(
    "state",
    "Solve",
    printed=text.solution,
    notes=text.solution_notes,
    methods=("GET", "POST"),
    extensible=True,
)
def solve(
    source: Source,
    state: str,
    *,
    states: bool = False,
    all: Annotated[int, Within(1, MAX_SOLUTIONS)] | None = None,  # noqa: A002 -- as over HTTP
    offset: Annotated[int, Within(high=MAX_OFFSET)] = 0,
    limit: Annotated[int, Within(1, MAX_BATCH)] = MAX_BATCH,
) -> SolveAnswer:
    """A shortest solution, or several and how many there are.

    It takes the first optimal move, in the puzzle's order, at each step; an oracle chooses its own.

    Args:
        state: the state, written as the puzzle's notation says
        states: whether to give the states of the solution too
        all: also give this many solutions, and how many there are
        offset: number of moves of the solution to skip; in a body a decimal string above 2^53
        limit: number of moves of the solution to give

    Raises:
        InvalidRequest: several solutions are too long for one answer
    """
    index = source.index(state)
    [distance] = source.distances_of([index])
    found = source.solution(state, distance)
    before, moves = found.part(offset) if states else (state, found.moves(offset))
    names = list(islice(moves, limit))
    answer: SolveAnswer = {
        **answer_fields(source, state, distance),  # type: ignore[typeddict-item]
        "solution": names,
        "next": offset + limit if offset + limit < found.length else None,
    }
    if found.stuck is not None:
        answer["stuck"] = found.stuck
    if states:
        answer["states"] = [*accumulate(names, source.puzzle.play, initial=before)]
    if all is not None:
        paths = found.others
        if paths is None:
            raise InvalidRequest(
                f"a {source.origin.name} finds one solution of {source.puzzle.name}, and does not count them",
                "leave out `all`",
            )
        count = optimal_count(paths, index, distance) if distance <= paths.max_listed_moves else None
        listed = all if count is None else min(all, count)
        if listed * distance > paths.max_listed_moves:
            most = paths.max_listed_moves // distance
            raise InvalidRequest(
                f"{listed} solutions of {distance} moves are too long for one answer",
                f"ask for at most {most} of them" if most else "leave out `all`",
            )
        first = names if len(names) == found.length else list(found.moves())  # an oracle chooses it
        others = (moves for moves in _every_path(paths, state, index, distance) if moves != first)
        answer["solutions"] = list(islice(chain([first] if distance >= 0 else [], others), all))
        answer["optimal_count"] = count
    return answer


def optimal_count(paths: ShortestPaths, index: int, distance: int) -> int | None:
    """The number of shortest solutions of a state: 1 for a goal state, 0 for one that cannot reach the goal.

    Counts paths from layer to layer towards the goal, exactly at any size. None if the distance is not known, or too
    many states would be visited.
    """
    if distance < 0:
        return None if distance == UNKNOWN else 0
    states: Indices = np.array([index])
    paths_to = np.ones(1, np.int64)
    visited = 0
    for left in range(distance, 0, -1):
        visited += len(states)
        if visited > paths.max_counted_states:
            return None
        if len(states) == 1 and len(only := paths.optimal_moves(int(states[0]), left)) == 1:
            states[0] = only[0][1]  # most of a long solution; ten times as fast as what follows
            continue
        successors, optimal = paths.optimal_successors(states, left)
        if paths_to.dtype != object and int(paths_to.sum()) > _SAFE_IN_INT64 // optimal.shape[1]:
            paths_to = paths_to.astype(object)  # 64 bits are too few
        states, to = np.unique(successors[optimal], return_inverse=True)
        total = np.zeros(len(states), paths_to.dtype)
        np.add.at(total, to, np.broadcast_to(paths_to[:, None], optimal.shape)[optimal])
        paths_to = total
    return int(paths_to.sum())


def _every_path(paths: ShortestPaths, text: str, index: int, distance: int) -> Iterator[list[str]]:
    """Find every shortest solution, lazily, in the lexicographic order of the puzzle's moves."""
    if distance < 0:
        return
    optimal_moves = cache(paths.optimal_moves)
    puzzle, texts = paths.puzzle, [text]
    moves: list[str] = []
    branches = [iter(optimal_moves(index, distance))]
    while branches:
        if len(moves) == distance:
            yield list(moves)
        move, state = next(branches[-1], (-1, -1))
        if move < 0:
            branches.pop()
            if moves:
                moves.pop()
                texts = texts[: len(moves) + 1]
        else:
            moves.append(puzzle.moves_of(texts[-1])[move].name)
            if puzzle.names_vary:
                texts.append(puzzle.play(texts[-1], moves[-1]))
            branches.append(iter(optimal_moves(state, distance - len(moves))))

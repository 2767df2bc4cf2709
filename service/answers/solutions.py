"""Solutions: one, many, or their number.
They are shortest solutions by optimal moves, or a construction's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Annotated, NotRequired

from puzzlebase.puzzles.discovery import extra_of
from puzzlebase.service.answers import text
from puzzlebase.service.answers.limits import MAX_BATCH, MAX_OFFSET, MAX_SOLUTIONS
from puzzlebase.service.answers.lookups import Answer, Integer, lookup_fields
from puzzlebase.service.answers.record import Within, answer
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.service.sources.source import ShortestPaths, Source


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
    """as many as `all` says, or as there are: `solution` first, the others in the puzzle's order of
    moves; fewer if a search's time ends, and then `optimal_count` is null
    """
    optimal_count: NotRequired[Integer | None]
    """number of shortest solutions; null if it is not known"""


@answer(
    "state",
    "Solve",
    printed=text.solution_text,
    notes=text.solution_notes_text,
    methods=("GET", "POST"),
)
def solve(
    source: Source,
    state: str,
    *,
    states: bool = False,
    all: Annotated[int, Within(1, MAX_SOLUTIONS)] | None = None,  # noqa: A002 -- as over HTTP
    offset: Annotated[int, Within(high=MAX_OFFSET)] = 0,
    limit: Annotated[int, Within(1, MAX_BATCH)] = MAX_BATCH,
    lurd: bool = False,
) -> SolveAnswer:
    """A shortest solution, or several and how many there are.

    It takes the first optimal move, in the puzzle's order, at each step; an oracle chooses its own.

    Args:
        state: the state, written as the puzzle's notation says
        states: whether to give the states of the solution too
        all: also give this many solutions, and how many there are
        offset: number of moves of the solution to skip; in a body a decimal string above 2^53
        limit: number of moves of the solution to give
        lurd: whether to write each solution of Sokoban as players do, in one word with a letter for
            each step: luurD

    Raises:
        InvalidRequest: several solutions are too long for one answer, or the puzzle is no Sokoban
    """
    index = source.index(state)
    [distance] = source.distances_of([index])
    found = source.solution(state, distance)
    before, moves = found.part(offset) if states or lurd else (state, found.moves(offset))
    names = list(islice(moves, limit))
    answer: SolveAnswer = {
        **lookup_fields(source, state, distance),  # type: ignore[typeddict-item]
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
                f"a {source.origin.name} finds one solution of {source.puzzle.name}, and "
                "does not count them",
                "leave out `all`",
            )
        count = paths.optimal_count(index, distance) if distance <= paths.max_listed_moves else None
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
    if lurd:
        in_words = extra_of(source.puzzle, "lurd")
        if in_words is None:
            raise InvalidRequest(f"{source.puzzle.name} is no Sokoban", "leave out lurd")
        in_words(source.puzzle, before, answer)
    return answer


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

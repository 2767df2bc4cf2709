"""Hints, in four levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Annotated, NotRequired

from puzzlebase.sentinels import UNREACHED
from puzzlebase.service.answers import text
from puzzlebase.service.answers.limits import MAX_BATCH
from puzzlebase.service.answers.lookups import Answer, lookup_fields
from puzzlebase.service.answers.record import ListOf, Within, Word, answer

if TYPE_CHECKING:
    from puzzlebase.service.sources.source import Source


class HintAnswer(Answer):
    """As much help as was asked for, in the state after the moves."""

    level: int
    """1: the distance; 2: also groups; 3: also a move; 4: also a solution"""
    groups: NotRequired[list[str]]
    """parts of the puzzle that the optimal moves move, or the first move of a construction"""
    move: NotRequired[str | None]
    """an optimal move, or the first of a construction; null if there is none"""
    solution: NotRequired[list[str]]
    """a shortest solution or a construction, which begins with that move"""
    take_back: NotRequired[int | None]
    """the fewest last moves to take back so that the goal can be reached again, 0 if it can be;
    null if none helps or it is not known; only of games and levels
    """


@answer("state", "Hint", printed=text.hint, methods=("GET", "POST"))
def hint(
    source: Source,
    state: str,
    level: Annotated[int, Within(1, 4)] = 1,
    moves: ListOf[Word] = (),
) -> HintAnswer:
    """Help in four levels, from the distance to the whole solution.

    Args:
        state: the state, written as the puzzle's notation says
        level: 1: the distance; 2: also the parts to move; 3: also a move; 4: also the solution
        moves: the moves played from the state: the hint is for the state after them, and for a lost
            one it says how many to take back

    Raises:
        IllegalMove: a move of the game is not legal
    """
    source.puzzle.parse(state)  # moves are played from a state alone
    states = [*accumulate(moves, source.puzzle.play, initial=state)]
    after = states[-1]
    [distance] = source.distances_of([source.index(after)])
    found = source.solution(after, distance)
    answer: HintAnswer = {**lookup_fields(source, after, distance), "level": level}  # type: ignore[typeddict-item]
    if level >= 2:
        named = source.puzzle.moves_of(after)
        answer["groups"] = list(
            dict.fromkeys(source.puzzle.part(after, named[move]) for move in found.first())
        )
    if level >= 3:
        solution = list(islice(found.moves(), MAX_BATCH if level >= 4 else 1))
        answer["move"] = solution[0] if solution else None
        if level >= 4:
            answer["solution"] = solution
    if source.of_game:
        answer["take_back"] = (
            0 if distance >= 0 else _take_back(source, states) if distance == UNREACHED else None
        )
    return answer


def _take_back(source: Source, states: Sequence[str]) -> int | None:
    """The fewest moves to take back from the last state,
    which is lost; None if that is not known.
    """
    first = source.first_lost(states)
    could_be_won = first and source.distances_of([source.index(states[first - 1])])[0] >= 0
    return len(states) - first if could_be_won else None

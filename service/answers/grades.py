"""Grading: what a player's game was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field
from typing_extensions import TypedDict

from puzzles import IllegalMove, PuzzleError, played, shorten
from service.answers.answer import Answer, common
from service.answers.lookups import MoveAnswer, move_answer
from service.problems import InvalidRequest
from service.sources.source import Source

DEFAULT_STARS: tuple[int | None, ...] = (0, 4, None)
"""The most wasted moves for three, two and one star; None: any number."""


class Illegal(TypedDict):
    """Where a game breaks the rules."""

    step: Annotated[int, Field(description="counted from 1")]
    played: Annotated[str, Field(description="the move, or the state, that was sent")]
    reason: Annotated[str, Field(description="the rule it breaks, or that there is no such move")]


class Mistake(TypedDict):
    """A move that was not optimal."""

    step: Annotated[int, Field(description="counted from 1")]
    played: Annotated[str, Field(description="the move that was played")]
    better: Annotated[list[str], Field(description="the optimal moves; none where the puzzle was solved already")]


class GradeAnswer(Answer):
    """A game's worth; the common fields are those of its start."""

    legal: Annotated[bool, Field(description="whether every step obeys the rules")]
    illegal: Annotated[Illegal | None, Field(description="the first step that does not; what follows it is not read")]
    solved: Annotated[bool, Field(description="whether a legal game ends solved")]
    length: Annotated[int, Field(description="legal moves played")]
    optimal_length: Annotated[int | None, Field(description="fewest moves from the start; null if there is no way")]
    wasted: Annotated[int | None, Field(description="moves played beyond what the progress made needed")]
    stars: Annotated[int, Field(description="0 for a game that is not legal or not solved")]
    steps: Annotated[list[MoveAnswer], Field(description="each legal move, and the state it led to")]
    first_mistake: Annotated[
        Mistake | None, Field(description="the first move that was not optimal; null where there is none")
    ]


def grade(
    source: Source,
    start: str,
    *,
    moves: Sequence[str] | None = None,
    states: Sequence[str] | None = None,
    stars: Sequence[int | None] = DEFAULT_STARS,
) -> GradeAnswer:
    """Grade a game given as its moves, or as the states passed (with or without the start).

    `stars` are the most wasted moves for full stars, one star less, and so on; None is any number.
    Raises as the puzzle's `parse` does for the start, and InvalidRequest for stars that make no sense.
    """
    check_stars(stars)
    texts, played, illegal = [start], list[str](), None
    source.puzzle.parse(start)
    if states is not None:
        illegal = _follow_states(source, texts, played, states[1:] if states and states[0] == start else states)
    else:
        illegal = _follow_moves(source, texts, played, moves or ())
    indices = np.array([source.index(text) for text in texts])
    distances: list[int] = source.distances(indices).tolist()
    steps = [move_answer(*step) for step in zip(played, texts[1:], distances[1:], distances[:-1], strict=True)]
    best, length, left = distances[0], len(steps), distances[-1]
    wrong = next((number for number, step in enumerate(steps, 1) if not step["optimal"]), None)
    solved = illegal is None and left == 0
    wasted = length + left - best if best >= 0 and left >= 0 else None
    mistake: Mistake | None = None
    if wrong is not None and best >= 0 and steps[wrong - 1]["optimal"] is not None:
        better = source.optimal_moves(int(indices[wrong - 1]), distances[wrong - 1])
        names = [source.puzzle.moves[move].name for move, _ in better]
        mistake = {"step": wrong, "played": played[wrong - 1], "better": names}
    return {
        **common(source, start, best, int(indices[0])),
        "legal": illegal is None,
        "illegal": illegal,
        "solved": solved,
        "length": length,
        "optimal_length": best if best >= 0 else None,
        "wasted": wasted,
        "stars": _stars(wasted, stars) if solved and wasted is not None else 0,
        "steps": steps,
        "first_mistake": mistake,
    }


def _follow_moves(source: Source, texts: list[str], played: list[str], moves: Sequence[str]) -> Illegal | None:
    """Play moves one by one onto `texts` and `played`, up to the first that is not legal."""
    for step, move in enumerate(moves, 1):
        try:
            texts.append(source.puzzle.play(texts[-1], move))
        except IllegalMove as error:
            return {"step": step, "played": shorten(move), "reason": str(error)}
        played.append(move)
    return None


def _follow_states(source: Source, texts: list[str], played: list[str], states: Sequence[str]) -> Illegal | None:
    """Find the move to each state, up to the first that no single move leads to."""
    for step, state in enumerate(states, 1):
        try:
            source.puzzle.parse(state)
        except PuzzleError as error:
            return {"step": step, "played": shorten(state), "reason": str(error)}
        move = _move_between(source, texts[-1], state)
        if move is None:
            return {"step": step, "played": state, "reason": f"no single move leads from {texts[-1]!r} to {state!r}"}
        texts.append(state)
        played.append(move)
    return None


def _move_between(source: Source, before: str, after: str) -> str | None:
    """The first move from a state to another; of the moves that lead to the other's index, where the two have one."""
    index, to = source.index(before), source.index(after)
    names = [move.name for move in source.puzzle.moves]
    if index >= 0:
        leads = source.successors(np.array([index]))[0]
        names = [names[move] for move in np.flatnonzero(leads == to).tolist()]
    return next((move for move, state in played(source.puzzle.play, before, names).items() if state == after), None)


def check_stars(thresholds: Sequence[int | None]) -> None:
    """Refuse what are no limits for one to ten stars that do not fall; None, any number, is the highest."""
    limits = [float("inf") if most is None else most for most in thresholds]
    if not 1 <= len(limits) <= 10 or limits[0] < 0 or limits != sorted(limits):
        raise InvalidRequest(
            f"stars cannot be {shorten(str(list(thresholds)))}",
            "give one to ten limits of wasted moves, the best first, none below the one before it; null is any number",
        )


def _stars(wasted: int, thresholds: Sequence[int | None]) -> int:
    for lost, most in enumerate(thresholds):
        if most is None or wasted <= most:
            return len(thresholds) - lost
    return 0

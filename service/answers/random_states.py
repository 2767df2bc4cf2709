"""Random states: by distance, from all states, or by random turns. Equal keys give equal states."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, date, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from puzzlebase.db.errors import MissingTable
from puzzlebase.sentinels import UNKNOWN, UNREACHED
from puzzlebase.service.answers import text
from puzzlebase.service.answers.difficulties import (
    difficulty_distance,
    difficulty_of,
    difficulty_percentile,
    word_of,
)
from puzzlebase.service.answers.limits import MAX_SCRAMBLE
from puzzlebase.service.answers.lookups import Answer, lookup_fields
from puzzlebase.service.answers.record import Name, Within, answer
from puzzlebase.service.error_status import InvalidRequest, TooMuchWork, unsolvable_error

if TYPE_CHECKING:
    from puzzlebase.service.sources.source import Source
    from puzzlebase.service.sources.table import OpenTable

_WALK = 200  # random moves at the end of a walk
# Numbers drawn in vain before giving up: if one state in 1,000 can reach the goal, once in ten
# million times. Turns to a distance from an oracle's goal: hardly ever 1,000.
_TRIES = 1 << 14

MAX_TURNS = 1000
TODAY: Final = "today"


class RandomAnswer(Answer):
    """A random state. Its letters are those after the scramble is played from solved."""

    drawn: str
    """uniform: each state is equally likely; walk: found by random moves, as states have no index;
    scattered: by random numbers, not equally likely; turns: by random turns from solved, or from a
    game's start, which may lose
    """
    percentile: float | None
    """per cent of the states with a distance that are at most as far;
    null without a table or a distance
    """
    difficulty: str | None
    """the difficulty that its distance lies in, as a word; null if solved, or in none"""
    scramble: list[str] | None
    """fewest moves from solved to the state, or the random turns; null if more than 10,000, or not
    known, as where moves may be one-way or only a long search would tell
    """


def _day(text: str) -> date | str:
    """The day of a text; raises ValueError."""
    if text == TODAY:
        return TODAY
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise ValueError("a day is written YYYY-MM-DD, or today")
    return date.fromisoformat(text)


@answer(
    "state",
    "Random",
    name="random",
    printed=text.random_state,
    without_search=("distance", "min", "max", "percentile", "difficulty"),
    repeatable=lambda asked: asked["seed"] is not None or asked["daily"] not in (None, TODAY),
)
def random_state(
    source: Source,
    distance: int | None = None,
    min: int | None = None,  # noqa: A002 -- as over HTTP
    max: int | None = None,  # noqa: A002
    percentile: Annotated[float, Within(high=100)] | None = None,
    difficulty: Name | None = None,
    *,
    lost: bool = False,
    turns: Annotated[int, Within(high=MAX_TURNS)] | None = None,
    seed: Name | None = None,
    daily: Annotated[date | Literal["today"], Within(read=_day)] | None = None,
) -> RandomAnswer:
    """A random state of the difficulty asked for, with a scramble that leads to it.

    Only states that can reach the goal count, if that is known; with `lost`, only those that cannot
    any more. Equal keys give equal states from any source: a daily puzzle stays when a table is
    built.

    Args:
        distance: the exact distance
        min: the smallest distance
        max: the largest distance
        percentile: in place of a distance: how many per cent of all states with a distance are at
            most as far
        difficulty: in place of a distance: first, easy, medium, hard, hardest, or a level; the
            puzzle's address lists them
        lost: true for a state that cannot be solved any more, in place of a distance
        turns: in place of a distance: number of random turns from solved
        seed: equal seeds give equal states
        daily: YYYY-MM-DD: the state of that day; today: of this day, in UTC

    Raises:
        InvalidRequest: some of these exclude one another, or no state is as they say
        MissingTable: a distance is given and there is no table, or a difficulty and a search
    """
    least_or_most = max if min is None else min
    named = distance, least_or_most, percentile, difficulty, turns, lost or None
    ways = sum(each is not None for each in named)
    if ways > 1:
        raise InvalidRequest(
            "give one of distance, min and max, percentile, difficulty, lost, or turns",
            "leave out the others",
        )
    if seed is not None and daily is not None:
        raise InvalidRequest("give one of seed and daily", "leave out the other")
    key = seed_key(seed, today() if daily == TODAY else daily)
    if turns is not None:
        return random_state_by_turns(source, turns, key)
    if lost:
        return _from_lost(source, key)
    low, high = (min, max) if distance is None else (distance, distance)
    if difficulty is not None and source.ladder:
        low = high = _distance_of(source, difficulty, key)
        if not source.as_table():
            return random_state_by_turns(source, _TRIES, key, low)
    if not ways:
        return _from_any(source, key)
    table = _table(
        source, f"random states of {source.puzzle.name} at a given distance need its table"
    )
    if percentile is not None:
        low = high = difficulty_distance(percentile, table.ladder)
    return _in_range(source, table, low, high, key)


def _from_any(source: Source, key: str | None) -> RandomAnswer:
    """Draw a state uniformly from all that can reach the goal, if that is known.

    States too many to be numbered are drawn by a walk.
    """
    key = _of_goal(source, "", key)
    if source.puzzle.enumerable and not (source.space and source.space.grows):
        return _from_all(source, key)
    for engine in source.puzzle.engines:
        state = engine.draw(source.goal, partial(draw, key=key)) if engine.draw else None
        if state is not None:
            return _drawn(source, state, "uniform" if engine.uniform else "scattered")
    return _from_walk(source, key)


def seed_key(seed: str | None = None, day: date | None = None) -> str | None:
    """The key of a seed or of a day; None if neither is given."""
    if day is not None:
        return f"day {day}"
    return None if seed is None else f"seed {seed}"


def _of_goal(source: Source, what: str, key: str | None) -> str | None:
    """The key of what is drawn to a goal."""
    return key and f"{source.puzzle.name} {source.goal.name} {what}{key}"


def draw(total: int, key: str | None) -> int:
    """Draw a number below `total` from the randomness of the system,
    or by a 256-bit hash of the key, without bias.
    """
    if key is None:
        return secrets.randbelow(total)
    return (
        int.from_bytes(
            hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).digest(), "big"
        )
        % total
    )


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()


def _answer(
    source: Source, state: str, distance: int, drawn: str, scramble: list[str] | None
) -> RandomAnswer:
    """Answer with a random state at a distance."""
    return {
        **lookup_fields(source, state, distance),
        "drawn": drawn,
        "percentile": difficulty_percentile(distance, source.ladder),
        "difficulty": word_of(distance, source.ladder),
        "scramble": scramble,
    }


def _distance_of(source: Source, difficulty: str, key: str | None) -> int:
    """Draw a distance of a difficulty, each equally likely;
    1 if no state is that far. Raises InvalidRequest.
    """
    if len(source.ladder) < 2:
        return 1
    asked = difficulty_of(difficulty, source.ladder)
    key = _of_goal(source, f"from {asked['min']} to {asked['max']} ", key)
    return asked["min"] + draw(asked["max"] - asked["min"] + 1, key)


def _in_range(
    source: Source,
    table: OpenTable,
    min_distance: int | None,
    max_distance: int | None,
    key: str | None,
) -> RandomAnswer:
    """Draw a state in a range of distances."""
    layers = table.ladder
    if not layers:
        raise unsolvable_error(source.puzzle)
    farthest = len(layers) - 1
    first = min_distance or 0
    last = farthest if max_distance is None else max_distance
    if first > min(last, farthest):
        raise InvalidRequest(
            f"no state of {source.puzzle.name} has a distance from {first} to {last}",
            f"distances go from 0 to {farthest}",
        )
    last = min(last, farthest)
    key = _of_goal(source, f"{first} {last} ", key)
    return _from_table(source, table, first, last, sum(layers[first : last + 1]), key)


def _from_lost(source: Source, key: str | None) -> RandomAnswer:
    """Draw a state from which no goal can be reached."""
    name = source.puzzle.name
    if not source.of_game:
        raise InvalidRequest(
            f"no state of {name} is lost: its moves can be taken back", "leave out lost"
        )
    table = _table(source, f"random lost states of {name} need its table")
    lost = table.table.info.states - table.table.info.reachable
    if not lost:
        raise InvalidRequest(
            f"no state of {name} is lost: all can reach this goal", "leave out lost"
        )
    return _from_table(source, table, UNREACHED, UNREACHED, lost, _of_goal(source, "lost ", key))


def _from_table(
    source: Source, table: OpenTable, first: int, last: int, states: int, key: str | None
) -> RandomAnswer:
    """Draw one of the states in a range of distances, by its rank among them."""
    index = table.locate(first, last, draw(states, key))
    return _drawn(source, source.puzzle.text(index, source.goal), "uniform")


def _from_all(source: Source, key: str | None) -> RandomAnswer:
    """Draw a state that can reach the goal, as far as a search knows."""
    space = source.space or source.puzzle.space(source.goal)
    table = source.as_table()
    if not len(space.goal_states) or (table and not table.ladder):
        raise unsolvable_error(source.puzzle)
    for number in range(_TRIES):  # numbers without gaps
        drawn = draw(space.size, key and f"{key} {number}")
        if not space.has(drawn):
            continue
        state = source.puzzle.text(drawn, source.goal)
        if source.fast_distance(source.index(state)) != UNREACHED:
            return _drawn(source, state, "uniform")
    table = _table(
        source, f"of {_TRIES:,} states of {source.puzzle.name} drawn none can reach this goal"
    )
    layers = table.ladder
    return _from_table(source, table, 0, len(layers) - 1, sum(layers), key and f"{key} {_TRIES}")


def _table(source: Source, message: str) -> OpenTable:
    """The table that a draw needs; raises MissingTable with the message."""
    if table := source.as_table():
        return table
    from puzzlebase.service.sources.sources import missing_table  # noqa: PLC0415 -- this loads numpy

    missing = missing_table(source.puzzle, source.goal, Path())
    raise MissingTable(f"{message}; {missing}", missing.hint)


def _from_walk(source: Source, key: str | None) -> RandomAnswer:
    """Walk from a random place on a solution;
    from the goal itself the largest pieces would hardly ever move.

    If moves may be one-way, the walk ends before the first state that is known to be lost.
    """
    key = key or secrets.token_hex()
    state = source.goal.start
    [left] = source.distances_of([source.index(state)])
    state, _ = source.solution(state, left).part(draw(left + 1, key) if left > 0 else 0)
    states = [state]
    for step in range(_WALK):
        before = states[-2:][0]
        after = [text for text in source.puzzle.after_moves(states[-1]) if text and text != before]
        if not after:
            break
        states.append(after[draw(len(after), f"{key} {step}")])
    walked = source.first_lost(states) if source.one_way else len(states)
    if not walked:
        raise unsolvable_error(source.puzzle)
    return _drawn(source, states[walked - 1], "walk")


def _drawn(source: Source, state: str, drawn: str) -> RandomAnswer:
    """Answer with a state and its scramble, if any:
    a shortest solution taken back. The letters are the scramble's.
    """
    # If states are too many to number, a search from a random one would give up after all of its
    # time.
    grows = source.space is not None and source.space.grows and not source.one_way
    hopeless = grows and state not in source.goal.states
    distance = UNKNOWN if hopeless else source.fast_distance(source.index(state))
    solution = source.solution(state, distance)
    unscrambled = partial(_answer, source, state, distance, drawn, None)
    if source.one_way or not solution.others or not 0 <= distance <= MAX_SCRAMBLE:
        return unscrambled()
    puzzle = source.puzzle
    try:
        passed = [*accumulate(solution.moves(), puzzle.play, initial=state)]
    except TooMuchWork:
        return unscrambled()
    *path, end = map(source.index, passed)
    state, scramble = (
        next((text for text in source.goal.states if source.index(text) == end), passed[-1]),
        [],
    )
    for to in reversed(path):
        after = zip(puzzle.moves_of(state), puzzle.after_moves(state), strict=True)
        back = next(
            ((move, text) for move, text in after if text and source.index(text) == to), None
        )
        if back is None:  # a table of rows and columns may have a move that none takes back
            return unscrambled()
        scramble.append(back[0].name)
        state = back[1]
    return _answer(source, state, distance, drawn, scramble)


def random_state_by_turns(
    source: Source, turns: int, key: str | None = None, wanted: int | None = None
) -> RandomAnswer:
    """Play random turns from solved, until a state is at the wanted distance if one is given;
    or from the goal's start if moves may be one-way or the goal names no state.

    Each is any legal move but one to where the move before could have led, or to where it began.
    """
    puzzle = source.puzzle
    solved = [] if source.one_way else source.goal.states
    state, scramble = next(iter(solved), source.goal.start), []
    near: set[str] = set()
    for number in range(turns):
        if wanted is not None and source.fast_distance(source.index(state)) == wanted:
            return _drawn(source, state, "turns")
        after = puzzle.after_moves(state)
        legal = [move for move, to in enumerate(after) if to]
        if not legal:
            break
        moves = [move for move in legal if after[move] not in near] or legal
        move = moves[draw(len(moves), key and f"{key} {number}")]
        scramble.append(puzzle.moves_of(state)[move].name)
        near = {state, *after}
        state = after[move]
    distance = source.fast_distance(source.index(state))
    return _answer(source, state, distance, "turns", scramble)

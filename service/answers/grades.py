"""Grades of players' games, which are replayed by the rules and then scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, NamedTuple, NotRequired

from typing_extensions import TypedDict

from puzzlebase.errors import shorten
from puzzlebase.puzzles.contract.errors import IllegalMove, PuzzleError
from puzzlebase.sentinels import UNKNOWN, UNREACHED
from puzzlebase.service.answers.limits import MAX_BATCH, MAX_STARS
from puzzlebase.service.answers.lookups import (
    Answer,
    Integer,
    MoveAnswer,
    lookup_fields,
    lookup_move,
)
from puzzlebase.service.answers.record import ListOf, Within, Word, answer
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.service.sources.source import Source

# the most wasted moves for three, two and one star; None: any
DEFAULT_STARS: tuple[int | None, ...] = (0, 4, None)


class Illegal(TypedDict):
    """The step at which a game breaks the rules."""

    step: int
    """number of the step, from 1"""
    played: str
    """the move or the state that was sent"""
    reason: str
    """why the step is not legal"""


class Mistake(TypedDict):
    """A move that was not optimal."""

    step: int
    """number of the step, from 1"""
    played: str
    """the move that was played"""
    better: list[str]
    """the optimal moves; none if the puzzle was solved already"""


class GradeAnswer(Answer):
    """The worth of a game; the fields that every answer has are those of its first state."""

    legal: bool
    """whether every step is legal"""
    illegal: Illegal | None
    """the first step that is not legal; later ones are not read"""
    solved: bool
    """whether the game is legal and ends solved"""
    length: int
    """number of legal moves played; a name with an amount may count for several"""
    optimal_length: Integer | None
    """fewest moves from the first state; null if there is no solution or none is known"""
    wasted: Integer | None
    """moves played beyond those that the progress needed; null if not known"""
    against_bound: bool
    """whether wasted counts from lower_bound, as no distance is known; it is then an upper bound"""
    stars: int
    """stars earned; 0 if not legal or not solved, at most 2 if a hint showed a move"""
    steps: list[MoveAnswer]
    """each legal move, and the state it led to"""
    first_mistake: Mistake | None
    """the first move that was not optimal; null if there is none"""
    lost_at: NotRequired[Mistake | None]
    """the move after which no goal can be reached; null if there is none or it is not known; only
    of games and levels
    """


class _Replay(NamedTuple):
    """A game up to the first illegal step: the states passed, one more than the moves."""

    states: list[str]
    moves: list[str]
    illegal: Illegal | None = None

    def broken_off(self, played: str, reason: str) -> _Replay:
        """The game up to here, with the step that is not legal."""
        return self._replace(illegal={"step": len(self.states), "played": played, "reason": reason})


def _numbers(example: str) -> Callable[[str], list[int | None]]:
    """The reader of a list such as the example, in which any is no limit."""

    def read(words: str) -> list[int | None]:
        try:
            return [
                None if word == "any" and word in example else int(word)
                for word in words.split(",")
            ]
        except ValueError:
            raise ValueError(f"{words!r} is not a list of numbers such as {example}") from None

    return read


@answer("state", "Grade", methods=("POST",))
def grade(
    source: Source,
    state: str,
    moves: ListOf[Word] | None = None,
    states: ListOf[Word] | None = None,
    stars: Annotated[ListOf[int | None], Within(1, MAX_STARS, _numbers("0,4,any"))] = DEFAULT_STARS,
    hints: Annotated[
        ListOf[Annotated[int, Within(1, 4)]], Within(high=MAX_BATCH, read=_numbers("1,3"))
    ] = (),
) -> GradeAnswer:
    """The grade of a player's game: legal, solved, stars, the first mistake.

    Args:
        state: the state, written as the puzzle's notation says
        moves: the moves played
        states: in place of the moves, the states of the game, with or without the first
        stars: how many moves may be wasted for all stars, for one less, and so on: 1 to 10 limits,
            rising; null allows any number
        hints: levels of the hints shown; 3 and 4, played or not, cost the third star

    Raises:
        InvalidRequest: the game is given twice or not at all, or the stars or the hints are invalid
    """
    if (moves is None) == (states is None):
        raise InvalidRequest(
            "give either moves or states", "/docs lists the fields of each address"
        )
    check_stars(stars)
    if not {*hints} <= {1, 2, 3, 4}:
        raise InvalidRequest(
            f"hints cannot be {shorten(str(list(hints)))}",
            "give the levels shown, each from 1 to 4",
        )
    source.puzzle.parse(state)
    if states is None:
        game = _replay_moves(source, state, moves or ())
    else:
        game = _replay_states(
            source, state, states[1:] if states and states[0] == state else states
        )
    answer = _score(source, game, stars)
    if max(hints, default=0) >= 3:  # it showed a move, played or not
        answer["stars"] = min(answer["stars"], 2)
    return answer


def _replay_moves(source: Source, start: str, moves: Sequence[str]) -> _Replay:
    """Play each move of a game."""
    game = _Replay([start], [])
    spelled = chain.from_iterable(
        source.puzzle.board.spelled(game.states[-1], word) for word in moves
    )
    for move in spelled:
        try:
            game.states.append(source.puzzle.play(game.states[-1], move))
        except IllegalMove as error:
            return game.broken_off(shorten(move), str(error))
        game.moves.append(move)
    return game


def _replay_states(source: Source, start: str, states: Sequence[str]) -> _Replay:
    """Find the move that leads to each state of a game."""
    game = _Replay([start], [])
    for state in states:
        try:
            source.puzzle.parse(state)
        except PuzzleError as error:
            return game.broken_off(shorten(state), str(error))
        before = game.states[-1]
        move = _move_between(source, before, state)
        if move is None:
            return game.broken_off(state, f"no single move leads from {before!r} to {state!r}")
        game.states.append(state)
        game.moves.append(move)
    return game


def _move_between(source: Source, before: str, after: str) -> str | None:
    """The first move that leads from a state to another."""
    if whole := source.as_table():  # other sources check the time themselves
        whole.deadline.check()
    return next(
        (move for move, state in source.puzzle.played(before).items() if state == after), None
    )


def _score(source: Source, game: _Replay, stars: Sequence[int | None]) -> GradeAnswer:
    """Score a game by its length and the distances along it."""
    indices = [source.index(state) for state in game.states]
    distances = source.distances_of(indices, along=True)
    weights = [source.puzzle.board.weight(move) for move in game.moves]
    steps = [
        lookup_move(*step, game=source.of_game)
        for step in zip(
            game.moves, game.states[1:], distances[1:], distances[:-1], weights, strict=True
        )
    ]
    first, last, length = distances[0], distances[-1], sum(weights)
    solved = game.illegal is None and last == 0
    bounds = None if first != UNKNOWN else source.solution(game.states[0], first).bounds()
    fewest = first if bounds is None else UNKNOWN if bounds.upper is None else bounds.lower
    wasted = length + last - fewest if fewest >= 0 and last >= 0 else None
    earned = 0
    if solved and wasted is not None:
        earned = next(
            (
                len(stars) - lost
                for lost, most in enumerate(stars)
                if most is None or wasted <= most
            ),
            0,
        )
    answer: GradeAnswer = {
        **lookup_fields(source, game.states[0], first),  # type: ignore[typeddict-item]
        "legal": game.illegal is None,
        "illegal": game.illegal,
        "solved": solved,
        "length": length,
        "optimal_length": first if first >= 0 else None,
        "wasted": wasted,
        "against_bound": first == UNKNOWN and wasted is not None,
        "stars": earned,
        "steps": steps,
        "first_mistake": _first_mistake(source, game, distances, steps),
    }
    if source.of_game:
        lost = distances.index(UNREACHED) if UNREACHED in distances else 0
        answer["lost_at"] = (
            _mistake(source, game, distances, lost) if lost and distances[lost - 1] >= 0 else None
        )
    return answer


def _first_mistake(
    source: Source, game: _Replay, distances: list[int], steps: list[MoveAnswer]
) -> Mistake | None:
    """The first step that is not optimal, if that is known."""
    step = next((number for number, step in enumerate(steps) if not step["optimal"]), None)
    if step is None or distances[0] < 0 or steps[step]["optimal"] is None:
        return None
    return _mistake(source, game, distances, step + 1)


def _mistake(source: Source, game: _Replay, distances: list[int], step: int) -> Mistake:
    """A step, from 1, with the optimal moves in its place."""
    better = source.solution(game.states[step - 1], distances[step - 1]).first()
    return {
        "step": step,
        "played": game.moves[step - 1],
        "better": [source.puzzle.moves_of(game.states[step - 1])[move].name for move in better],
    }


def check_stars(thresholds: Sequence[int | None]) -> None:
    """Raise InvalidRequest unless these are 1 to MAX_STARS numbers that never fall;
    None is the greatest.
    """
    limits = [float("inf") if most is None else most for most in thresholds]
    if not 1 <= len(limits) <= MAX_STARS or limits[0] < 0 or limits != sorted(limits):
        raise InvalidRequest(
            f"stars cannot be {shorten(str(list(thresholds)))}",
            f"give 1 to {MAX_STARS} numbers of wasted moves, for the most stars first, "
            "none less than the one before; null is any number",
        )

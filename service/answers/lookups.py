"""Lookups: the distances of a state and of all states a move away.
Also the fields of every answer about a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from typing_extensions import TypedDict

from puzzlebase.sentinels import UNDECIDED, UNKNOWN
from puzzlebase.service.answers import text
from puzzlebase.service.answers.record import answer

if TYPE_CHECKING:
    from puzzlebase.puzzles import Move
    from puzzlebase.service.sources.source import Source

_OPEN = (UNKNOWN, UNDECIDED)


class _Long:
    """The schema of an integer of any length;
    JSON has a decimal string above 2^53 (service/exact_json.py).
    """

    def __get_pydantic_json_schema__(self, _core: Any, _handler: Any) -> Any:
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+$"}]}


Integer = Annotated[int, _Long()]


class Answer(TypedDict):
    """The fields of every answer about a state."""

    puzzle: str
    """name of the puzzle"""
    goal: str
    """name of the goal"""
    state: str
    """a state, in the caller's own letters"""
    solvable: bool | None
    """whether the goal can be reached; null if that is not known"""
    lost: NotRequired[bool | None]
    """whether no goal can be reached any more;
    null if that is not known; only of games and levels
    """
    distance: Integer | None
    """fewest moves to the goal; null if it cannot be reached or the distance is not known"""
    exact: bool
    """whether distance is proven; otherwise only the bounds are"""
    lower_bound: Integer | None
    """proven: every solution has at least this many moves"""
    upper_bound: Integer | None
    """proven: there is a solution of this many moves"""
    source: str
    """where the answer comes from: table, oracle, search or construction"""


class MoveAnswer(TypedDict):
    """A move and the state it leads to.
    A search may not know the distance after a move that is not optimal.
    """

    move: str
    """name of the move"""
    state: str
    """a state, in the caller's own letters"""
    lost: NotRequired[bool | None]
    """whether no goal can be reached any more;
    null if that is not known; only of games and levels
    """
    distance: Integer | None
    """fewest moves to the goal; null if it cannot be reached or the distance is not known"""
    delta: int | None
    """change of distance, -1 at best; null if it is not known"""
    optimal: bool | None
    """whether the move begins a shortest solution; null if that is not known"""


class LookupAnswer(Answer):
    """A state's distance and its moves."""

    moves: list[MoveAnswer]
    """every legal move, best first; equally good ones in the puzzle's order"""


@answer("state", "Lookup", printed=text.lookup)
def lookup(source: Source, state: str) -> LookupAnswer:
    """The distance of a state from the goal, and every move, best first.

    Args:
        state: the state, written as the puzzle's notation says
    """
    puzzle = source.puzzle
    moves = puzzle.moves or puzzle.moves_of(state)  # before a search, which may take longer
    index = source.index(state)
    successors, distances = source.neighbours(index)
    distance = distances.pop()
    letters = puzzle.board.letters
    if index < 0:
        states = puzzle.after_moves(state)
        legal = [move for move, after in enumerate(states) if after]
        distances += [distance] * (len(states) - len(distances))
    else:
        legal = [move for move, to in enumerate(successors[:-1]) if to >= 0]
        if letters and letters.fits(state):
            states = letters.texts(letters.play(letters.board(state))[0])
        else:
            named = zip(moves, successors, strict=False)  # if moves vary, some have none
            states = [puzzle.play(state, move.name) if to >= 0 else "" for move, to in named]
    best_first = sorted(legal, key=[to if to >= 0 else inf for to in distances].__getitem__)
    answers = lookup_moves(source, distance, moves, best_first, states, distances)
    return {**lookup_fields(source, state, distance), "moves": answers}


def lookup_moves(
    source: Source,
    distance: int,
    moves: Sequence[Move],
    order: Iterable[int],
    states: Sequence[str],
    distances: Sequence[int],
) -> list[MoveAnswer]:
    """Describe moves of a state, in an order of their numbers,
    by the state and the distance after each.
    """
    game = source.of_game
    return [
        lookup_move(moves[move].name, states[move], distances[move], distance, game=game)
        for move in order
    ]


def lookup_move(
    move: str, state: str, distance: int, before: int, weight: int = 1, *, game: bool = False
) -> MoveAnswer:
    """Describe a move whose name stands for `weight` moves;
    distances may be UNREACHED, UNKNOWN or UNDECIDED.
    """
    answer: MoveAnswer = {
        "move": move,
        "state": state,
        "distance": distance,
        "delta": distance - before,
        "optimal": distance <= before - weight,
    }
    known = distance >= 0
    if not known or before < 0:
        answer["distance"] = distance if known else None
        answer["delta"] = None
        answer["optimal"] = None if before in _OPEN or distance == UNDECIDED else False
    if game:
        answer["lost"] = None if distance in _OPEN else not known
    return answer


def lookup_fields(source: Source, text: str, distance: int) -> Answer:
    """Fill the fields of every answer about a state; `distance` may be UNREACHED or UNKNOWN."""
    known = distance if distance >= 0 else None
    bounds = None if distance != UNKNOWN else source.solution(text, distance).bounds()
    solvable = bounds.solvable if bounds else known is not None
    answer: Answer = {
        "puzzle": source.puzzle.name,
        "goal": source.goal.name,
        "state": text,
        "solvable": solvable,
        "distance": known,
        "exact": bounds is None,
        "lower_bound": bounds.lower if bounds else known,
        "upper_bound": bounds.upper if bounds else known,
        "source": source.origin.name,
    }
    if source.of_game:
        answer["lost"] = None if solvable is None else not solvable
    return answer

"""Lookups: the distances of a state and of all states a move away. Also the fields of every answer about a state."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from puzzlebase.service.sources.source import UNDECIDED, UNKNOWN, Source, after_moves_by_rules

_OPEN = (UNKNOWN, UNDECIDED)


def means(description: str) -> Any:
    """Describe a field of an answer, for /openapi.json and the documents made from it."""
    return Field(description=description)


Text = Annotated[str, means("a state, in the caller's own letters")]
PuzzleName = Annotated[str, means("name of the puzzle")]
GoalName = Annotated[str, means("name of the goal")]
# An integer of any length; in JSON a number up to 2^53, and a decimal string above (service/exact_json.py).
Integer = Annotated[int, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+$"}]})]
Distance = Annotated[
    Integer | None, means("fewest moves to the goal; null if it cannot be reached or the distance is not known")
]


Lost = Annotated[
    bool | None,
    means("whether no goal can be reached any more; null if that is not known; only of games and levels"),
]


def is_game(source: Source) -> bool:
    """True for a game given by rules, and for a level: its answers say what is lost, even if nothing can be."""
    return source.space is not None and source.space.directed is not None


class Answer(TypedDict):
    """The fields of every answer about a state."""

    puzzle: PuzzleName
    goal: GoalName
    state: Text
    solvable: Annotated[bool | None, means("whether the goal can be reached; null if that is not known")]
    lost: NotRequired[Lost]
    distance: Distance
    exact: Annotated[bool, means("whether distance is proven; otherwise only the bounds are")]
    lower_bound: Annotated[Integer | None, means("proven: every solution has at least this many moves")]
    upper_bound: Annotated[Integer | None, means("proven: there is a solution of this many moves")]
    source: Annotated[
        str,
        means(
            "where the answer comes from: table (also an oracle's data), oracle (one that needs no data), "
            "search or construction"
        ),
    ]


class MoveAnswer(TypedDict):
    """A move and the state it leads to. A search may not know the distance after a move that is not optimal."""

    move: str
    """name of the move"""
    state: Text
    lost: NotRequired[Lost]
    distance: Distance
    delta: int | None
    """change of distance, -1 at best; null if it is not known"""
    optimal: bool | None
    """whether the move begins a shortest solution; null if that is not known"""


class LookupAnswer(Answer):
    """A state's distance and its moves."""

    moves: list[MoveAnswer]
    """every legal move, best first; equally good ones in the puzzle's order"""


def lookup(source: Source, text: str) -> LookupAnswer:
    """Look up a state: its distance, and every move, best first. Raises as the puzzle's `parse` does."""
    puzzle, game = source.puzzle, is_game(source)
    moves = puzzle.moves or puzzle.moves_of(text)  # before a search, which may take longer
    index = source.index(text)
    successors, distances = source.neighbours(index)
    distance = distances.pop()
    if index >= 0:
        named = zip(moves, successors, strict=False)  # if moves vary, some have none
        states = [puzzle.play(text, move.name) if to >= 0 else "" for move, to in named]
        legal = [move for move, to in enumerate(successors[:-1]) if to >= 0]
    else:
        states = after_moves_by_rules(puzzle, text)
        legal = [move for move, state in enumerate(states) if state]
        distances += [distance] * (len(states) - len(distances))
    legal.sort(key=[to if to >= 0 else inf for to in distances].__getitem__)
    answers = [move_answer(moves[move].name, states[move], distances[move], distance, game=game) for move in legal]
    return {**answer_fields(source, text, distance), "moves": answers}


def move_answer(
    move: str, state: str, distance: int, before: int, weight: int = 1, *, game: bool = False
) -> MoveAnswer:
    """Describe a move whose name stands for `weight` moves; distances may be UNREACHED, UNKNOWN or UNDECIDED."""
    known = distance >= 0
    answer: MoveAnswer = {
        "move": move,
        "state": state,
        "distance": distance if known else None,
        "delta": distance - before if known and before >= 0 else None,
        "optimal": None if before in _OPEN or distance == UNDECIDED else 0 <= distance <= before - weight,
    }
    if game:
        answer["lost"] = None if distance in _OPEN else not known
    return answer


def answer_fields(source: Source, text: str, distance: int) -> Answer:
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
    if is_game(source):
        answer["lost"] = None if solvable is None else not solvable
    return answer

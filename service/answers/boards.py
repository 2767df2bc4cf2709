"""The board of a state as data: where the pieces are, and what every legal move does to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase.puzzles import Drawing, Effect, Goal, Layout, Motion, Move, Piece, Puzzle, Shape, drawing_of
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.service.answers.answer import GoalName, PuzzleName, Text
from puzzlebase.service.answers.limits import MAX_MOTIONS
from puzzlebase.service.answers.pictures import styled
from puzzlebase.service.error_status import TooMuchWork

_X = Annotated[float, Field(description="from the left")]
_Y = Annotated[float, Field(description="from the top")]


class PlaceAnswer(TypedDict):
    """Where a piece may lie."""

    name: Annotated[str, Field(description="name of the place")]
    x: _X
    y: _Y


class ShapeAnswer(TypedDict):
    """A coloured outline with a label."""

    id: Annotated[str, Field(description="its id, also in the picture")]
    outline: Annotated[
        str,
        Field(description="SVG path data, only M, L, A (of circles) and Z, in absolute coordinates; may be empty"),
    ]
    colour: Annotated[str, Field(description="#rrggbb")]
    label: Annotated[str, Field(description="a text in its middle; may be empty")]
    x: Annotated[float, Field(description="its middle, where the label is, from the left")]
    y: Annotated[float, Field(description="the same, from the top")]
    size: Annotated[float, Field(description="font size of the label")]
    ink: Annotated[str, Field(description="colour of the label, #rrggbb")]


class PieceAnswer(ShapeAnswer):
    """A shape that moves."""

    place: Annotated[str, Field(description="name of the place where it lies")]


class TurnAnswer(TypedDict):
    """A turn about a point."""

    x: _X
    y: _Y
    degrees: Annotated[float, Field(description="clockwise as one sees it, -180 to 180")]


class LookAnswer(TypedDict):
    """How a piece looks."""

    colour: Annotated[str, Field(description="#rrggbb")]
    label: Annotated[str, Field(description="a text in its middle; may be empty")]
    ink: Annotated[str, Field(description="colour of the label, #rrggbb")]


class MotionAnswer(TypedDict):
    """What a move does to one piece. It turns or it slides; it does neither if it only becomes another."""

    piece: Annotated[str, Field(description="id of the piece")]
    turn: Annotated[TurnAnswer | None, Field(description="how it turns; null if it does not")]
    slide: Annotated[
        list[float] | None,
        Field(description="dx, dy, dx, dy, ...: the legs of its path, one after another; null if it does not slide"),
    ]
    lift: Annotated[bool, Field(description="whether it passes above other pieces")]
    flip: Annotated[bool, Field(description="whether it is turned over on the way")]
    becomes: Annotated[LookAnswer | None, Field(description="how it looks after the move; null if as before")]


class BoardMove(TypedDict):
    """A legal move and what it does to pieces."""

    move: Annotated[str, Field(description="name of the move")]
    group: Annotated[str, Field(description="name of the part that it moves, in hints")]
    after: Annotated[str, Field(description="the state after the move")]
    handle: Annotated[list[str], Field(description="ids of the pieces that one touches or drags to make the move")]
    motions: Annotated[
        list[MotionAnswer] | None,
        Field(description="every piece that the move changes; null if it is not told: draw the board of `after`"),
    ]


class BoardAnswer(TypedDict):
    """How a state looks, and what every legal move does to the pieces. y goes downwards from the upper left."""

    puzzle: PuzzleName
    goal: GoalName
    state: Text
    solved: Annotated[str | None, Field(description="a solved state; null if the goal has none")]
    width: Annotated[float, Field(description="of the canvas")]
    height: Annotated[float, Field(description="of the canvas")]
    places: Annotated[list[PlaceAnswer], Field(description="where pieces may lie")]
    marks: Annotated[
        list[ShapeAnswer], Field(description="what never moves, drawn first and in this order: frames, plates")
    ]
    pieces: Annotated[list[PieceAnswer], Field(description="what moves, drawn over the marks in this order")]
    moves: Annotated[
        list[BoardMove],
        Field(description="the legal moves, in the puzzle's order; of a very large board a choice of them"),
    ]
    permutations: Annotated[
        dict[str, list[int]] | None,
        Field(
            description="for each move: after it, place number i holds the piece from place number permutation[i], "
            "in the order of places; null if moves are no permutations of places"
        ),
    ]


def board(puzzle: Puzzle, goal: Goal, state: str | None = None, style: str | None = None) -> BoardAnswer:
    """The board of a state, by default the goal's start.

    Raises as `parse` does, InvalidRequest for an unknown style, or TooMuchWork for very many pieces and moves.
    """
    text = goal.start if state is None else state
    drawing = drawing_of(puzzle)
    layout = styled(puzzle, style)(text, goal)
    moves = drawing.listed(text) if drawing.listed else puzzle.moves
    if len(layout.pieces) * len(moves) > 8 * MAX_MOTIONS:
        raise _too_large(layout, moves)
    after = played(puzzle.play, text, (move.name for move in moves))
    return {
        "puzzle": puzzle.name,
        "goal": goal.name,
        "state": text,
        "solved": _solved(puzzle, goal, text),
        "width": layout.width,
        "height": layout.height,
        "places": [{"name": place.name, "x": place.x, "y": place.y} for place in layout.places],
        "marks": [_shape(mark) for mark in layout.marks],
        "pieces": [_piece(piece) for piece in layout.pieces],
        "moves": [*_moves(drawing, layout, text, {move: after[move.name] for move in moves if move.name in after})],
        "permutations": {move: [*sources] for move, sources in drawing.permutations.items()} or None,
    }


def _moves(drawing: Drawing, layout: Layout, text: str, after: dict[Move, str]) -> Iterator[BoardMove]:
    """Every move with the state after it, and what it does to the pieces of a layout, if that has any."""
    told = 0
    for move, state in after.items():
        effect = drawing.effect(text, move.name) if layout.pieces else Effect((), None)
        told += len(effect.motions or ())
        if told > MAX_MOTIONS:
            raise _too_large(layout, [*after])
        yield _move(move.name, move.group, state, effect)


def _too_large(layout: Layout, moves: Sequence[Move]) -> TooMuchWork:
    return TooMuchWork(
        f"the board has {len(layout.pieces):,} pieces and {len(moves):,} moves, too many to say what each move does",
        "ask for a picture, or look the state up",
    )


def _solved(puzzle: Puzzle, goal: Goal, text: str) -> str | None:
    """A solved state, in the letters of `text` where letters may be renamed."""
    if not goal.states:
        return None
    solved = goal.states[0]
    missing, own = sorted(set(text) - set(solved)), sorted(set(solved) - set(text))
    renamed = solved.translate({ord(old): new for old, new in zip(own, missing, strict=False)})
    return renamed if puzzle.board.canonical(renamed) == puzzle.board.canonical(solved) else solved


def _shape(shape: Shape) -> ShapeAnswer:
    return {
        "id": shape.id,
        "outline": shape.outline,
        "colour": shape.colour,
        "label": shape.label,
        "x": shape.x,
        "y": shape.y,
        "size": shape.size,
        "ink": shape.ink,
    }


def _piece(piece: Piece) -> PieceAnswer:
    return {**_shape(piece), "place": piece.place}


def _move(move: str, group: str, after: str, effect: Effect) -> BoardMove:
    return {
        "move": move,
        "group": group,
        "after": after,
        "handle": [*effect.handle],
        "motions": None if effect.motions is None else [_motion(motion) for motion in effect.motions],
    }


def _motion(motion: Motion) -> MotionAnswer:
    turn, look = motion.turn, motion.becomes
    return {
        "piece": motion.piece,
        "turn": {"x": turn.x, "y": turn.y, "degrees": turn.degrees} if turn else None,
        "slide": [*motion.slide] if motion.slide else None,
        "lift": motion.lift,
        "flip": motion.flip,
        "becomes": {"colour": look.colour, "label": look.label, "ink": look.ink} if look else None,
    }

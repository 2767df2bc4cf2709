"""The board of a state as data: the places of the pieces,
and the effect of every legal move on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from puzzlebase.puzzles.contract.layout import Effect, Layout, Motion
from puzzlebase.service.answers.limits import MAX_MOTIONS
from puzzlebase.service.answers.pictures import layout_of_style
from puzzlebase.service.answers.record import Name, answer, answer_of_attributes
from puzzlebase.service.error_status import TooMuchWork

if TYPE_CHECKING:
    from puzzlebase.puzzles import Goal, Move, Puzzle


class PlaceAnswer(TypedDict):
    """A place where a piece may be."""

    name: str
    """name of the place"""
    x: float
    """from the left"""
    y: float
    """from the top"""


class ShapeAnswer(TypedDict):
    """A coloured outline with a label."""

    id: str
    """its id, also in the picture"""
    outline: str
    """SVG path data, only M, L, A (of circles) and Z, in absolute coordinates; may be empty"""
    colour: str
    """#rrggbb"""
    label: str
    """a text in its middle; may be empty"""
    x: float
    """its middle, where the label is, from the left"""
    y: float
    """the same, from the top"""
    size: float
    """font size of the label"""
    ink: str
    """colour of the label, #rrggbb"""


class PieceAnswer(ShapeAnswer):
    """A shape that moves."""

    place: str
    """name of the place where it is"""


class TurnAnswer(TypedDict):
    """A turn about a point."""

    x: float
    """from the left"""
    y: float
    """from the top"""
    degrees: float
    """degrees clockwise on the screen, -180 to 180"""


class LookAnswer(TypedDict):
    """The look of a piece."""

    colour: str
    """#rrggbb"""
    label: str
    """a text in its middle; may be empty"""
    ink: str
    """colour of the label, #rrggbb"""


class MotionAnswer(TypedDict):
    """The effect of a move on one piece: it turns, it slides, or it only changes its look."""

    piece: str
    """id of the piece"""
    turn: TurnAnswer | None
    """how it turns; null if it does not"""
    slide: list[float] | None
    """dx, dy, dx, dy, ...: the legs of its path, one after another; null if it does not slide"""
    lift: bool
    """whether it passes above other pieces"""
    flip: bool
    """whether it is turned over on the way"""
    becomes: LookAnswer | None
    """how it looks after the move; null if as before"""


class BoardMove(TypedDict):
    """A legal move and what it does to pieces."""

    move: str
    """name of the move"""
    group: str
    """name of the part that it moves, in hints"""
    after: str
    """the state after the move"""
    handle: list[str]
    """ids of the pieces that one touches or drags to make the move"""
    motions: list[MotionAnswer] | None
    """every piece that the move changes; null if not known: draw the board of `after`"""


class BoardAnswer(TypedDict):
    """The picture of a state, and the effect of every legal move on the pieces.
    y grows down from the upper left.
    """

    puzzle: str
    """name of the puzzle"""
    goal: str
    """name of the goal"""
    state: str
    """a state, in the caller's own letters"""
    solved: str | None
    """a solved state; null if the goal has none"""
    width: float
    """of the canvas"""
    height: float
    """of the canvas"""
    places: list[PlaceAnswer]
    """where pieces may be"""
    marks: list[ShapeAnswer]
    """shapes that never move, drawn first and in this order: frames, plates"""
    pieces: list[PieceAnswer]
    """shapes that move, drawn over the marks in this order"""
    moves: list[BoardMove]
    """the legal moves, in the puzzle's order; of a very large board only some of them"""
    permutations: dict[str, list[int]] | None
    """for each move: after it, place number i holds the piece from place number permutation[i], in
    the order of places; null if moves are no permutations of places
    """


@answer("puzzle", "Board")
def board(
    puzzle: Puzzle, goal: Goal, state: str | None = None, style: Name | None = None
) -> BoardAnswer:
    """The pieces of a state, and the effect of every legal move.

    Args:
        state: the state, by default where play to the goal begins
        style: the name of a picture, if the puzzle has several

    Raises:
        TooMuchWork: the board is huge
    """
    if state is None:
        state = goal.start
    drawing = puzzle.board.drawing
    layout = layout_of_style(puzzle, style)(state, goal)
    moves = drawing.listed(state) if drawing.listed else puzzle.moves_of(state)
    if len(layout.pieces) * len(moves) > 8 * MAX_MOTIONS:
        raise _too_large(layout, moves)
    after = puzzle.played(state, (move.name for move in moves))
    return {
        "puzzle": puzzle.name,
        "goal": goal.name,
        "state": state,
        "solved": _solved(puzzle, goal, state),
        "width": layout.width,
        "height": layout.height,
        "places": [answer_of_attributes(place, PlaceAnswer) for place in layout.places],
        "marks": [answer_of_attributes(mark, ShapeAnswer) for mark in layout.marks],
        "pieces": [answer_of_attributes(piece, PieceAnswer) for piece in layout.pieces],
        "moves": [
            *_moves(
                puzzle,
                layout,
                state,
                {move: after[move.name] for move in moves if move.name in after},
            )
        ],
        "permutations": {move: [*sources] for move, sources in drawing.permutations.items()}
        or None,
    }


def _moves(
    puzzle: Puzzle, layout: Layout, text: str, after: dict[Move, str]
) -> Iterator[BoardMove]:
    """The legal moves,
    each with the state after it and its effect on the pieces of a layout, if that has any.
    """
    told, drawing = 0, puzzle.board.drawing
    for move, state in after.items():
        effect = drawing.effect(text, move.name) if layout.pieces else Effect((), None)
        told += len(effect.motions or ())
        if told > MAX_MOTIONS:
            raise _too_large(layout, [*after])
        yield {
            "move": move.name,
            "group": puzzle.part(text, move),
            "after": state,
            "handle": [*effect.handle],
            "motions": None
            if effect.motions is None
            else [_motion(motion) for motion in effect.motions],
        }


def _too_large(layout: Layout, moves: Sequence[Move]) -> TooMuchWork:
    return TooMuchWork(
        f"the board has {len(layout.pieces):,} pieces and {len(moves):,} moves, too many to say "
        "what each move does",
        "ask for a picture, or look the state up",
    )


def _solved(puzzle: Puzzle, goal: Goal, text: str) -> str | None:
    """The solved state, in the letters of `text` if letters may be renamed."""
    if not goal.states:
        return None
    solved = goal.states[0]
    missing, own = sorted(set(text) - set(solved)), sorted(set(solved) - set(text))
    renamed = solved.translate({ord(old): new for old, new in zip(own, missing, strict=False)})
    return renamed if puzzle.board.canonical(renamed) == puzzle.board.canonical(solved) else solved


def _motion(motion: Motion) -> MotionAnswer:
    turn, look = motion.turn, motion.becomes
    return {
        "piece": motion.piece,
        "turn": answer_of_attributes(turn, TurnAnswer) if turn else None,
        "slide": [*motion.slide] if motion.slide else None,
        "lift": motion.lift,
        "flip": motion.flip,
        "becomes": answer_of_attributes(look, LookAnswer) if look else None,
    }

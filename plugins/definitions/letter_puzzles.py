"""Puzzles whose states are letters in places, made from a solved state, its moves and a space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.hint_groups import hint_groups
from puzzlebase.plugins.definitions.text_squares import Squares
from puzzlebase.puzzles.contract.errors import IllegalMove, InvalidState
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import (
    BoardSide,
    Drawing,
    IndexSide,
    Move,
    Notation,
    Puzzle,
    check_move,
    places_at_home,
    states_after_moves,
)
from puzzlebase.puzzles.contract.space import Space
from puzzlebase.puzzles.machinery.spaces import SPACES

Play = Callable[[str, str], str | None]


def letter_puzzle(
    name: str,
    *,
    solved: str,
    alphabet: str,
    moves: Mapping[str, str],
    play: Play,
    space: Callable[[], Space],
    start: str = "",
    check: Callable[[str], object] | None = None,
    title: str = "",
    state: str = "",
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle whose states are texts of one length, an ASCII letter in each place.

    Args:
        name: one of its family's names.
        solved: the solved state. Spaces and line breaks in it only lay out the picture.
        alphabet: the letters allowed in any place.
        moves: the names of the moves, each with its group, which a hint may name first.
        play: gives the state after a move, None for an illegal move. It sees only states and moves
            of the puzzle.
        space: makes the index side of moves that can all be taken back. Its boards are the letters
            in ASCII, uint8[n, places]; its goal state is the solved one.
        start: the first state of play, by default the solved one.
        check: raises ImpossibleState for a text of these letters that is no state.
        title: the name for people, by default `name`.
        state: the meaning of the letters, for people.
        published: published numbers of the goal.
    """
    drawing, solved = solved, "".join(solved.split())
    groups = hint_groups(moves)
    read, play_checked = partial(_read, solved, alphabet, check), partial(_play, moves, play)
    examples = [start or solved]  # and the states one and two moves on
    for order in ([*moves], [*moves][::-1]):
        examples += [*states_after_moves(play_checked, examples[-1], order).values()][:1]

    return Puzzle(
        name=name,
        title=title or name,
        moves=tuple(Move(move, group) for move, group in groups.items()),
        goals=(Goal("solved", (solved,), start or solved, published),),
        notation=Notation(
            state or f"{len(solved)} letters, solved {solved}",
            ", ".join(moves),
            tuple(dict.fromkeys(examples)),
        ),
        board=BoardSide(
            parse=lambda text: np.frombuffer(read(text).encode(), np.uint8),
            format=lambda board: board.tobytes().decode(),
            play=play_checked,
            drawing=_letter_squares(drawing, alphabet, read, play_checked),
            at_home=places_at_home,
        ),
        index_side=IndexSide(SPACES.remember(lambda _goal: space())),
    )


def _read(solved: str, alphabet: str, check: Callable[[str], object] | None, text: str) -> str:
    """The text of a state; raises InvalidState or ImpossibleState for another one."""
    example = (
        f"a state looks like {solved!r}: {len(solved)} of the letters {''.join(sorted(alphabet))}"
    )
    if len(text) != len(solved):
        raise InvalidState(f"{shorten(text)!r} has {len(text)} letters, not {len(solved)}", example)
    for place, letter in enumerate(text):
        if letter not in alphabet:
            raise InvalidState(
                f"{text!r} has {letter!r} in place {place}, which is none of the letters", example
            )
    if check:
        check(text)
    return text


def _play(moves: Mapping[str, str], play: Play, text: str, move: str) -> str:
    check_move(move, moves)
    after = play(text, move)
    if after is None:
        legal = " ".join(move for move in moves if play(text, move) is not None)
        raise IllegalMove(f"{move} is not legal in {text!r}", f"legal moves are: {legal}")
    return after


def _letter_squares(
    drawing: str, alphabet: str, read: Callable[[str], str], play: Callable[[str, str], str]
) -> Drawing:
    """Make squares that lie as the letters of a drawing do, divided by spaces and line breaks."""
    where = tuple(
        (row, column)
        for row, line in enumerate(drawing.split("\n"))
        for column, drawn in enumerate(line)
        if not drawn.isspace()
    )
    squares = Squares(read, play, sorted(alphabet).index, where)
    return Drawing(layout=squares.layout, effect=squares.effect)

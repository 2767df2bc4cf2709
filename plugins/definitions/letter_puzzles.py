"""Puzzles whose states are letters in places, made from solved states and moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import numpy as np

from puzzlebase.plugins.definitions.groups import grouped
from puzzlebase.plugins.definitions.rules import Rules
from puzzlebase.plugins.definitions.squares import Squares
from puzzlebase.puzzles.contract.errors import IllegalMove, ImpossibleState, InvalidState, check_move, shorten
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import (
    BoardSide,
    Drawing,
    IndexSide,
    Move,
    Notation,
    Puzzle,
    places_as_solved,
    played,
)
from puzzlebase.puzzles.contract.space import Space
from puzzlebase.puzzles.machinery.spaces import SPACES

MOST_LETTERS = 128  # different ones

Play = Callable[[str, str], str | None]
Solved = str | Collection[str] | Callable[[str], bool]


def letter_puzzle(
    name: str,
    *,
    solved: Solved,
    moves: Mapping[str, str],
    play: Play,
    start: str = "",
    alphabet: str = "",
    check: Callable[[str], object] | None = None,
    space: Callable[[], Space] | None = None,
    title: str = "",
    state: str = "",
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle whose states are texts of one length, a printable character in each place.

    Args:
        name: one of its family's names.
        solved: the goal: a state, several, or a function that tells solved states, which needs a `start`. Spaces and
            line breaks in the first state, or else the start, only lay out the picture.
        moves: the names of the moves, each with its group, which a hint may name first.
        play: gives the state after a move, None for an illegal move. It sees only states and moves of the puzzle.
        start: the first state of play, by default the solved one.
        alphabet: the letters allowed in any place; by default those of the solved state, each as often.
        check: raises ImpossibleState for a text of these letters that is no state.
        space: makes the index side of moves that can all be taken back. Its boards are the letters in ASCII,
            uint8[n, places]; its goal states are the solved ones. Without it a build finds the states that the start
            leads to, as in `rules_puzzle`.
        title: the name for people, by default `name`.
        state: the meaning of the letters, for people.
        published: published numbers of the goal.
    """
    given: list[str] = []
    if not callable(solved):
        given = [solved] if isinstance(solved, str) else [*solved] if isinstance(solved, Sequence) else sorted(solved)
    drawing = given[0] if given else start
    given, start = ["".join(text.split()) for text in given], "".join(start.split())
    first = given[0] if given else start
    start, letters = start or first, "".join(sorted({*(alphabet or first)}))
    if not (first and letters.isprintable() and len(letters) <= MOST_LETTERS):
        raise ValueError(f"the state {first!r} of {name} is not made of at most {MOST_LETTERS} printable characters")
    if space and not letters.isascii():
        raise ValueError(f"the state {first!r} of {name} is not ASCII: a space needs that")
    groups = grouped(moves)
    read, play_checked = partial(_read, first, alphabet, check), partial(_play, moves, play)
    examples = [start]  # and the states one and two moves on
    for order in ([*moves], [*moves][::-1]):
        examples += [*played(play_checked, examples[-1], order).values()][:1]

    def legal(text: str) -> list[tuple[str, str]]:
        return [(move, after) for move in groups if (after := play(text, move))]

    rules = Rules(name, start, solved if callable(solved) else given.__contains__, legal, read, str)
    return Puzzle(
        name=name,
        title=title or name,
        moves=tuple(Move(move, group) for move, group in groups.items()) if space else (),
        goals=(Goal("solved", tuple(given), start, published),),
        notation=Notation(
            state or f"{len(first)} letters, {'solved' if given else 'as'} {first}",
            ", ".join(moves),
            tuple(dict.fromkeys(examples)),
        ),
        board=BoardSide(
            parse=lambda text: np.frombuffer(read(text).encode(), np.uint8),
            format=lambda board: board.tobytes().rstrip(b"\0").decode(),
            play=play_checked,
            drawing=_letter_squares(drawing, alphabet, read, play_checked),
            at_home=places_as_solved if space else None,
        ),
        index_side=IndexSide(SPACES.remember(lambda _goal: space())) if space else rules.side(groups.__getitem__),
    )


def _read(solved: str, alphabet: str, check: Callable[[str], object] | None, text: str) -> str:
    """The text of a state; raises InvalidState or ImpossibleState for another one."""
    example = f"a state looks like {solved!r}: {len(solved)} of the letters {''.join(sorted(set(alphabet or solved)))}"
    if len(text) != len(solved):
        raise InvalidState(f"{shorten(text)!r} has {len(text)} letters, not {len(solved)}", example)
    for place, letter in enumerate(text):
        if letter not in (alphabet or solved):
            raise InvalidState(f"{text!r} has {letter!r} in place {place}, which is none of the letters", example)
    if not alphabet:
        for letter in text:
            if text.count(letter) > solved.count(letter):
                often = f"{text.count(letter)} times, not {solved.count(letter)}"
                raise ImpossibleState(f"{text!r} has {letter!r} {often}", example)
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
    drawing: str,
    alphabet: str,
    read: Callable[[str], str],
    play: Callable[[str, str], str],
) -> Drawing:
    """Make squares that lie as the letters of a drawing do, divided by spaces and line breaks.

    `alphabet` has all letters; it is empty if moves only move the letters of the drawing.
    """
    where = tuple(
        (row, column)
        for row, line in enumerate(drawing.split("\n"))
        for column, drawn in enumerate(line)
        if not drawn.isspace()
    )
    letters = sorted(set(alphabet or "".join(drawing.split())))
    squares = Squares(read, play, letters.index, where, not alphabet)
    return Drawing(layout=squares.layout, effect=squares.effect)

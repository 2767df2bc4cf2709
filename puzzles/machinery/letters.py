"""Puzzles whose states are letters in places, made from a solved state and moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from puzzlebase.puzzles.contract.errors import (
    IllegalMove,
    ImpossibleState,
    InvalidState,
    no_way_back,
    one_way_move,
    shorten,
)
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import Board, BoardSide, IndexSide, Letters, Move, Notation, Puzzle, played
from puzzlebase.puzzles.contract.space import Boards, Space
from puzzlebase.puzzles.machinery.listed import listed_space
from puzzlebase.puzzles.machinery.reversible import edge_sums, one_way
from puzzlebase.puzzles.machinery.spaces import SPACES, refused_once
from puzzlebase.puzzles.machinery.squares import letter_squares

LISTED_BY_RULES = 1 << 18  # states listed at most by playing one move after another, about two seconds
FOLLOWED = 1 << 14  # states passed outside the list, or as many as it has if more, to find moves into it

Play = Callable[[str, str], str | None]


def letter_puzzle(
    name: str,
    *,
    solved: str,
    moves: Mapping[str, str],
    play: Play,
    start: str = "",
    alphabet: str = "",
    check: Callable[[str], object] | None = None,
    space: Callable[[], Space] | None = None,
    play_boards: Callable[[Boards], Boards] | None = None,
    permutations: Mapping[str, Sequence[int]] | None = None,
    title: str = "",
    state: str = "",
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle whose states are texts of one length, an ASCII letter or digit in each place.

    Args:
        name: one of its family's names.
        solved: the goal. Spaces and line breaks in it only lay out the picture.
        moves: the names of the moves, each with its group, which a hint may name first.
        play: gives the state after a move, None for an illegal move. It sees only states and moves of the puzzle.
        start: the first state of play, by default the solved one.
        alphabet: the letters allowed in any place; by default those of the solved state, each as often.
        check: raises ImpossibleState for a text of these letters that is no state.
        space: makes the index side. Its boards are the letters, uint8[n, places]; its goal state is the solved one.
            Without it all states that moves lead to are listed, at most LISTED_BY_RULES. The space then raises NoSpace
            where a move cannot be taken back, or the start or an example is not among them.
        play_boards: plays many boards at once, as in `Letters`, which makes batches fast.
        permutations: for each move, the place where each place gets its letter, if moves permute places.
        title: the name for people, by default `name`.
        state: the meaning of the letters, for people.
        published: published numbers of the goal.
    """
    drawing, solved = solved, "".join(solved.split())
    start = start or solved
    if not (solved.isascii() and solved.isalnum()):
        raise ValueError(f"the solved state {solved!r} of {name} is not made of ASCII letters and digits")
    parse = partial(_parse, solved, alphabet, check)
    checked_play = partial(_play, moves, play)
    examples = [start]  # and the states one and two moves on
    for order in ([*moves], [*moves][::-1]):
        examples += [*played(checked_play, examples[-1], order).values()][:1]
    examples = [*dict.fromkeys(examples)]
    listed = partial(_listed, name, parse(solved), examples, [*moves], play)
    return Puzzle(
        name=name,
        title=title or name,
        moves=tuple(Move(move, group) for move, group in moves.items()),
        goals=(Goal("solved", (solved,), start, published),),
        notation=Notation(state or f"{len(solved)} letters, solved {solved}", ", ".join(moves), tuple(examples)),
        board=BoardSide(
            parse=parse,
            format=format_letters,
            play=checked_play,
            drawing=letter_squares(drawing, alphabet, parse, checked_play, permutations or {}),
            letters=Letters(len(solved), play_boards) if play_boards else None,
        ),
        index_side=IndexSide(SPACES.remember(refused_once(name, space or listed))),
    )


def format_letters(board: Board) -> str:
    """Write a board of ASCII letters as text."""
    return board.tobytes().decode("ascii")


def _parse(solved: str, alphabet: str, check: Callable[[str], object] | None, text: str) -> Board:
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
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _play(moves: Mapping[str, str], play: Play, text: str, move: str) -> str:
    if move not in moves:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(moves)}")
    after = play(text, move)
    if after is None:
        legal = " ".join(move for move in moves if play(text, move) is not None)
        raise IllegalMove(f"{move} is not legal in {text!r}", f"legal moves are: {legal}")
    return after


# The index side.


def _listed(name: str, solved: Board, shown: Sequence[str], moves: Sequence[str], play: Play) -> Space:
    """List all states that moves lead to; raise NoSpace for a one-way move, no move, or `shown` states not reached."""
    illegal = "\0" * len(solved)

    def play_boards(boards: Boards) -> Boards:
        texts = [format_letters(board) for board in boards]
        after = "".join([play(text, move) or illegal for text in texts for move in moves])
        return _boards([after], len(solved)).reshape(len(boards), -1, len(solved))

    space = listed_space(solved, play_boards, LISTED_BY_RULES)
    every = np.arange(space.size)
    if edge_sums(every, space.expand(every)).any() and (found := one_way(space.expand, [every])):
        before, after = (format_letters(board) for board in space.unrank(np.array([found.state, found.to])))
        raise one_way_move(name, moves[found.move], before, after)
    goal = format_letters(solved)
    cut_off = _outside(name, space, moves, play)
    for text in shown:
        board = _boards([text], len(solved))
        if space.rank(board)[0] < 0:
            cut_off(board[0])
            raise no_way_back(name, f"none lead from {goal!r}, which is solved, to {text!r}")
    if space.size == 1:
        raise no_way_back(name, f"none leads from {goal!r}, which is solved, to another state")
    return replace(space, cut_off=cut_off)


def _outside(name: str, space: Space, moves: Sequence[str], play: Play) -> Callable[[Board], bool]:
    """Make `Space.cut_off`: it follows the moves of a state outside the space, and remembers the states passed."""
    most = max(space.size, FOLLOWED)
    known: dict[str, bool] = {}

    def cut_off(board: Board) -> bool:
        start = format_letters(board)
        if (before := known.get(start)) is not None:  # another thread may clear them
            return before
        passed, layer = {start}, [start]
        while layer and len(passed) <= most:
            led = {after: (text, move) for text in layer for move in moves if (after := play(text, move))}
            layer = [text for text in led if text not in passed]
            passed.update(layer)
            inside = space.rank(_boards(layer, len(start))) >= 0
            if inside.any():
                after = layer[int(inside.argmax())]
                text, move = led[after]
                raise one_way_move(name, move, text, after)
        if len(known) > LISTED_BY_RULES:
            known.clear()
        known.update(dict.fromkeys(passed, not layer))
        return not layer

    return cut_off


def _boards(texts: Sequence[str], length: int) -> Boards:
    return np.frombuffer("".join(texts).encode("ascii"), np.uint8).reshape(-1, length)

"""Puzzles whose states are letters in places, made from solved states and moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np

from puzzlebase.puzzles.contract.errors import (
    IllegalMove,
    ImpossibleState,
    InvalidState,
    NoSpace,
    check_move,
    no_way_back,
    one_way_move,
    shorten,
)
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import (
    Board,
    BoardSide,
    Drawing,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    played,
)
from puzzlebase.puzzles.contract.space import Boards, Space
from puzzlebase.puzzles.definitions.groups import grouped
from puzzlebase.puzzles.definitions.listed_space import listed_space
from puzzlebase.puzzles.definitions.rules import rules_puzzle
from puzzlebase.puzzles.definitions.squares import Squares
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.puzzles.machinery.reversible import edge_sums, one_way
from puzzlebase.puzzles.machinery.small_graphs import breadth_first
from puzzlebase.puzzles.machinery.spaces import SPACES

MOST_LETTERS = 128  # different ones
LISTED_BY_RULES = 1 << 18  # states listed at most by playing one move after another, about two seconds
FOLLOWED = 1 << 14  # states passed outside the list, or as many as it has if more, to find moves into it
_AT_ONCE = 64  # states of these that are looked for in the list

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
    play_boards: Callable[[Boards], Boards] | None = None,
    permutations: Mapping[str, Sequence[int]] | None = None,
    columns: int = 0,
    title: str = "",
    state: str = "",
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle whose states are texts of one length, a printable character in each place.

    Args:
        name: one of its family's names.
        solved: the goal: a state, several, or a function that tells solved states. With a function a `start` is needed,
            and a build finds the states that it leads to, as in `rules_puzzle`. Spaces and line breaks in the first
            state, or else the start, only lay out the picture.
        moves: the names of the moves, each with its group, which a hint may name first.
        play: gives the state after a move, None for an illegal move. It sees only states and moves of the puzzle.
        start: the first state of play, by default the solved one.
        alphabet: the letters allowed in any place; by default those of the solved state, each as often.
        check: raises ImpossibleState for a text of these letters that is no state.
        space: makes the index side. Its boards are the letters, uint8[n, places]; its goal states are the solved ones.
            Without it all states that moves lead to are listed, at most LISTED_BY_RULES. The space then raises NoSpace
            where a move cannot be taken back, or the start or an example is not among them.
        play_boards: plays many boards at once, as in `Letters`, which makes batches fast.
        permutations: for each move, the place where each place gets its letter, if moves permute places.
        columns: the number of places in a row of the picture, if no line breaks say it.
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
    if columns:
        drawing = "\n".join(first[at : at + columns] for at in range(0, len(first), columns))
    if not (first and letters.isprintable() and len(letters) <= MOST_LETTERS):
        raise ValueError(f"the state {first!r} of {name} is not made of at most {MOST_LETTERS} printable characters")
    if play_boards and not letters.isascii():
        raise ValueError(f"the state {first!r} of {name} is not ASCII: permutations and play_boards need that")
    code, groups = _Code(letters), grouped(moves)
    parse = partial(_parse, code, first, alphabet, check)
    checked_play = partial(_play, moves, play)
    examples = [start]  # and the states one and two moves on
    for order in ([*moves], [*moves][::-1]):
        examples += [*played(checked_play, examples[-1], order).values()][:1]
    examples = [*dict.fromkeys(examples)]
    how = state or f"{len(first)} letters, {'solved' if given else 'as'} {first}"
    listed = partial(_listed, name, code, given, examples, [*moves], play)
    puzzle = Puzzle(
        name=name,
        title=title or name,
        moves=tuple(Move(move, group) for move, group in groups.items()),
        goals=(Goal("solved", tuple(given), start, published),),
        notation=Notation(how, ", ".join(moves), tuple(examples)),
        board=BoardSide(
            parse=parse,
            format=code.text,
            play=checked_play,
            drawing=_letter_squares(drawing, alphabet, parse, checked_play, permutations or {}),
            letters=Letters(len(first), play_boards) if play_boards else None,
        ),
        index_side=IndexSide(SPACES.remember(_refused_once(name, space or listed))),
    )
    return _by_rules(puzzle, solved, play) if callable(solved) else puzzle


def _by_rules(puzzle: Puzzle, solved: Callable[[str], bool], play: Play) -> Puzzle:
    """Return a puzzle whose solved states a function tells. A build finds the states that its start leads to."""

    def legal(text: str) -> list[tuple[str, str]]:
        return [(move.name, after) for move in puzzle.moves if (after := play(text, move.name))]

    def read(text: str) -> str:
        return puzzle.format(puzzle.parse(text))

    def names(text: str) -> list[Move]:
        return [move for move in puzzle.moves if play(read(text), move.name)]

    goal = puzzle.goal()
    made = rules_puzzle(puzzle.name, start=goal.start, solved=solved, moves=legal, read=read, published=goal.published)
    board = replace(puzzle.board, parse=made.board.parse, format=made.board.format, letters=None, at_home=None)
    side = made.index_side and replace(made.index_side, names=names)
    return replace(puzzle, moves=(), board=board, index_side=side)


class _Code:
    """The boards of texts: ASCII codes, or numbers from 128 on if some letter is not ASCII."""

    def __init__(self, letters: str) -> None:
        codes = {} if letters.isascii() else {letter: chr(128 + at) for at, letter in enumerate(letters)}
        self._to, self._back = str.maketrans(codes), str.maketrans({code: letter for letter, code in codes.items()})

    def text(self, board: Board) -> str:
        return board.tobytes().decode("latin-1").translate(self._back)

    def boards(self, texts: Sequence[str], length: int) -> Boards:
        encoded = "".join(texts).translate(self._to).encode("latin-1")
        boards: Boards = np.frombuffer(encoded, np.uint8).reshape(-1, length)
        return boards


def _parse(code: _Code, solved: str, alphabet: str, check: Callable[[str], object] | None, text: str) -> Board:
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
    board: Board = code.boards([text], len(text))[0]
    return board


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
    parse: Callable[[str], Board],
    play: Callable[[str, str], str],
    permutations: Mapping[str, Sequence[int]],
) -> Drawing:
    """Make squares that lie as the letters of a drawing do, divided by spaces and line breaks.

    `alphabet` has all letters; it is empty if moves only move the letters of the drawing. `parse` raises the error of a
    text. `permutations` have, for each move that permutes places, the place where each place gets its letter.
    """

    def contents(text: str) -> Sequence[str]:
        parse(text)
        return text

    where = tuple(
        (row, column)
        for row, line in enumerate(drawing.split("\n"))
        for column, drawn in enumerate(line)
        if not drawn.isspace()
    )
    letters = sorted(set(alphabet or "".join(drawing.split())))
    squares = Squares(contents, play, letters.index, where, not alphabet, permutations)
    return Drawing(layout=squares.layout, effect=squares.effect, permutations=permutations)


# The index side.


def _refused_once(name: str, make: Callable[[], Space]) -> Callable[[Goal], Space]:
    """Return `make` for any goal; a NoSpace is remembered, since finding it out takes long."""
    refused: list[NoSpace] = []

    def space(_goal: Goal) -> Space:
        try:
            if not refused:
                return make()
        except TooManyStates as error:
            many = f"{name} has more than {error.most:,} states, too many to number"
            refused.append(NoSpace(many, "ask about a smaller puzzle; playing and drawing need no numbers"))
        except NoSpace as error:
            refused.append(error.again())  # whose traceback holds nothing
        raise refused[0].again()

    return space


def _listed(
    name: str, code: _Code, solved: Sequence[str], shown: Sequence[str], moves: Sequence[str], play: Play
) -> Space:
    """List all states that moves lead to; raise NoSpace for a one-way move, no move, or `shown` states not reached."""
    goal, length = solved[0], len(solved[0])
    illegal = "\0" * length

    def play_boards(boards: Boards) -> Boards:
        texts = [code.text(board) for board in boards]
        after = "".join([play(text, move) or illegal for text in texts for move in moves])
        return code.boards([after], length).reshape(len(boards), -1, length)

    space = listed_space(code.boards([goal], length)[0], play_boards, LISTED_BY_RULES)
    every = np.arange(space.size)
    if edge_sums(every, space.successors(every)).any() and (found := one_way(space.expand, [every])):
        before, after = (code.text(board) for board in space.unrank(np.array([found.state, found.to])))
        raise one_way_move(name, moves[found.move], before, after)
    cut_off = _outside(name, code, space, moves, play)
    for text in (*solved, *shown):
        board = code.boards([text], length)
        if space.rank(board)[0] < 0:
            cut_off(board[0])
            raise no_way_back(name, f"none lead from {goal!r}, which is solved, to {text!r}")
    if space.size == 1:
        raise no_way_back(name, f"none leads from {goal!r}, which is solved, to another state")
    goal_states = np.sort(space.rank(code.boards(solved, length)))
    return replace(space, goal_states=goal_states, cut_off=cut_off)


def _outside(name: str, code: _Code, space: Space, moves: Sequence[str], play: Play) -> Callable[[Board], bool]:
    """Make `Space.cut_off`: it follows the moves of a state outside the space, and remembers the states passed."""
    most = max(space.size, FOLLOWED)
    known: dict[str, bool] = {}

    def cut_off(board: Board) -> bool:
        start = code.text(board)
        if (before := known.get(start)) is not None:  # another thread may clear them
            return before
        search = breadth_first([start], lambda text: (after for move in moves if (after := play(text, move))))
        passed: set[str] = set()
        while len(passed) <= most and (some := dict(islice(search, _AT_ONCE))):
            passed.update(some)
            inside = space.rank(code.boards([*some], len(start))) >= 0
            if inside.any():
                after, text = [*some.items()][int(inside.argmax())]
                raise one_way_move(name, next(move for move in moves if play(text, move) == after), text, after)
        if len(known) > LISTED_BY_RULES:
            known.clear()
        known.update(dict.fromkeys(passed, not some))
        return not some

    return cut_off

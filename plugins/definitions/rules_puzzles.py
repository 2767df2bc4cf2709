"""Puzzles given by rules in Python. States are any hashable values,
and are found from the start by their moves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.text_squares import text_squares
from puzzlebase.puzzles.contract.errors import (
    BrokenPuzzle,
    IllegalMove,
    InvalidState,
    PuzzleError,
    TooManyStates,
)
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import (
    About,
    Board,
    BoardSide,
    FoundStates,
    IndexSide,
    Move,
    Notation,
    Puzzle,
    Report,
)
from puzzlebase.puzzles.contract.space import (
    Arrays,
    Boards,
    Directed,
    GrowingSpace,
    Indices,
    Space,
    Successors,
)
from puzzlebase.puzzles.machinery.reversible import reversibility_sums

State = TypeVar("State", bound=Hashable)
Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_MOVES = 1 << 12  # of a state
LISTED = 1 << 20
"""States that are listed for a table; a puzzle with more is searched."""
_BYTES_OF_A_STATE = 500
"""The bytes of a small Python object with its place in a dict, while states are met."""

_MEND = "mend its rules; no other puzzle is harmed"


def rules_puzzle(
    name: str,
    *,
    start: State,
    solved: Callable[[State], bool],
    moves: Callable[[State], Iterable[tuple[str, State]]],
    read: Callable[[str], State],
    write: Callable[[State], str] = str,
    title: str = "",
    about: About = About(),  # noqa: B008 -- a frozen record
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle of rules; a move need not lead back.

    Args:
        name: one of its family's names.
        start: the state where play begins. Only states that it leads to are in a table.
        solved: tells a solved state.
        moves: gives the name of each legal move of a state, a text without spaces, and the state
            after it. What stands before a - in a name is what a hint names first.
        read: reads the text of a state; raises ValueError for any other text. A / in a text begins
            a row of the board.
        write: writes the text of a state.
        title: the name for people, by default `name`.
        about: facts for people.
        published: published numbers.

    Raises BrokenPuzzle if rules raise.
    """
    rules = Rules(name, start, solved, moves, read, write)
    examples = [start]
    for _ in range(2):
        examples += [after for _, after in rules.moves(examples[-1]) if after not in examples][:1]

    return Puzzle(
        name=name,
        title=title or name,
        moves=(),
        goals=(Goal("solved", (), rules.write(start), published),),
        notation=Notation(
            f"as {rules.write(start)!r}, where play begins",
            f"as {', '.join(each for each, _ in rules.moves(start)) or 'none'}, the moves "
            "of that state",
            (*map(rules.write, examples),),
        ),
        about=about,
        board=BoardSide(
            parse=rules.parse,
            format=rules.format,
            play=rules.play,
            drawing=text_squares(rules.parse, rules.play),
            at_home=None,
        ),
        index_side=rules.side(),
    )


@dataclass(frozen=True)
class Rules(Generic[State]):
    """The functions of a puzzle's author;
    whatever they do wrong is a BrokenPuzzle that names the puzzle.
    """

    name: str
    start: State
    is_solved: Callable[[State], bool]
    moves_of: Callable[[State], Iterable[tuple[str, State]]]
    read: Callable[[str], State]
    write_state: Callable[[State], str]

    def side(self) -> IndexSide:
        """Make the index side. Raises BrokenPuzzle if rules raise."""
        self.readable(self.start)

        def on_the_fly(goal: Goal, memory: int | None) -> Space:
            return self.growing(goal, LISTED if memory is None else memory // _BYTES_OF_A_STATE)

        def names(text: str) -> list[Move]:
            return [
                Move(move, move.partition("-")[0] or move)
                for move, _ in self.moves(self.state(text))
            ]

        found = FoundStates(_BYTES_OF_A_STATE, self.find, self.found)
        return IndexSide.of_build(self.name, on_the_fly, found, names)

    def solved(self, state: State) -> bool:
        """True for a solved state."""
        found = self._guarded(self.is_solved, state)
        if not isinstance(found, bool | np.bool_):
            raise self._broken(state, f"is solved or not, and the rules say {found!r}")
        return bool(found)

    def moves(self, state: State) -> list[tuple[str, State]]:
        """The legal moves of a state by name, each with the state after it."""
        found = self._guarded(lambda of: [*islice(self.moves_of(of), MOST_MOVES + 1)], state)
        try:
            names = {name: hash(after) for name, after in found}
        except (TypeError, ValueError) as error:
            raise self._broken(
                state, f"has a move that is no name and hashable state: {error}"
            ) from None
        for name in names:
            if not isinstance(name, str) or [name] != name.split() or not name.isprintable():
                raise self._broken(
                    state, f"has a move {name!r}, and names are texts without spaces"
                )
        if len(found) > MOST_MOVES:
            raise self._broken(state, f"has more than {MOST_MOVES:,} moves, if they end at all")
        if len(names) < len(found):
            twice = next(
                name for name, times in Counter(name for name, _ in found).items() if times > 1
            )
            raise self._broken(state, f"has two moves {twice!r}")
        return found

    def write(self, state: State) -> str:
        """The text of a state."""
        text = self._guarded(self.write_state, state)
        if not isinstance(text, str) or not text.isprintable() or not text:
            raise BrokenPuzzle(
                f"{self.name} is broken: it writes {text!r}, which is no text of one line", _MEND
            )
        return text

    def readable(self, state: State) -> str:
        """The text of a state; raises BrokenPuzzle if it does not read as that state."""
        text = self.write(state)
        try:
            same = self.state(text) == state
        except InvalidState as error:
            raise self._broken(state, f"is written and not read: {error}") from None
        if not same:
            raise self._broken(state, "does not read as the state that it is written for")
        return text

    def _broken(self, state: State, what: str) -> BrokenPuzzle:
        return BrokenPuzzle(f"{self.name} is broken: {shorten(self.write(state))!r} {what}", _MEND)

    def _guarded(
        self, function: Callable[[Given], Made], of: Given, *passed: type[Exception]
    ) -> Made:
        try:
            return function(of)
        except Exception as error:
            if isinstance(error, (PuzzleError, MemoryError, *passed)):
                raise
            raise BrokenPuzzle.at(error, self.name) from error

    def state(self, text: str) -> State:
        """The state of a text; raises InvalidState."""
        try:
            return self._guarded(self.read, text, ValueError, LookupError)
        except (ValueError, LookupError) as error:
            why = f": {error}" if str(error) else ""
            example = f"a state looks like {self.write(self.start)!r}"
            raise InvalidState(
                f"{shorten(text)!r} is no state of {self.name}{why}", example
            ) from None

    def parse(self, text: str) -> Board:
        """The board of a text; raises InvalidState."""
        return np.frombuffer(self.write(self.state(text)).encode(), np.uint8)

    def format(self, board: Board) -> str:
        """The text of a board."""
        return board.tobytes().rstrip(b"\0").decode()

    def play(self, text: str, move: str) -> str:
        """The text after a move; raises IllegalMove."""
        legal = self.moves(self.state(text))
        for name, after in legal:
            if name == move:
                return self.write(after)
        names = ", ".join(name for name, _ in legal) or "none"
        raise IllegalMove(
            f"{shorten(move)!r} is not legal in {shorten(text)!r}", f"legal moves are: {names}"
        )

    def find(self, most: int, _threads: int, report: Report) -> tuple[Space, Arrays]:
        """Find the states that the start leads to, and number them in the order of their texts."""
        met = _Met(self, min(most, LISTED))
        met.enter(self.start)
        layers, end, texts = [0], 0, []
        for number, state in enumerate(met.states):  # which grow meanwhile
            if number == end:
                end = len(met.states)
                layers.append(end - number)
                report(layers[-1], end)
            met.follow(number, layers)
            texts.append(self.readable(state).encode())
        every = np.arange(len(met.states))
        order = np.array(sorted(every.tolist(), key=texts.__getitem__), np.int64)
        rank = np.append(np.argsort(order), -1)
        # the last one is found by index -1
        edges = rank[met.edges(np.append(order, -1))].astype(np.int32)
        arrays = {
            "texts": np.frombuffer(b"".join(texts[number] for number in order.tolist()), np.uint8),
            "ends": np.cumsum([0, *(len(texts[number]) for number in order.tolist())]),
            "goal_states": np.flatnonzero(met.solved(order)),
            "slots": np.array([edges.shape[1]]),
            "reversible": np.array(
                [not reversibility_sums(every, Successors.of(edges[:-1].astype(np.int64))).any()]
            ),
        }
        return self._space(arrays, lambda indices: edges[indices].astype(np.int64)), arrays

    def found(self, arrays: Arrays) -> Space:
        """Make the space again, with the moves of the rules;
        raise BrokenPuzzle if they lead out of it.
        """
        texts = _Texts(arrays)

        def successors(index: int) -> list[int]:
            state = self.state(texts[index])
            to = [texts.number(self.write(after)) for _, after in self.moves(state)]
            if min(to, default=0) < 0 or len(to) > arrays["slots"][0]:
                raise self._broken(
                    state, "has moves that its table lacks, which is of other rules: build it anew"
                )
            return to

        def expand(indices: Indices) -> Indices:
            return _rows(
                [successors(index) if index >= 0 else [] for index in indices.tolist()],
                arrays["slots"][0],
            )

        return self._space(arrays, expand)

    def _space(self, arrays: Arrays, expand: Callable[[Indices], Indices]) -> Space:
        texts, goal_states = _Texts(arrays), arrays["goal_states"]

        def solved(indices: Indices) -> npt.NDArray[np.bool_]:
            return np.array(
                [self.solved(self.state(texts[index])) for index in indices.tolist()], np.bool_
            )

        return Space(
            size=len(texts),
            expand=expand,
            goal_states=goal_states,
            rank=lambda boards: np.array(
                [texts.number(self.format(board)) for board in boards], np.int64
            ),
            unrank=lambda indices: _boards([texts[index] for index in indices.tolist()]),
            connected=bool(arrays["reversible"][0]) and len(goal_states) > 0,
            directed=Directed(
                texts.number(self.write(self.start)),
                expand if arrays["reversible"][0] else None,
                solved,
            ),
        )

    def growing(self, goal: Goal, most: int) -> GrowingSpace:
        """Make a space of the states that a search meets."""
        met = _Met(self, most)

        def expand(indices: Indices) -> Indices:
            for index in indices.tolist():
                if index >= 0:
                    met.follow(index)
            return met.edges(indices)

        goal_states = np.array(
            sorted({met.enter(self.state(text)) for text in goal.states}), np.int64
        )
        return GrowingSpace(
            size=most,
            expand=expand,
            goal_states=goal_states,
            rank=lambda boards: np.array(
                [met.enter(self.state(self.format(board))) for board in boards], np.int64
            ),
            unrank=lambda indices: _boards(
                [self.write(met.states[index]) for index in indices.tolist()]
            ),
            directed=Directed(solved=None if goal.states else met.solved),
        )


class _Met(Generic[State]):
    """The states met so far, in order, and the successors of those that were followed."""

    def __init__(self, rules: Rules[State], most: int) -> None:
        self.states: list[State] = []
        self._rules = rules
        self._most = most
        self._numbers: dict[State, int] = {}
        self._moves: dict[int, list[int]] = {}

    def enter(self, state: State, layers: Sequence[int] = ()) -> int:
        """The number of a state, a new one for a new state; raises TooManyStates."""
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            if number >= self._most:
                raise TooManyStates(self._most, [*layers[1:], number - sum(layers)])
            self.states.append(state)
        return number

    def follow(self, number: int, layers: Sequence[int] = ()) -> None:
        """Enter the successors of a state."""
        if number not in self._moves:
            self._moves[number] = [
                self.enter(after, layers) for _, after in self._rules.moves(self.states[number])
            ]

    def edges(self, indices: Indices) -> Indices:
        """The successors of states that were followed, int64[n] -> int64[n, slots]; none for -1."""
        return _rows([self._moves[index] if index >= 0 else [] for index in indices.tolist()])

    def solved(self, indices: Indices) -> npt.NDArray[np.bool_]:
        """True for solved states, int64[n] -> bool[n]."""
        return np.array(
            [self._rules.solved(self.states[index]) for index in indices.tolist()], np.bool_
        )


class _Texts(Sequence[str]):
    """The texts of all states, in order."""

    def __init__(self, arrays: Arrays) -> None:
        self._texts, self._ends = arrays["texts"], arrays["ends"]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        """The text of a number."""
        return self._texts[self._ends[number] : self._ends[number + 1]].tobytes().decode()

    def number(self, text: str) -> int:
        """The number of a text, -1 if it is no state's."""
        found = bisect_left(self, text)
        return found if found < len(self) and self[found] == text else -1


def _rows(successors: Sequence[Sequence[int]], slots: int | None = None) -> Indices:
    """Fill lists of successors up with -1, to `slots` or the longest one."""
    edges = np.full((len(successors), slots or max(map(len, successors), default=0)), -1, np.int64)
    for row, to in zip(edges, successors, strict=True):
        row[: len(to)] = to
    return edges


def _boards(texts: Sequence[str]) -> Boards:
    """The boards of states: their texts, with zeros behind shorter ones."""
    encoded = [text.encode() for text in texts]
    width = max(map(len, encoded), default=0)
    return np.frombuffer(b"".join(text.ljust(width, b"\0") for text in encoded), np.uint8).reshape(
        -1, width
    )

"""Puzzles given by rules in Python. States are any hashable values,
and are found from the start by their moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.text_squares import text_squares
from puzzlebase.plugins.hash_tables import BoardList
from puzzlebase.puzzles.contract.errors import (
    BrokenPuzzle,
    IllegalMove,
    InvalidState,
    PuzzleError,
    TooManyStates,
)
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.layout import Effect, Layout, moved_to
from puzzlebase.puzzles.contract.puzzle import (
    About,
    Board,
    BoardSide,
    Drawing,
    FoundStates,
    IndexSide,
    Move,
    Notation,
    Puzzle,
    Report,
    no_space,
)
from puzzlebase.puzzles.contract.space import (
    Arrays,
    Boards,
    Directed,
    Indices,
    Space,
    Successors,
)
from puzzlebase.puzzles.machinery.reversible import reversibility_sums

State = TypeVar("State", bound=Hashable)
Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_MOVES = 1 << 12  # of a state
LISTED = 10_000_000
"""States that are listed for a table; a puzzle with more is searched."""
_CHUNK = 1 << 12
"""States whose moves are asked for at a time."""
_BYTES_OF_A_STATE = 500
"""The bytes of a small Python object with its place in a dict, while states are met."""
_BYTES_OF_A_FOUND_STATE = 250
"""The bytes of a state for a table: its text and its moves; of three layers the object too."""

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
    layout: Callable[[State], Layout] | None = None,
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
        layout: draws a state, by default the letters of its text in squares. Pieces with equal ids
            before and after a move slide there.
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
            drawing=rules.drawing(layout) if layout else text_squares(rules.parse, rules.play),
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

        found = FoundStates(_BYTES_OF_A_FOUND_STATE, self.find, self.found)
        return IndexSide(no_space(self.name), on_the_fly, found, names)

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

    def drawing(self, layout: Callable[[State], Layout]) -> Drawing:
        """The looks of states that an author's function draws."""

        def layout_of(text: str) -> Layout:
            return self._guarded(layout, self.state(text))

        def effect(text: str, move: str) -> Effect:
            before, after = (
                {piece.id: piece for piece in layout_of(each).pieces}
                for each in (text, self.play(text, move))
            )
            changed = [each for each in before if before[each] != after.get(each)]
            motions = tuple(
                moved_to(before[each], after[each]) for each in changed if each in after
            )
            return Effect((*changed,), motions if before.keys() == after.keys() else None)

        return Drawing(layout=lambda text, _goal: layout_of(text), effect=effect)

    def find(self, most: int, _threads: int, report: Report) -> tuple[Space, Arrays]:
        """Find the states that the start leads to, and number them in the order of finding."""
        most = min(most, LISTED)
        listed = _ListedTexts(_boards([self.readable(self.start)])[0])
        numbers = {self.start: 0}  # of the states of a layer, of the one before and the next
        layer, layers = [self.start], [1]
        parts: list[Indices] = []
        solved: list[bool] = []
        sums = np.zeros(2, np.uint64)
        while layer:
            report(len(layer), listed.count)
            following: list[State] = []
            for first in range(0, len(layer), _CHUNK):
                states, known = layer[first : first + _CHUNK], listed.count
                after = [[to for _, to in self.moves(state)] for state in states]
                new = dict.fromkeys(to for each in after for to in each if to not in numbers)
                entered = listed.enter_boards(_boards([*map(self.readable, new)]))
                if listed.count > most:
                    raise TooManyStates(most, [*layers, most - sum(layers)])
                numbers |= zip(new, entered.tolist(), strict=True)
                following += [to for to in new if numbers[to] >= known]
                rows = _rows([[numbers[to] for to in each] for each in after])
                indices = np.arange(len(states)) + numbers[states[0]]
                sums += reversibility_sums(indices, Successors.of(rows))
                parts.append(rows.astype(np.int32))
                solved += map(self.solved, states)
            layers.append(len(following))
            numbers = {state: numbers[state] for state in chain(layer, following)}
            layer = following
        # the last row is that of index -1
        edges = np.full((listed.count + 1, max(rows.shape[1] for rows in parts)), -1, np.int32)
        first = 0
        for rows in parts:
            edges[first : first + len(rows), : rows.shape[1]] = rows
            first += len(rows)
        arrays = {
            **listed.arrays,
            "goal_states": np.flatnonzero(solved),
            "most_moves": np.array([edges.shape[1]]),
            "reversible": np.array([not sums.any()]),
        }
        return self._space(arrays, lambda indices: edges[indices].astype(np.int64)), arrays

    def found(self, arrays: Arrays) -> Space:
        """Make the space again, with the moves of the rules;
        raise BrokenPuzzle if they lead out of it.
        """
        listed, most = _ListedTexts.of_arrays(arrays), arrays["most_moves"][0]

        def expand(indices: Indices) -> Indices:
            states = [*map(self.state, listed.texts(indices))]
            after = [[self.write(to) for _, to in self.moves(state)] for state in states]
            numbers = iter(listed.number(_boards([*chain.from_iterable(after)])).tolist())
            successors = [[*islice(numbers, len(each))] for each in after]
            for state, to in zip(states, successors, strict=True):
                if min(to, default=0) < 0 or len(to) > most:
                    raise self._broken(
                        state,
                        "has moves that its table lacks, which is of other rules: build it anew",
                    )
            rows = _rows(successors, most)
            rows[indices < 0] = -1
            return rows

        return self._space(arrays, expand)

    def _space(self, arrays: Arrays, expand: Callable[[Indices], Indices]) -> Space:
        listed, goal_states = _ListedTexts.of_arrays(arrays), arrays["goal_states"]

        def solved(indices: Indices) -> npt.NDArray[np.bool_]:
            return np.array([*map(self.solved, map(self.state, listed.texts(indices)))], np.bool_)

        return Space(
            size=listed.count,
            expand=expand,
            goal_states=goal_states,
            rank=listed.number,
            unrank=listed.boards,
            connected=bool(arrays["reversible"][0]) and len(goal_states) > 0,
            directed=Directed(
                int(listed.number(_boards([self.write(self.start)]))[0]),
                expand if arrays["reversible"][0] else None,
                solved,
            ),
        )

    def growing(self, goal: Goal, most: int) -> Space:
        """Make a space of the states that a search meets."""
        met: list[State] = []
        numbers: dict[State, int] = {}
        successors: dict[int, list[int]] = {-1: []}

        def enter(state: State) -> int:
            number = numbers.setdefault(state, len(met))
            if number == len(met):
                if number >= most:
                    raise TooManyStates(most)
                met.append(state)
            return number

        def expand(indices: Indices) -> Indices:
            for index in indices.tolist():
                if index not in successors:
                    successors[index] = [enter(after) for _, after in self.moves(met[index])]
            return _rows([successors[index] for index in indices.tolist()])

        def solved(indices: Indices) -> npt.NDArray[np.bool_]:
            return np.array([self.solved(met[index]) for index in indices.tolist()], np.bool_)

        goal_states = {enter(self.state(text)) for text in goal.states}
        return Space(
            grows=True,
            size=most,
            expand=expand,
            goal_states=np.array(sorted(goal_states), np.int64),
            rank=lambda boards: np.array(
                [enter(self.state(self.format(board))) for board in boards], np.int64
            ),
            unrank=lambda indices: _boards([self.write(met[index]) for index in indices.tolist()]),
            directed=Directed(solved=None if goal.states else solved),
        )


class _ListedTexts(BoardList):
    """Texts, numbered in the order of entry. A board has the bytes of one, and zeros behind."""

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """Take the `arrays` of another list; enter no more."""
        listed = cls(np.zeros(arrays["length"][0], np.uint8))
        listed.adopt(arrays["listed"], arrays["slots"])
        return listed

    @property
    def arrays(self) -> Arrays:
        """The boards and the hash table, and the length of a board."""
        return {**super().arrays, "length": np.array([self._length])}

    def texts(self, numbers: Indices) -> list[str]:
        """The texts of numbers."""
        return [board.tobytes().rstrip(b"\0").decode() for board in self.boards(numbers)]

    def number(self, boards: Boards) -> Indices:
        """The numbers of boards, uint8[n, any width] -> int64[n]; -1 for one that is not listed."""
        numbers = self.find(self._fitted(boards))
        numbers[boards[:, self._length :].any(axis=1)] = -1
        return numbers

    def enter_boards(self, boards: Boards) -> npt.NDArray[np.int32]:
        """The numbers of boards, new ones for new boards; wider ones widen all."""
        if boards.shape[1] > self._length:
            former = self.boards(np.arange(self.count))
            self._length = boards.shape[1]
            former = self._fitted(former)
            BoardList.__init__(self, former[0])
            self.enter_boards(former)
        return self.enter(self._fitted(boards))

    def _fitted(self, boards: Boards) -> Boards:
        """Boards cut, or filled up with zeros, to the width of all."""
        fitted = np.zeros((len(boards), self._length), np.uint8)
        both = min(fitted.shape[1], boards.shape[1])
        fitted[:, :both] = boards[:, :both]
        return fitted


def _rows(successors: Sequence[Sequence[int]], slots: int | None = None) -> Indices:
    """Fill lists of successors up with -1, to `slots` or the longest one."""
    edges = np.full((len(successors), slots or max(map(len, successors), default=0)), -1, np.int64)
    for row, to in zip(edges, successors, strict=True):
        row[: len(to)] = to
    return edges


def _boards(texts: Sequence[str]) -> Boards:
    """The boards of texts, with zeros behind shorter ones."""
    encoded = [text.encode() for text in texts]
    width = max(map(len, encoded), default=1)
    return np.array(encoded, f"S{width}").view(np.uint8).reshape(len(texts), width)

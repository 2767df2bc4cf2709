"""Puzzles given by rules in Python. States are any hashable values, and are found from the start by their moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.errors import BrokenPuzzle, IllegalMove, InvalidState, PuzzleError, shorten
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.puzzle import About, Board, BoardSide, IndexSide, Move, Notation, Puzzle
from puzzlebase.puzzles.contract.space import Boards, Directed, GrowingSpace, Indices, Space
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.puzzles.machinery.reversible import edge_sums
from puzzlebase.puzzles.machinery.spaces import SPACES, refused_once
from puzzlebase.puzzles.machinery.squares import text_squares

State = TypeVar("State", bound=Hashable)
Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_MOVES = 1 << 12  # of a state
LISTED = 1 << 20
"""States that are listed for a table; a puzzle with more is searched."""
_BYTES_OF_A_STATE = 500
"""Of a small Python object with its place in a dict, while a search meets states."""

_MEND = "mend its rules; no other puzzle is harmed"


def rules_puzzle(
    name: str,
    *,
    start: State,
    solved: Callable[[State], bool],
    moves: Callable[[State], Iterable[tuple[str, State]]],
    read: Callable[[str], State],
    write: Callable[[State], str] = str,
    names: Sequence[str] = (),
    title: str = "",
    about: About = About(),  # noqa: B008 -- a frozen record
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle of rules; a move need not lead back.

    Args:
        name: one of its family's names.
        start: the state where play begins. Only states that it leads to are in a table.
        solved: tells a solved state.
        moves: gives the name of each legal move of a state, and the state after it. The first word of a name is what
            a hint names first.
        read: reads the text of a state; raises ValueError for any other text. A / in a text begins a row of the board.
        write: writes the text of a state.
        names: all names that moves may have. By default the states are listed at once to find them.
        title: the name for people, by default `name`.
        about: facts for people.
        published: published numbers.

    Raises NoSpace where names are to be found and there are more than LISTED states, BrokenPuzzle where rules raise.
    """
    rules = _Rules(name, start, solved, moves, read, write)
    rules.check(start)
    listed = None if names else rules.listed(LISTED)
    names = tuple(names or listed.names)  # type: ignore[union-attr]
    examples = [start]
    for _ in range(2):
        examples += [after for _, after in rules.moves(examples[-1]) if after not in examples][:1]

    def space() -> Space:
        return (listed or rules.listed(LISTED)).space(names)

    def on_the_fly(_goal: Goal, memory: int | None) -> Space:
        return rules.growing(names, LISTED if memory is None else memory // _BYTES_OF_A_STATE)

    return Puzzle(
        name=name,
        title=title or name,
        moves=tuple(Move(each, each.split()[0]) for each in names),
        goals=(Goal("solved", (), rules.write(start), published),),
        notation=Notation(f"as {rules.write(start)!r}, where play begins", ", ".join(names), (*map(write, examples),)),
        about=about,
        board=BoardSide(
            parse=rules.parse,
            format=rules.format,
            play=rules.play,
            drawing=text_squares(rules.parse, rules.play),
            at_home=None,
        ),
        index_side=IndexSide(SPACES.remember(refused_once(name, space)), on_the_fly),
    )


@dataclass(frozen=True)
class _Rules(Generic[State]):
    """The functions of a puzzle's author, whose errors name the puzzle."""

    name: str
    start: State
    is_solved: Callable[[State], bool]
    moves_of: Callable[[State], Iterable[tuple[str, State]]]
    read: Callable[[str], State]
    write_state: Callable[[State], str]

    def solved(self, state: State) -> bool:
        found = self._guarded(self.is_solved, state)
        if not isinstance(found, bool | np.bool_):
            raise self._broken(state, f"is solved or not, and the rules say {found!r}")
        return bool(found)

    def moves(self, state: State) -> list[tuple[str, State]]:
        found = self._guarded(lambda of: [*islice(self.moves_of(of), MOST_MOVES + 1)], state)
        try:
            names = {name: hash(after) for name, after in found}
        except (TypeError, ValueError) as error:
            raise self._broken(state, f"has a move that is no name and hashable state: {error}") from None
        if wrong := [
            name for name in names if not isinstance(name, str) or [name] != name.split() or not name.isprintable()
        ]:
            raise self._broken(state, f"has a move {wrong[0]!r}, and names are texts without spaces")
        if len(found) > MOST_MOVES:
            raise self._broken(state, f"has more than {MOST_MOVES:,} moves, if they end at all")
        if len(names) < len(found):
            twice = next(name for name, times in Counter(name for name, _ in found).items() if times > 1)
            raise self._broken(state, f"has two moves {twice!r}")
        return found

    def write(self, state: State) -> str:
        text = self._guarded(self.write_state, state)
        if not isinstance(text, str) or not text.isprintable() or not text:
            raise BrokenPuzzle(f"{self.name} is broken: it writes {text!r}, which is no text of one line", _MEND)
        return text

    def check(self, state: State) -> None:
        """Raise BrokenPuzzle for a state that does not read as it is written."""
        try:
            same = self.state(self.write(state)) == state
        except InvalidState as error:
            raise self._broken(state, f"is written and not read: {error}") from None
        if not same:
            raise self._broken(state, "does not read as the state that it is written for")

    def _broken(self, state: State, what: str) -> BrokenPuzzle:
        return BrokenPuzzle(f"{self.name} is broken: {shorten(self.write(state))!r} {what}", _MEND)

    def _guarded(self, function: Callable[[Given], Made], of: Given, *passed: type[Exception]) -> Made:
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
            raise InvalidState(f"{shorten(text)!r} is no state of {self.name}{why}", example) from None

    def parse(self, text: str) -> Board:
        return np.frombuffer(self.write(self.state(text)).encode(), np.uint8)

    def format(self, board: Board) -> str:
        return board.tobytes().rstrip(b"\0").decode()

    def play(self, text: str, move: str) -> str:
        legal = self.moves(self.state(text))
        for name, after in legal:
            if name == move:
                return self.write(after)
        names = ", ".join(name for name, _ in legal) or "none"
        raise IllegalMove(f"{shorten(move)!r} is not legal in {shorten(text)!r}", f"legal moves are: {names}")

    def listed(self, most: int) -> _Listed[State]:
        """List the states that the start leads to; raises TooManyStates."""
        listed = _Listed(self, most)
        listed.enter(self.start)
        for number, state in enumerate(listed.states):  # which grow meanwhile
            listed.follow(number)
            self.check(state)
        return listed

    def growing(self, names: Sequence[str], most: int) -> GrowingSpace:
        """Make a space of the states that a search meets."""
        met = _Listed(self, most)

        def expand(indices: Indices) -> Indices:
            for index in indices.tolist():
                if index >= 0:
                    met.follow(index)
            return met.edges(names, indices)

        return GrowingSpace(
            size=most,
            expand=expand,
            goal_states=np.empty(0, np.int64),
            rank=lambda boards: np.array([met.enter(self.state(self.format(board))) for board in boards], np.int64),
            unrank=met.boards,
            directed=Directed(solved=met.solved),
        )


class _Listed(Generic[State]):
    """States in the order in which they were met, and the moves of those that were followed."""

    def __init__(self, rules: _Rules[State], most: int) -> None:
        self.states: list[State] = []
        self.names: dict[str, None] = {}
        self._rules = rules
        self._most = most
        self._numbers: dict[State, int] = {}
        self._moves: dict[int, dict[str, int]] = {}

    def enter(self, state: State) -> int:
        """The number of a state, a new one for a new state; raises TooManyStates."""
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            if number >= self._most:
                raise TooManyStates(self._most)
            self.states.append(state)
        return number

    def follow(self, number: int) -> None:
        """Enter the states after the moves of one."""
        if number not in self._moves:
            after = self._rules.moves(self.states[number])
            self._moves[number] = {name: self.enter(state) for name, state in after}
            self.names |= dict.fromkeys(self._moves[number])

    def edges(self, names: Sequence[str], indices: Indices) -> Indices:
        """The successors of states that were followed, int64[n] -> int64[n, names]; -1 without a move and for -1."""
        column = {name: at for at, name in enumerate(names)}
        edges = np.full((len(indices), len(names)), -1, np.int64)
        for row, index in enumerate(indices.tolist()):
            for name, to in self._moves[index].items() if index >= 0 else ():
                if name not in column:
                    raise BrokenPuzzle(
                        f"{self._rules.name} is broken: it has a move {shorten(name)!r}, which is not among its names",
                        "give all names that moves may have, or none",
                    )
                edges[row, column[name]] = to
        return edges

    def solved(self, indices: Indices) -> npt.NDArray[np.bool_]:
        """True for solved states, int64[n] -> bool[n]."""
        return np.array([self._rules.solved(self.states[index]) for index in indices.tolist()], np.bool_)

    def boards(self, indices: Indices) -> Boards:
        """The boards of states: their texts, with zeros behind shorter ones."""
        texts = [self._rules.write(self.states[index]).encode() for index in indices.tolist()]
        width = max(map(len, texts), default=0)
        return np.frombuffer(b"".join(text.ljust(width, b"\0") for text in texts), np.uint8).reshape(-1, width)

    def space(self, names: Sequence[str]) -> Space:
        """The space of all states, where all were followed."""
        every = np.arange(len(self.states))
        edges = self.edges(names, np.append(every, -1)).astype(np.int32)  # the last one is found by index -1
        goal_states = np.flatnonzero(self.solved(every))
        closed = not edge_sums(every, edges[:-1].astype(np.int64)).any()
        return Space(
            size=len(every),
            expand=lambda indices: edges[indices].astype(np.int64),
            goal_states=goal_states,
            rank=self._rank,
            unrank=self.boards,
            connected=closed and len(goal_states) > 0,
            directed=None if closed else Directed(start=0, solved=self.solved),
        )

    def _rank(self, boards: Boards) -> Indices:
        rules = self._rules
        return np.array([self._numbers.get(rules.state(rules.format(board)), -1) for board in boards], np.int64)

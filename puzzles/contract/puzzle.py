"""The record of a puzzle, and that of a family of puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.errors import did_you_mean, shorten
from puzzlebase.puzzles.contract.engines import Engine, GraphSearch, PatternDatabases, WholeTable
from puzzlebase.puzzles.contract.errors import IllegalMove, NoSpace, UnknownGoal, no_index_side
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Effect, Layout
from puzzlebase.puzzles.contract.space import Arrays, Boards, Signed, Space

Board = npt.NDArray[np.uint8]
# gets the states of each layer from the start, and those found so far
Report = Callable[[int, int], None]
AnEngine = TypeVar("AnEngine", bound=Engine)


def places_at_home(solved: Boards, boards: Boards, blanks: str = ".-:|") -> Signed:
    """The `at_home` of a puzzle: count places as when solved, uint8[places],
    uint8[n, places] -> int64[n]; `blanks` are letters for no piece.
    """
    pieces = ~np.isin(solved, np.frombuffer(blanks.encode("ascii"), np.uint8))
    at_home: Signed = np.count_nonzero(boards[:, pieces] == solved[pieces], axis=1)
    return at_home


def format_board(board: Board) -> str:
    """The `format` of a puzzle whose boards are of ASCII letters: a board as text."""
    return board.tobytes().decode("ascii")


@dataclass(frozen=True, slots=True)
class Move:
    """A move as players name it, and its group (wheel, track, post, tile),
    which a hint may name first.
    """

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Notation:
    """Words for people: the characters of a state, the names of the moves, and states to try."""

    state: str
    moves: str
    examples: tuple[str, ...]  # the last one is shown if the puzzle has no table


@dataclass(frozen=True, slots=True)
class ExampleMove:
    """A move of a state, for a picture beside the instructions."""

    state: str
    move: str
    meaning: str  # what the move does, in a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Facts for the list of puzzles;
    `family`, `rules` and `unused` are those of the puzzle's family.
    """

    family: str = ""
    rules: str = ""
    unused: tuple[str, ...] = ()
    inventor: str | None = None
    link: str | None = None  # to more about the puzzle
    sentence: str | None = None  # describes the puzzle
    instructions: str | None = None  # tell what is solved and what a move is
    example: ExampleMove | None = None  # shows how a move is written


@dataclass(frozen=True, slots=True)
class Letters:
    """Fast batches for states of `length` ASCII characters; boards hold the characters themselves.

    `play` maps boards uint8[n, length] to those after each move, uint8[n, moves, length], in the
    caller's own letters. Boards after an illegal move have no meaning. The space must not rank a
    text that `parse` refuses.
    """

    length: int
    play: Callable[[Boards], Boards]

    def fits(self, text: str) -> bool:
        """True if a text can be a board."""
        return len(text) == self.length and text.isascii()

    def board(self, text: str) -> Boards:
        """The board of a text that fits, uint8[1, length]."""
        return np.frombuffer(text.encode("ascii"), np.uint8).reshape(1, -1)

    def texts(self, boards: Boards) -> list[str]:
        """The texts of boards, uint8[n, length]."""
        joined = boards.tobytes().decode("latin-1")  # after an illegal move any bytes
        return [joined[at : at + self.length] for at in range(0, len(joined), self.length)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The looks of a puzzle.

    One law ties it to `play`: a move's effect takes the pieces of a state to the pieces of the
    state after it, though pieces that look alike may exchange ids.
    """

    # of a text, with the goal if that is part of the puzzle; raises as `parse`
    layout: Callable[[str, Goal], Layout]
    effect: Callable[[str, str], Effect]  # of a legal move, by its name, on the layout of a text
    styles: Mapping[str, Callable[[str, Goal], Layout]] = field(default_factory=dict)
    """Other layouts by name, with pieces of the same ids in the same places."""
    permutations: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """For each move, the place where each place of the layout gets its piece;
    empty unless all moves permute places.
    """
    listed: Callable[[str], Sequence[Move]] | None = (
        None  # the legal moves that a board lists of a text; None for all
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSide:
    """The side of texts: states are read, played and shown."""

    parse: Callable[[str], Board]
    """The board of a text: uint8[places], or uint16 without an index side.
    Raises InvalidState or ImpossibleState.
    """
    format: Callable[[Board], str]  # the inverse of `parse`
    # the text after a move, by its name, in the caller's letters; raises IllegalMove
    play: Callable[[str, str], str]
    drawing: Drawing
    letters: Letters | None = (
        None  # only makes batches fast, for puzzles with one ASCII character a place
    )
    canonical: Callable[[str], str] = str
    """A text shared by states that are equal up to renaming letters;
    goals with equal ones share a table.
    """
    at_home: Callable[[Boards, Boards], Signed] | None = places_at_home
    """Counts pieces at home, by the solved board,
    in boards uint8[n, places] -> int64[n]; None without homes.
    """
    goal_of: Callable[[str], Goal | None] | None = None
    """Makes the goal of a state's text or of such a goal's key;
    None for another text. Raises as `parse`.

    By default every state of the default goal's space is a goal (any_goal.py).
    """
    states_of: Callable[[str, Goal], Boards] | None = None
    """Makes a board for each state of a set by its text, as far as the set or a goal tells states
    apart; raises as `goal_of`.
    """
    part: Callable[[str, str], str] | None = None
    """Names what a legal move moves in a text's state: its group,
    and the label of that piece. By default the group.
    """
    # the number of moves that a move's name stands for
    weight: Callable[[str], int] = lambda _move: 1
    spelled: Callable[[str, str], Sequence[str]] = lambda _state, word: [word]
    """The moves from a text's state that a word stands for,
    as players write a game; by default the word is a move.
    """


@dataclass(frozen=True, slots=True)
class FoundStates:
    """States that only a build knows:
    it finds them from the default goal's start, as for most games.
    """

    bytes_of_a_state: int  # of memory, while states are found and a table is built
    find: Callable[[int, int, Report], tuple[Space, Arrays]]
    """Finds all, by the most states and the threads;
    raises TooManyStates. The arrays are those of `space`.
    """
    # makes the default goal's space again from the arrays that its table's file has
    space: Callable[[Arrays], Space]


@dataclass(frozen=True, slots=True)
class IndexSide:
    """The side of integers: states are numbered."""

    space: Callable[[Goal], Space]  # made once for each goal; raises NoSpace
    on_the_fly: Callable[[Goal, int | None], Space] | None = None
    """Makes a new space for one answer, by goal and bytes of memory,
    or None, for puzzles whose `space` raises NoSpace.

    States get their indices as searches meet them.
    Raises ImpossibleState for a goal that cannot be reached.
    """
    found: FoundStates | None = (
        None  # if states are found from the start, and a table's file numbers them
    )
    names: Callable[[str], Sequence[Move]] | None = None
    """The moves of a text's state, as `expand` orders them,
    if they depend on the state; raises as `parse`.
    """


def no_space(name: str) -> Callable[[Goal], Space]:
    """The `space` of a puzzle whose states a build finds: it raises NoSpace,
    so that searches go on the fly.
    """

    def space(_goal: Goal) -> Space:
        raise NoSpace(
            f"the states of {name} are numbered by its table",
            "build its table, or leave out the index",
        )

    return space


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle: data with two sides, the board side of texts and the index side of integers.

    One law ties them: index(play(text, move)) == expand(index(text))[move]. If a move leads from
    one state to another, some move leads back, but in games that are given by rules or as levels.
    """

    name: str
    title: str  # for people
    moves: tuple[Move, ...]
    """The moves in the order of `expand`; none if they depend on the state.
    Without an index side others may exist.
    """
    goals: tuple[Goal, ...]  # the default first
    notation: Notation
    about: About = About()
    board: BoardSide
    index_side: IndexSide | None  # None if there are too many states for any space
    # in the order in which they are asked
    engines: tuple[Engine, ...] = (WholeTable(), GraphSearch())

    def __repr__(self) -> str:
        return f"<puzzle {self.name}: {self.title}>"

    def engine(self, kind: type[AnEngine]) -> AnEngine | None:
        """The first engine of a kind."""
        return next((engine for engine in self.engines if isinstance(engine, kind)), None)

    def pattern_names(self, goal: Goal) -> tuple[str, ...]:
        """The names of the abstractions whose tables a search needs;
        none without patterns for the goal.
        """
        engine = self.engine(PatternDatabases)
        patterns = engine.patterns(goal) if engine else None
        return patterns.tables if patterns else ()

    def goal(self, name: str | None = None) -> Goal:
        """The goal of a name or a state, by default the first;
        raises UnknownGoal, or as `parse`.
        """
        if name is None:
            return self.goals[0]
        for goal in self.goals:
            if goal.name == name:
                return goal
        if self.board.goal_of and (made := self.board.goal_of(name)):
            return made
        state = f", or a state like {self.goals[0].start!r}" if self.board.goal_of else ""
        names = [goal.name for goal in self.goals]
        raise UnknownGoal(
            f"{self.name} has no goal {shorten(name)!r}",
            f"{did_you_mean(name, names)}its goals are: {', '.join(names)} (the first is the "
            f"default){state}",
        )

    def table_name(self, goal: Goal) -> str:
        """The name of a goal's table: the puzzle's name for its default goal; raises NoSpace."""
        if not self.enumerable:
            raise no_index_side(self.name)
        return self.name if goal.key == self.goals[0].key else f"{self.name}@{goal.key}"

    @property
    def enumerable(self) -> bool:
        """True if the puzzle has an index side."""
        return self.index_side is not None

    def parse(self, text: str) -> Board:
        """The board of a text; raises InvalidState or ImpossibleState."""
        return self.board.parse(text)

    def format(self, board: Board) -> str:
        """The text of a board."""
        return self.board.format(board)

    def play(self, text: str, move: str) -> str:
        """The text after a move; raises IllegalMove."""
        return self.board.play(text, move)

    def part(self, text: str, move: Move) -> str:
        """The part that a legal move of a text's state moves, as hints name it."""
        return self.board.part(text, move.name) if self.board.part else move.group

    @property
    def found(self) -> FoundStates | None:
        """The states that only a build knows,
        if the puzzle is one whose table's file numbers them.
        """
        return self.index_side.found if self.index_side else None

    @property
    def names_vary(self) -> bool:
        """True if the moves depend on the state."""
        return self.index_side is not None and self.index_side.names is not None

    def moves_of(self, text: str) -> Sequence[Move]:
        """The moves of a text's state in the order of `expand`;
        all moves if they do not depend on the state.
        """
        names = self.index_side and self.index_side.names
        return names(text) if names else self.moves

    def played(self, text: str, names: Iterable[str] | None = None) -> dict[str, str]:
        """The states after legal moves of a text's state by the names of these, or of all moves."""
        return states_after_moves(
            self.play, text, [move.name for move in self.moves_of(text)] if names is None else names
        )

    def after_moves(self, text: str) -> list[str]:
        """The text after each move, "" after an illegal one.
        Slow, but it works for states outside every space.
        """
        after = self.played(text)
        return [after.get(move.name, "") for move in self.moves_of(text)]

    def space(self, goal: Goal) -> Space:
        """The space of a goal; raises NoSpace."""
        if self.index_side is None:
            raise no_index_side(self.name)
        return self.index_side.space(goal)

    def index(self, text: str, goal: Goal) -> int:
        """The index of a state, -1 outside the goal's space; raises as `parse`."""
        return int(self.space(goal).rank(self.parse(text)[None, :])[0])

    def text(self, index: int, goal: Goal) -> str:
        """The state of an index, in the puzzle's own letters."""
        return self.format(self.space(goal).unrank(np.array([index], np.int64))[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """The FAMILY of a puzzle file: the names of its puzzles, and the function that makes them."""

    name: str
    pattern: re.Pattern[str]  # matches the whole names of its puzzles, before anything is made
    members: tuple[str, ...]  # names worth listing; the laws are tested for these
    make: Callable[[str], Puzzle]  # the puzzle of a matching name
    title: str = ""  # for people, by default `name`
    template: str = ""  # the form of the names, for people, by default `members`
    example: str = (
        ""  # the member that shows best how states and moves are written, by default the first
    )
    # more names worth listing, of puzzles that are too large for the tests of laws
    larger: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()  # patterns among them, which lists name only if they are built
    titles: Mapping[str, str] = field(default_factory=dict)
    """The titles of members that lists show without making them,
    since there are many: levels of a file.
    """
    place: int = 100  # its position in lists; equal ones are ordered by the names of their files
    extra: Mapping[str, str] = field(default_factory=dict)
    """Texts "module:attribute",
    by the word that plugins and other families ask for; imported when needed.
    """
    rules: str = (
        ""  # a digest of the files of rules and drawings; empty where they are part of the program
    )
    unused: tuple[str, ...] = ()
    """Sentences, each about something in its file that is not used,
    with the file and perhaps the line.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name)
        object.__setattr__(self, "example", self.example or self.members[0])
        object.__setattr__(self, "template", self.template or ", ".join(self.members))

    @property
    def listed(self) -> tuple[str, ...]:
        """Every name worth listing."""
        return self.members + self.larger

    @classmethod
    def of(cls, puzzle: Puzzle) -> Family:
        """Make a family of one puzzle."""
        return cls(
            name=puzzle.name,
            pattern=re.compile(re.escape(puzzle.name)),
            members=(puzzle.name,),
            make=lambda _name: puzzle,
            title=puzzle.title,
        )


def states_after_moves(
    play: Callable[[str, str], str], text: str, moves: Iterable[str]
) -> dict[str, str]:
    """The states after some legal moves of a puzzle."""
    after = {}
    for move in moves:
        with suppress(IllegalMove):
            after[move] = play(text, move)
    return after


def check_move(move: str, moves: Collection[str]) -> None:
    """Raise IllegalMove if there is no such move among all moves of a puzzle."""
    if move not in moves:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(moves)}")

"""The record of a puzzle, and that of a family of puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.at_home import places_as_solved
from puzzlebase.puzzles.contract.engines import Engine, GraphSearch, Need, WholeTable
from puzzlebase.puzzles.contract.errors import IllegalMove, UnknownGoal, did_you_mean, no_space, shorten
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Effect, Layout
from puzzlebase.puzzles.contract.space import Boards, Signed, Space

Board = npt.NDArray[np.uint8]
AnEngine = TypeVar("AnEngine", bound=Engine)


@dataclass(frozen=True, slots=True)
class Move:
    """A move as players name it, and its group (wheel, track, post, tile), which a hint may name first."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Notation:
    """For people: the characters of a state, the names of the moves, and states to try.

    The last example is shown where the puzzle has no table.
    """

    state: str
    moves: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """For a lobby: the inventor, a link to more, what the puzzle is, and what one does until it is solved.

    `family` and `rules` are by default those of the family that the puzzle is found in.
    """

    family: str = ""
    rules: str = ""
    inventor: str | None = None
    link: str | None = None
    sentence: str | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Letters:
    """Makes batches fast where a state is `length` ASCII characters and a board holds these characters.

    `play` maps boards uint8[n, length] to the boards after each move, uint8[n, moves, length], in the caller's own
    letters; after a move that is not legal they have no meaning. The space must rank no text that `parse` refuses,
    since what it ranks is not parsed.
    """

    length: int
    play: Callable[[Boards], Boards]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The looks of a puzzle.

    One law ties it to `play`: the pieces of a state, moved as the effect of a move says, are the pieces of the state
    after it, though pieces that look alike may have each other's ids.

    Attributes:
        layout: (text, goal) -> the state as it looks, with the goal if that is part of the puzzle. Raises as `parse`.
        effect: (text, a legal move's name) -> what the move does to the pieces of that layout.
        styles: further layouts by name, with pieces of the same ids in the same places.
        permutations: where all moves are legal in every state and permute places: for each move, the place that each
            place of the layout gets its piece from. Else empty.
        listed: text -> the legal moves that a board lists, some of whose names may say amounts; by default all.
    """

    layout: Callable[[str, Goal], Layout]
    effect: Callable[[str, str], Effect]
    styles: Mapping[str, Callable[[str, Goal], Layout]] = field(default_factory=dict)
    permutations: Mapping[str, Sequence[int]] = field(default_factory=dict)
    listed: Callable[[str], Sequence[Move]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSide:
    """The side of texts: how states are read, played and shown.

    Attributes:
        parse: text -> board, uint8[places], or uint16 where its numbers are larger and it has no index. Raises
            InvalidState or ImpossibleState.
        format: board -> text, the inverse of `parse`.
        play: (text, move's name) -> the text after the move, in the caller's own letters. Raises IllegalMove.
        drawing: its looks; by default squares side by side (`drawing_of`).
        letters: only makes batches fast, for puzzles with one ASCII character a place.
        canonical: text -> a text that states share if they are equal up to renaming their letters. Goals whose states
            have equal ones share a table.
        at_home: (solved board, boards uint8[n, places]) -> the number of pieces of each board that are where they are
            when solved, int64[n]. None where pieces have no homes that one can count.
        goal_of: makes the goal of a state from the state's text or from such a goal's key; None for a text that is
            neither. Raises as `parse`. By default every state of the default goal's space is a goal (any_goal.py).
        weight: the number of moves that a move's name stands for, by default one.
    """

    parse: Callable[[str], Board]
    format: Callable[[Board], str]
    play: Callable[[str, str], str]
    drawing: Drawing | None = None
    letters: Letters | None = None
    canonical: Callable[[str], str] = str
    at_home: Callable[[Boards, Boards], Signed] | None = places_as_solved
    goal_of: Callable[[str], Goal | None] | None = None
    weight: Callable[[str], int] = lambda _move: 1


@dataclass(frozen=True, slots=True)
class IndexSide:
    """The side of integers: how states are numbered.

    Attributes:
        space: goal -> its space, made once. Raises NoSpace.
        on_the_fly: (goal, bytes of memory or None) -> a new space for one answer, where `space` raises NoSpace: states
            get their indices as searches meet them. Raises ImpossibleState for a goal that cannot be reached.
    """

    space: Callable[[Goal], Space]
    on_the_fly: Callable[[Goal, int | None], Space] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle is data with two sides, the board side of texts and the index side of integers.

    One law ties them: index(play(text, move)) == expand(index(text))[move]. The moves of a puzzle are closed under
    inversion: if a move leads from one state to another, some move leads back.

    Attributes:
        name: what the puzzle is called everywhere.
        title: its name for people.
        moves: the moves, in the order of `expand`. Without an index side others may be played too, whose names say an
            amount.
        goals: the named goals, the default first.
        notation: how states and moves are written.
        about: what a lobby shows.
        board: the board side.
        index_side: the index side; None where the puzzle has too many states for any space.
        engines: what can answer for its states, in the order in which they are asked.
    """

    name: str
    title: str
    moves: tuple[Move, ...]
    goals: tuple[Goal, ...]
    notation: Notation
    about: About = About()
    board: BoardSide
    index_side: IndexSide | None
    engines: tuple[Engine, ...] = (WholeTable(), GraphSearch())

    def engine(self, kind: type[AnEngine]) -> AnEngine | None:
        """The engine of a kind, if there is one."""
        return next((engine for engine in self.engines if isinstance(engine, kind)), None)

    def needs(self, kind: type[Engine], goal: Goal) -> tuple[Need, ...] | None:
        """The files from which the engine of a kind answers; None where there is none, or none for the goal."""
        engine = self.engine(kind)
        return engine.needs(self.name, goal) if engine else None

    def goal(self, name: str | None = None) -> Goal:
        """The goal of a name, by default the first, or of a state; raises UnknownGoal, or as `parse`."""
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
            f"{did_you_mean(name, names)}its goals are: {', '.join(names)} (the first is the default){state}",
        )

    def table_name(self, goal: Goal) -> str:
        """The name of a goal's table: the puzzle's alone for its default goal; raises NoSpace."""
        if not self.enumerable:
            raise no_space(self.name)
        return self.name if goal.key == self.goals[0].key else f"{self.name}@{goal.key}"

    @property
    def enumerable(self) -> bool:
        """False where the puzzle has too many states for any space."""
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

    def space(self, goal: Goal) -> Space:
        """The space of a goal; raises NoSpace."""
        if self.index_side is None:
            raise no_space(self.name)
        return self.index_side.space(goal)

    def index(self, text: str, goal: Goal) -> int:
        """The index of a state, -1 where it is outside the goal's space; raises what `parse` raises."""
        return int(self.space(goal).rank(self.parse(text)[None, :])[0])

    def text(self, index: int, goal: Goal) -> str:
        """The state of an index, in the puzzle's own letters."""
        return self.format(self.space(goal).unrank(np.array([index], np.int64))[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The FAMILY of a puzzle file: the names it answers to, and what makes the puzzle of a name.

    Attributes:
        name: what the family is called.
        pattern: matches the whole names of its puzzles, before anything is made.
        members: names worth listing; the laws are tested for these.
        larger: more names worth listing, of puzzles that are too large for that.
        place: its position in lists; equal ones are ordered by the names of their files.
        make: makes the puzzle of a matching name.
        title: the family's name for people, by default `name`.
        template: the form of the names, for people, by default `members`.
        example: the member that shows best how states and moves are written, by default the first.
        known: by a puzzle's name, the number of states of its first goal and its God's number or None, as whole tables
            have shown; tests/proofs holds each table against them.
        extra: what the family has for tools, by their names, as texts "module:attribute" that are imported when needed.
        rules: a digest of the files that rules and drawings are read from; empty where they are part of the program.
    """

    name: str
    pattern: re.Pattern[str]
    members: tuple[str, ...]
    make: Callable[[str], Puzzle]
    title: str = ""
    template: str = ""
    example: str = ""
    larger: tuple[str, ...] = ()
    place: int = 100
    known: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    extra: Mapping[str, str] = field(default_factory=dict)
    rules: str = ""

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
        """A family of one puzzle."""
        return cls(
            name=puzzle.name,
            pattern=re.compile(re.escape(puzzle.name)),
            members=(puzzle.name,),
            make=lambda _name: puzzle,
            title=puzzle.title,
        )


def played(play: Callable[[str, str], str], text: str, moves: Iterable[str]) -> dict[str, str]:
    """The legal ones of some moves, each with the state after it."""
    after = {}
    for move in moves:
        with suppress(IllegalMove):
            after[move] = play(text, move)
    return after

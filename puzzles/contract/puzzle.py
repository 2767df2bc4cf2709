"""What a puzzle is: its record, its goals and moves, and how it looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.at_home import places_as_solved
from puzzlebase.puzzles.contract.errors import IllegalMove, UnknownGoal, did_you_mean, no_space, shorten
from puzzlebase.puzzles.contract.layout import Effect, Layout
from puzzlebase.puzzles.contract.patterns import Pattern, Patterns
from puzzlebase.puzzles.contract.space import Boards, Signed, Space

Board = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Published:
    """What others have published about a goal; a build that disagrees is refused.

    Attributes:
        source: who published it, and where.
        states: how many states can reach the goal, None where this is not known.
        gods_number: the largest distance, None where it is not known.
        layers: how many states are at distance 0, 1, 2, ...: all of these numbers, or none.
        start_distance: the distance of the goal's start, None where it is not known.
    """

    source: str
    states: int | None = None
    gods_number: int | None = None
    layers: tuple[int, ...] = ()
    start_distance: int | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """What solved means.

    Attributes:
        name: what the goal is called among those of its puzzle.
        states: the states at distance 0.
        start: the state where play begins, by default the first of `states`.
        published: what others have published about the goal.
        key: names the goal's table, by default `name`. Goals with equal keys share one table.
    """

    name: str
    states: tuple[str, ...]
    start: str = ""
    published: Published | None = None
    key: str = ""

    def __post_init__(self) -> None:
        if not self.start and self.states:
            object.__setattr__(self, "start", self.states[0])
        if not self.key:
            object.__setattr__(self, "key", self.name)


@dataclass(frozen=True, slots=True)
class Move:
    """A move as players name it, and its group (wheel, track, post, tile), which a hint may name first."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Notation:
    """How a puzzle is written, for people.

    Attributes:
        state: what the characters of a state mean.
        moves: the names of the moves and what they mean.
        examples: states to try; the last is shown where the puzzle has no table.
    """

    state: str
    moves: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a lobby says of a puzzle. What is not known is None.

    Attributes:
        inventor: who invented it.
        link: where others write about it.
        sentence: what it is.
        instructions: what one does and when it is solved, a sentence each.
    """

    inventor: str | None = None
    link: str | None = None
    sentence: str | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Letters:
    """Makes batches fast where a state is `length` ASCII characters and a board holds these characters.

    `play` maps boards uint8[n, length] to the boards after each move, uint8[n, moves, length], in the
    caller's own letters. After a move that is not legal the characters have no meaning. A space of such a puzzle must
    not rank a text that `parse` refuses, so that a ranked text needs no parsing.
    """

    length: int
    play: Callable[[Boards], Boards]


class Solver(Protocol):
    """Exact answers about one goal; any thread may ask. Every method raises what `parse` raises."""

    def distance(self, text: str) -> int:
        """The distance of a state, UNREACHED where the goal cannot be reached."""

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distances of states."""

    def optimal_moves(self, text: str) -> list[str]:
        """The names of the optimal moves of a state; none at the goal or where the goal cannot be reached."""

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one shortest solution, by name, from move number `offset` on; always of the same solution."""

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, or the last state; as fast for a large offset."""


def _no_data() -> dict[str, bytes]:
    return {}


@dataclass(frozen=True, slots=True)
class Oracle:
    """Exact distances by a method of the puzzle's own, for any of its goals. States are texts of any size.

    Attributes:
        load: makes what answers, from the data and a goal; it takes no time to speak of.
        make: makes the data, named blobs that others keep without understanding them. By default an oracle needs no
            data: there is nothing to build, and it always answers.
        draw: a state of the puzzle, each equally likely, when it is given a function that draws an integer below
            another one. Where there is none, random states are walked to.
        certify: writes a certificate to a file, reads it back and has it checked by a program that shares nothing with
            the rest. It gives what has been proved, line by line, and raises NotProved.
    """

    load: Callable[[Mapping[str, bytes], Goal], Solver]
    make: Callable[[], dict[str, bytes]] = _no_data
    draw: Callable[[Callable[[int], int]], str] | None = None
    certify: Callable[[Path], Iterator[str]] | None = None

    @property
    def needs_data(self) -> bool:
        """Whether it answers only when its data have been built."""
        return self.make is not _no_data


@dataclass(frozen=True, slots=True)
class Construction:
    """Solutions found by a method of the puzzle's own, for any of its goals, and a proven lower bound beside each.

    Where the two are equal the distance is known. Each call takes milliseconds. All raise what `parse` raises.

    Attributes:
        reason: why no solution is shorter than the bound, for people.
        bound: (goal, state) -> the fewest moves that a solution can have; None where the goal cannot be reached, 0 at
            the goal alone.
        construct: (goal, state) -> the moves of a solution by name, lazily; always of the same one.
        weight: how many moves the name of a move stands for.
        draw: (goal, a function that draws an integer below another one) -> a state that the goal can be reached from.
            Not all are equally likely.
    """

    reason: str
    bound: Callable[[Goal, str], int | None]
    construct: Callable[[Goal, str], Iterator[str]]
    weight: Callable[[str], int]
    draw: Callable[[Goal, Callable[[int], int]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How a puzzle looks.

    One law ties it to `play`: the pieces of a state, moved as the effect of a move says, are the pieces of the state
    after it, though pieces that look alike may have each other's ids.

    Attributes:
        layout: (text, goal) -> what the state looks like, with the goal where that is part of the puzzle. Raises what
            `parse` raises.
        effect: (text, a legal move's name) -> what the move does to the pieces of that layout.
        styles: further layouts by name, with pieces of the same ids in the same places.
        permutations: where moves permute places and all of them are legal in every state: for each move, for each
            place of the layout, the place its new piece comes from. Empty for other puzzles.
        listed: text -> the legal moves that a board lists, some of whose names may say amounts; by default all legal
            ones of the puzzle's moves.
    """

    layout: Callable[[str, Goal], Layout]
    effect: Callable[[str, str], Effect]
    styles: Mapping[str, Callable[[str, Goal], Layout]] = field(default_factory=dict)
    permutations: Mapping[str, Sequence[int]] = field(default_factory=dict)
    listed: Callable[[str], Sequence[Move]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle is data with two sides, the board side of texts and the index side of integers.

    One law ties them: index(play(text, move)) == expand(index(text))[move]. The moves of a puzzle are closed under
    inversion: if a move leads from one state to another, some move leads back.

    Attributes:
        name: what the puzzle is called everywhere.
        title: its name for people.
        family: the name of its family, by default of the one that it is found in.
        rules: that of its family, by default of the one that it is found in.
        moves: the moves, in the order in which `expand` gives where they lead. A puzzle without an index side may play
            others too, whose names say an amount.
        goals: the named goals, the default first.
        notation: how states and moves are written.
        about: what a lobby says of it.

        parse: text -> board, uint8[places], or uint16 where its numbers are larger and it has no index. Raises
            InvalidState or ImpossibleState.
        format: board -> text, the inverse of `parse`.
        play: (text, move's name) -> the text after the move, in the caller's own letters; the text must parse. Raises
            IllegalMove.
        drawing: how it looks; `drawing_of` makes squares side by side where this is None.
        letters: only makes batches fast, for puzzles with one ASCII character a place.
        canonical: text -> a text that is the same for states that are equal up to renaming their letters. Goals
            whose states have equal texts share a table.
        at_home: (a solved board, boards of the same space) -> how many pieces of each board are where they are in the
            solved one, int64[n]; by default how many places. None where pieces have no homes that one can count.
        goal_of: makes the goal of being in a state from the state's text or from such a goal's key. Gives None for a
            text that is meant as neither, and raises what `parse` raises. A puzzle without it takes every state
            of its default goal's space as a goal (puzzles/machinery/any_goal.py).

        space: goal -> its space, which is kept, so that it is made once. Raises NoSpace.
        growing: (goal, bytes of memory or None) -> a new space for one answer alone, where `space` raises NoSpace: its
            states get their indices as searches meet them (on_the_fly.py). Raises ImpossibleState for a goal that
            cannot be reached.
        enumerable: False where the puzzle has too many states for any space.
        oracle: knows distances without a table.
        construction: finds solutions, not always shortest ones, where nothing else answers.
        patterns: goal -> the coarser puzzles whose tables make a search to the goal fast, in place of a table that
            would not fit; None where there are none for this goal.
        bounds: coarser puzzles whose distances are lower bounds, the largest of which counts where a search gives up.
            Their distances are searched for, so they need no tables; each must have `growing`.
    """

    name: str
    title: str
    family: str = ""
    rules: str = ""
    moves: tuple[Move, ...]
    goals: tuple[Goal, ...]
    notation: Notation
    about: About = About()
    parse: Callable[[str], Board]
    format: Callable[[Board], str]
    play: Callable[[str, str], str]
    drawing: Drawing | None = None
    letters: Letters | None = None
    canonical: Callable[[str], str] = str
    at_home: Callable[[Boards, Boards], Signed] | None = places_as_solved
    goal_of: Callable[[str], Goal | None] | None = None
    space: Callable[[Goal], Space] = field(repr=False)
    growing: Callable[[Goal, int | None], Space] | None = field(default=None, repr=False)
    enumerable: bool = True
    oracle: Oracle | None = None
    construction: Construction | None = None
    patterns: Callable[[Goal], Patterns | None] | None = None
    bounds: Callable[[], Sequence[Pattern]] | None = None

    def goal(self, name: str | None = None) -> Goal:
        """The goal of a name, by default the first, or of a state; raises UnknownGoal, or what `parse` raises."""
        if name is None:
            return self.goals[0]
        for goal in self.goals:
            if goal.name == name:
                return goal
        if self.goal_of and (made := self.goal_of(name)):
            return made
        known = ", ".join(goal.name for goal in self.goals)
        state = f", or a state like {self.goals[0].start!r}" if self.goal_of else ""
        raise UnknownGoal(
            f"{self.name} has no goal {shorten(name)!r}",
            f"{did_you_mean(name, (goal.name for goal in self.goals))}"
            f"its goals are: {known} (the first is the default){state}",
        )

    def table_name(self, goal: Goal) -> str:
        """What the table of a goal is called: the puzzle alone for its default goal; raises NoSpace."""
        if not self.enumerable:
            raise no_space(self.name)
        return self.name if goal.key == self.goals[0].key else f"{self.name}@{goal.key}"

    @property
    def build_makes(self) -> Literal["table", "patterns", "oracle"]:
        """The product of a build of the puzzle: a table, or the substitute for one that would be too large."""
        if not self.enumerable and self.oracle:
            return "oracle"
        return "patterns" if self.patterns else "table"

    def index(self, text: str, goal: Goal) -> int:
        """The index of a state, -1 where it is outside the goal's space; raises what `parse` raises."""
        return int(self.space(goal).rank(self.parse(text)[None, :])[0])

    def text(self, index: int, goal: Goal) -> str:
        """The state of an index, in the puzzle's own letters."""
        return self.format(self.space(goal).unrank(np.array([index], np.int64))[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What a puzzle file gives as FAMILY: the names it answers to, and how to make the puzzle of a name.

    Attributes:
        name: what the family is called.
        pattern: matches the whole names of its puzzles. A name is matched before anything is made.
        members: names worth listing; the laws are tested for these.
        larger: more names worth listing, of puzzles that are too large for that.
        place: where the family stands in lists; equal ones are ordered by the names of their files.
        make: makes the puzzle of a name, and is called with matching names only.
        title: the family's name for people, by default `name`.
        template: what the names look like, for people, by default `members`.
        example: the member that shows best how states and moves are written, by default the first.
        known: by a puzzle's name, how many states its first goal has and its God's number, None where that is not
            known. Whole tables have shown these; tests/proofs holds each table against them.
        extra: what the family has for tools, by their names, as texts "module:attribute" that are imported when needed.
        rules: a digest of the files that the rules and the drawings are read from, so that others of the same name
            have another one. Empty where they are part of the program, whose version tells.
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
    """The moves of these that are legal in a state, each with the state after it."""
    after = {}
    for move in moves:
        with suppress(IllegalMove):
            after[move] = play(text, move)
    return after

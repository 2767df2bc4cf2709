"""The engines of a puzzle: each tells distances in a way of its own, and says for which goals and from which files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeVar

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.patterns import Pattern, Patterns

Source_co = TypeVar("Source_co", covariant=True)
Draw = Callable[[Goal, Callable[[int], int]], str]
"""(goal, a function that draws an integer below another one) -> a state that the goal can be reached from."""


class Opening(Protocol[Source_co]):
    """Gives an engine its source, for one answer about a puzzle and a goal; None where its files are not there."""

    @property
    def goal(self) -> Goal:
        """The goal."""

    def table(self) -> Source_co | None:
        """The table of all states."""

    def oracle(self) -> Source_co | None:
        """What an oracle answers."""

    def construction(self) -> Source_co | None:
        """What a construction answers."""

    def search(self) -> Source_co | None:
        """What a search finds, with tables of patterns where they are there."""


class Need(NamedTuple):
    """A file that has to be built before an engine answers: a table of a puzzle's goal, or data of its oracle."""

    kind: Literal["table", "oracle"]
    puzzle: str
    goal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A way to answer for the states of a puzzle. The service asks the engines of a puzzle in their order.

    Attributes:
        kind: by this the service opens the engine, and the builder makes what it needs.
        draw: draws a state where a puzzle's states are not numbered. Without it random states are walked to.
        uniform: whether all states that `draw` draws are equally likely.
    """

    kind: ClassVar[Literal["table", "patterns", "oracle", "construction", "search"]]
    uniform: ClassVar[bool] = True
    draw: Draw | None = None

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...] | None:  # noqa: ARG002
        """The files that it answers from; None where it cannot answer for the goal."""
        return ()

    def open(self, opening: Opening[Source_co]) -> Source_co | None:
        """The source of the engine, by default a search; None where its files are not there."""
        return opening.search()


@dataclass(frozen=True, kw_only=True)
class WholeTable(Engine):
    """A table of all states."""

    kind = "table"

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...]:
        """The table of the goal."""
        return (Need("table", puzzle, goal.name),)

    def open(self, opening: Opening[Source_co]) -> Source_co | None:
        """The table."""
        return opening.table()


@dataclass(frozen=True, kw_only=True)
class GraphSearch(Engine):
    """A search of the space, where nothing is known in advance.

    Attributes:
        bounds: abstractions whose distances are lower bounds, the largest of which counts where a search gives up.
            Their distances are searched for, so they need no tables; each must number states on the fly.
    """

    kind = "search"
    bounds: Callable[[], Sequence[Pattern]] | None = None


@dataclass(frozen=True, kw_only=True)
class PatternDatabases(Engine):
    """A search that is fast by tables of abstractions, in place of a table that would not fit.

    Attributes:
        patterns: goal -> the abstractions; None where there are none for this goal.
    """

    kind = "patterns"
    patterns: Callable[[Goal], Patterns | None]

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...] | None:  # noqa: ARG002
        """The tables of the abstractions."""
        patterns = self.patterns(goal)
        return tuple(Need("table", name) for name in patterns.tables) if patterns else None


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


@dataclass(frozen=True, kw_only=True)
class Oracle(Engine):
    """Exact distances by a method of the puzzle's own, for any of its goals. States are texts of any size.

    Attributes:
        load: makes what answers, from the data and a goal; it takes no time to speak of.
        make: makes the data, named blobs that others keep without understanding them. By default an oracle needs no
            data: there is nothing to build, and it always answers.
        certify: writes a certificate to a file, reads it back and has it checked by a program that shares nothing with
            the rest. It gives what has been proved, line by line, and raises NotProved.
    """

    kind = "oracle"
    load: Callable[[Mapping[str, bytes], Goal], Solver]
    make: Callable[[], dict[str, bytes]] = _no_data
    certify: Callable[[Path], Iterator[str]] | None = None

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...]:  # noqa: ARG002
        """The data, if it answers from any."""
        return () if self.make is _no_data else (Need("oracle", puzzle),)

    def open(self, opening: Opening[Source_co]) -> Source_co | None:
        """The oracle."""
        return opening.oracle()


@dataclass(frozen=True, kw_only=True)
class Construction(Engine):
    """Solutions found by a method of the puzzle's own, for any of its goals, and a proven lower bound beside each.

    Where the two are equal the distance is known. Each call takes milliseconds. All raise what `parse` raises.

    Attributes:
        reason: why no solution is shorter than the bound, for people.
        bound: (goal, state) -> the fewest moves that a solution can have; None where the goal cannot be reached, 0 at
            the goal alone.
        construct: (goal, state) -> the moves of a solution by name, lazily; always of the same one.
    """

    kind = "construction"
    uniform = False
    reason: str
    bound: Callable[[Goal, str], int | None]
    construct: Callable[[Goal, str], Iterator[str]]

    def open(self, opening: Opening[Source_co]) -> Source_co | None:
        """The construction."""
        return opening.construction()

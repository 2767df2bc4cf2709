"""The engines of a puzzle: each tells distances for some goals from some files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.patterns import Pattern, Patterns

Draw = Callable[[Goal, Callable[[int], int]], str]
"""Draws a state from which a goal can be reached, with a function that draws an integer below another one."""


class Need(NamedTuple):
    """A file that an engine needs: a table of a puzzle's goal, or data of its oracle."""

    kind: Literal["table", "oracle"]
    puzzle: str
    goal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Something that answers for the states of a puzzle; the service asks a puzzle's engines in their order."""

    kind: ClassVar[str]  # opens the engine: a kind of the service, or of a tool's hook `sources`
    uniform: ClassVar[bool] = True  # whether `draw` draws all states with equal probability
    draw: Draw | None = None  # for states that are not numbered; without it random states are walked to

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...] | None:  # noqa: ARG002
        """The files that the engine answers from; None where it cannot answer for the goal."""
        return ()


@dataclass(frozen=True, kw_only=True)
class WholeTable(Engine):
    """A table of all states."""

    kind = "table"

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...]:
        """The table of the goal."""
        return (Need("table", puzzle, goal.name),)


@dataclass(frozen=True, kw_only=True)
class GraphSearch(Engine):
    """A search of the space without tables.

    `bounds` are abstractions whose distances are lower bounds, the largest of which counts where a search gives up.
    These distances are searched for too, so each abstraction must number states on the fly.
    """

    kind = "search"
    bounds: Callable[[], Sequence[Pattern]] | None = None


@dataclass(frozen=True, kw_only=True)
class PatternDatabases(Engine):
    """A search that is fast by tables of abstractions, in place of a table that would not fit."""

    kind = "patterns"
    patterns: Callable[[Goal], Patterns | None]  # None where a goal has none

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...] | None:  # noqa: ARG002
        """The tables of the abstractions."""
        patterns = self.patterns(goal)
        return tuple(Need("table", name) for name in patterns.tables) if patterns else None

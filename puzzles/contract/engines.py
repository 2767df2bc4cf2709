"""The engines of a puzzle: each is a way to tell distances, and says for which goals and from which files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.patterns import Pattern, Patterns

Draw = Callable[[Goal, Callable[[int], int]], str]
"""(goal, a function that draws an integer below another one) -> a state that the goal can be reached from."""


class Need(NamedTuple):
    """A file that has to be built before an engine answers: a table of a puzzle's goal, or data of its oracle."""

    kind: Literal["table", "oracle"]
    puzzle: str
    goal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A way to answer for the states of a puzzle. The service asks the engines of a puzzle in their order.

    Attributes:
        kind: by this the service opens the engine: one of its own, or one of a tool's hook `sources`.
        draw: draws a state where a puzzle's states are not numbered. Without it random states are walked to.
        uniform: whether all states that `draw` draws are equally likely.
    """

    kind: ClassVar[str]
    uniform: ClassVar[bool] = True
    draw: Draw | None = None

    def needs(self, puzzle: str, goal: Goal) -> tuple[Need, ...] | None:  # noqa: ARG002
        """The files that it answers from; None where it cannot answer for the goal."""
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

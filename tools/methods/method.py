"""The option --method of `solve`: a method of the puzzle's family in place of what answers else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from puzzlebase.command_line import options
from puzzlebase.puzzles import UNREACHED, Puzzle
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.discovery import extra_of
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.budget import NO_DEADLINE
from puzzlebase.service.sources.folder import Opening, Tables
from puzzlebase.service.sources.source import UNKNOWN, Bounds, Origin, Solution
from puzzlebase.tools.methods.record import Method, MethodPath
from puzzlebase.tools.methods.sources import NumberedStates, listed_move


class OpenMethod(NumberedStates):
    """A method for one answer. The distance is known where its path is as short as the bound."""

    origin = Origin("construction", "construction")

    def __init__(self, method: Method, opening: Opening) -> None:
        super().__init__(opening)
        self._method = method
        self._paths: dict[str, MethodPath] = {}

    def path(self, text: str) -> MethodPath:
        """The path from a state."""
        if text not in self._paths:
            self._paths[text] = self._method.path(self.goal, text)
        return self._paths[text]

    def bound(self, text: str) -> int | None:
        """So many moves at least; None where no moves lead to the goal."""
        return self._method.bound(self.goal, text)

    def distances_of(self, indices: Sequence[int], *, along: bool = False) -> list[int]:  # noqa: ARG002
        """Distances of states; UNKNOWN where the path is longer than the bound, or does not solve."""
        return [self._distance(self.text(index)) if index >= 0 else UNREACHED for index in indices]

    def _distance(self, text: str) -> int:
        bound = self.bound(text)
        if not bound:
            return UNREACHED if bound is None else 0
        path = self.path(text)
        return bound if path.solves and path.weight == bound else UNKNOWN

    def neighbours(self, index: int) -> tuple[list[int], list[int]]:
        """The state after each move of a state, and last the state itself; and what the method tells of each."""
        states = [*self.after_moves(index), index]
        return states, self.distances_of(states)

    def solution(self, text: str, distance: int) -> MethodSolution:
        """The method's path."""
        return MethodSolution(self.puzzle, text, distance, None, self)


@dataclass(frozen=True)
class MethodSolution(Solution):
    """The path of a method, which may end where the method is stuck."""

    others: None
    source: OpenMethod

    @property
    def length(self) -> int:
        """The number of its names of moves."""
        return 0 if self.distance in (0, UNREACHED) else self.source.path(self.text).length

    @property
    def stuck(self) -> str | None:  # type: ignore[override]
        """The state in which it ends, if that is not solved."""
        path = self.source.path(self.text) if self.distance == UNKNOWN else None
        return path.state_at(path.length) if path and not path.solves else None

    def bounds(self) -> Bounds:
        """The bounds that the bound and the path prove."""
        path, lower = self.source.path(self.text), self.source.bound(self.text)
        assert lower is not None
        return Bounds(True if path.solves else None, lower, path.weight if path.solves else None)

    def first(self) -> list[int]:
        """The listed move that begins it, if its first name is one."""
        return listed_move(self.puzzle, next(self.moves(), ""))

    def moves(self, offset: int = 0) -> Iterator[str]:
        """The names of its moves from number `offset` on."""
        return self.source.path(self.text).moves(offset) if self.length else iter(())

    def part(self, offset: int) -> tuple[str, Iterator[str]]:
        """The state before its move number `offset`, or its last state; and the moves from there."""
        return self.source.path(self.text).state_at(offset) if self.length else self.text, self.moves(offset)


@dataclass(frozen=True)
class MethodOption:
    """The value of the option."""

    method: str | None

    def source(self, tables: Tables, puzzle: Puzzle, goal: str | None) -> OpenMethod | None:
        """The source that answers by the method, None where none is asked for; raises InvalidRequest."""
        if self.method is None:
            return None
        methods = extra_of(puzzle, "methods") or {}
        if self.method not in methods:
            hint = f"its methods are: {', '.join(methods)}" if methods else "leave the method out"
            raise InvalidRequest(f"{puzzle.name} has no method {shorten(self.method)!r}", hint)
        return OpenMethod(methods[self.method](puzzle), Opening(tables, puzzle, goal, NO_DEADLINE))


SOLVE = options.Added(
    MethodOption,
    (click.option("--method", help="Method of the puzzle's own, such as seed of Panex, to follow to its end."),),
)

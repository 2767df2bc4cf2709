"""The option --method of `solve`: a method of the puzzle's family in place of the usual source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from puzzlebase.command_line import options
from puzzlebase.errors import shorten
from puzzlebase.service.error_status import InvalidRequest

if TYPE_CHECKING:
    from puzzlebase.command_line.printing import Shown
    from puzzlebase.plugins.methods.sources import OpenConstruction
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.sources.sources import Sources


@dataclass(frozen=True)
class MethodOption:
    """The value of the option."""

    method: str | None

    def source(self, sources: Sources, puzzle: Puzzle, goal: str | None) -> OpenConstruction | None:
        """The source that answers by the method,
        None if none is asked for; raises InvalidRequest.
        """
        if self.method is None:
            return None
        from puzzlebase.plugins.methods.sources import OpenConstruction
        from puzzlebase.puzzles.discovery import extra_of
        from puzzlebase.service.sources.budget import NO_DEADLINE
        from puzzlebase.service.sources.sources import Opening

        methods = extra_of(puzzle, "methods") or {}
        if self.method not in methods:
            hint = f"its methods are: {', '.join(methods)}" if methods else "leave the method out"
            raise InvalidRequest(f"{puzzle.name} has no method {shorten(self.method)!r}", hint)
        opening = Opening(puzzle, puzzle.goal(goal), NO_DEADLINE, sources.folder.memory)
        return OpenConstruction(methods[self.method](puzzle), opening)

    def shown(self, _puzzle: Puzzle, shown: Shown) -> Shown:
        """The result, as it is."""
        return shown


SOLVE = options.Added(
    MethodOption,
    (
        click.option(
            "--method",
            help="Method of the puzzle's own, such as seed of Panex, to follow to its end.",
        ),
    ),
)

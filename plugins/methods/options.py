"""What `build` and `verify` do with an oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from puzzlebase.command_line import options

if TYPE_CHECKING:
    from puzzlebase.builder.job import Job
    from puzzlebase.puzzles import Puzzle

_REFUSED = {
    "depth": "the oracle of {}",
    "layers": "the oracle of {}, which is checked in full",
}


@dataclass(frozen=True)
class OracleFirst:
    """Chooses the job of an oracle that comes before a table."""

    def instead_of(self, make: Callable[..., Job], puzzle: Puzzle) -> Callable[..., Job]:
        """The maker of the oracle's job in place of `make`, if the puzzle has one."""
        from puzzlebase.plugins.methods.job import OracleJob
        from puzzlebase.plugins.methods.record import Oracle

        if not isinstance(next(iter(puzzle.engines), None), Oracle):
            return make
        options.refuse(_REFUSED, puzzle)
        return OracleJob


ORACLE = options.Added(OracleFirst, ())

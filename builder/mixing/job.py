"""The job of a walk: the distribution after each random turn, measured over all states and written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.mixing.orbits import OrbitsWalk
from puzzlebase.builder.mixing.states import NoUndoWalk, StatesWalk, UnknownWalk
from puzzlebase.builder.mixing.walk import Walk
from puzzlebase.builder.preflight import Estimate, estimate_walk, memory_for_distances
from puzzlebase.builder.publishing import held, unpublished
from puzzlebase.db.mixing import Mixing, Turn, read_mixing, write_mixing
from puzzlebase.db.paths import mixing_path, table_path
from puzzlebase.db.table import Table


@dataclass(frozen=True)
class MixingJob(Job):
    """A walk of so many turns, from the goal's states. Needs the goal's table; raises MissingTable, UnknownWalk."""

    walk: str = "any"
    turns: int = 100

    @property
    def path(self) -> Path:
        """The walk's file."""
        return mixing_path(self.data, self.puzzle.table_name(self.goal), self.walk)

    def estimate(self) -> Estimate:
        """What the walk needs, and what there is."""
        return estimate_walk(self.space, self.path, self.turns, self.threads, by_way=self._by_way)

    def verify(self) -> str:
        """Walk again and compare; raises VerificationError."""
        kept = read_mixing(self.path)
        if kept != self._walked(len(kept.turns) - 1):
            raise VerificationError(f"{str(self.path)!r} is not what the walk gives")
        return f"{self.path} is sound: the walk gives the same once more"

    def _make(self) -> None:
        with held(self.path):
            mixing = self._walked(self.turns)
            with unpublished(self.path) as unfinished:
                write_mixing(unfinished, mixing)

    def _walked(self, turns: int) -> Mixing:
        walk = self._begin()
        measured = [walk.measure()]
        with self.report.phase("turns", turns, "turns") as phase:
            for _ in range(turns):
                walk.step()
                measured.append(walk.measure())
                phase.advance(1)
                phase.say(_line(measured[-1]))
        return Mixing(self.puzzle.name, self.goal.key, self.walk, walk.layers, tuple(measured))

    @property
    def _by_way(self) -> bool:
        """Whether each state's probability is divided by the way that it was come to."""
        return self.walk == "no-undo" and self.space.orbits is None

    def _begin(self) -> Walk:
        with Table(table_path(self.data, self.puzzle.table_name(self.goal)), memory_for_distances()) as table:
            layers = table.info.layers
            stored = table.range(0, self.space.stored_size)
            if self.space.orbits is not None:
                return OrbitsWalk(self.space, stored, layers, self.threads, alternate=self.walk != "any")
            if self.walk == "alternate":
                raise UnknownWalk(f"{self.puzzle.name} has no wheels that could alternate", "take any or no-undo")
            kind = NoUndoWalk if self._by_way else StatesWalk
            return kind(self.space, stored, layers, self.threads)


def _line(turn: Turn) -> str:
    return f"  turn {turn.turn:4}: {turn.from_uniform:.3e} from uniform, {turn.reached:,} states reached"

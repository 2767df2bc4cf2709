"""The job of a walk: the distribution after each random turn, measured over all states and written to a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from puzzlebase.builder.preflight import Estimate, memory_for_distances
from puzzlebase.db.table import Table
from puzzlebase.tools.json_job import JsonJob
from puzzlebase.tools.mixing.file import MIXING_FILES, Mixing, mixing_path, read_mixing
from puzzlebase.tools.mixing.walk import NoUndoWalk, OrbitsWalk, StatesWalk, UnknownWalk, Walk

_ORBIT, _STATE_OF_ORBITS, _MOVE = 1e-8, 4e-9, 2e-8  # seconds of one thread in each turn, measured


class _WalkEstimate(Estimate):
    stores, work, do = "probabilities to keep", "a random walk of", "walk"


@dataclass(frozen=True)
class MixingJob(JsonJob):
    """A walk of so many turns, from the goal's states; raises UnknownWalk."""

    files = MIXING_FILES

    walk: str = "any"
    turns: int = 100
    single: bool = False  # numbers of 32 bits, for wheels

    @property
    def path(self) -> Path:
        """The walk's file."""
        return mixing_path(self.data, self.table_name, self.walk)

    def estimate(self) -> Estimate:
        """The needs of the walk, and the machine's memory and disk."""
        space, by_undo = self.space, self._by_undo
        moves = space.expand(space.goal_states[:1]).shape[1]
        stored = (space.stored_size if space.more else space.size) * (1 + by_undo * moves)
        if space.more:
            of_turn = space.stored_size * _ORBIT + space.size * _STATE_OF_ORBITS
        else:
            of_turn = space.size * moves * (1 + by_undo) * _MOVE
        return _WalkEstimate.over_table(
            self.path,
            "walk",
            states=space.size,
            stored=stored,
            memory=2 * (4 if self.single else 8) * stored + 2 * space.stored_size,
            seconds=self.turns * of_turn,
            threads=self.threads,
        )

    def verify(self) -> str:
        """Walk again, as many turns as the file has, and compare; raises VerificationError."""
        turns = len(read_mixing(self.path).turns) - 1
        return super(MixingJob, replace(self, turns=turns)).verify()

    def result(self) -> Mixing:
        """Walk, and measure after each turn."""
        walk = self._begin()
        measured = [walk.measure()]
        with self.report.phase("turns", self.turns, "turns") as phase:
            for _ in range(self.turns):
                walk.step()
                measured.append(walk.measure())
                phase.advance(1)
                now = measured[-1]
                phase.say(f"  turn {now.turn:4}: {now.from_uniform:.3e} from uniform, {now.reached:,} states reached")
        return Mixing(self.puzzle.name, self.goal.key, self.walk, walk.layers, tuple(measured))

    @property
    def _by_undo(self) -> bool:
        """True if each state's probability is divided by the move that leads back."""
        return self.walk == "no-undo" and not self.space.more

    def _begin(self) -> Walk:
        with Table(self.table_path, memory_for_distances()) as table:
            layers = table.info.layers
            stored = table.range(0, self.space.stored_size)
            if self.space.more:
                alternate = self.walk != "any"
                return OrbitsWalk(self.space, stored, layers, self.threads, alternate=alternate, single=self.single)
            if self.single:
                raise UnknownWalk(f"{self.puzzle.name} has no wheels", "numbers of 32 bits are for wheels")
            if self.walk == "alternate":
                raise UnknownWalk(f"{self.puzzle.name} has no wheels that could alternate", "take any or no-undo")
            kind = NoUndoWalk if self._by_undo else StatesWalk
            stored = self.space.distance_range(0, self.space.size, table.range)
            return kind(self.space, stored, layers, self.threads)

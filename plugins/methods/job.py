"""The job of an oracle: it is asked for what is published, since there is nothing to build."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from puzzlebase.builder.job import Job
from puzzlebase.builder.verify import agree
from puzzlebase.plugins.methods.record import Oracle


@dataclass(frozen=True)
class OracleJob(Job):
    """An oracle to ask for every published distance."""

    @property
    def path(self) -> Path:
        """The file that a table would have: an oracle has none."""
        return self.data / f"{self.puzzle.name}.duckdb"

    def build(self) -> Path:
        """Ask the oracle as `verify` does, since there is nothing to build."""
        self._make()
        return self.path

    def _make(self) -> None:
        self.report.say(self.verify())

    def verify(self) -> str:
        """Ask the oracle for every published distance and return the result in words;
        raises as Job.verify does.
        """
        puzzle, oracle = self.puzzle, self.puzzle.engine(Oracle)
        assert oracle is not None
        for goal in puzzle.goals:
            solver = oracle.load(goal)
            agree(
                f"distances of the goal {goal.name}",
                [0] * len(goal.states),
                solver.distances(goal.states),
            )
            if goal.published and goal.published.start_distance is not None:
                what = (
                    f"distance from the start of {goal.name} published in {goal.published.source}"
                )
                [distance] = solver.distances([goal.start])
                agree(what, goal.published.start_distance, distance)
        return f"{puzzle.name} needs no file: its oracle gives every published distance"

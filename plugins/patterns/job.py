"""The tables of a puzzle's patterns,
which give its search lower bounds: each is built as any other table.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from puzzlebase.builder.errors import BuildError
from puzzlebase.builder.job import Job
from puzzlebase.builder.preflight import Estimate
from puzzlebase.builder.table import TableJob
from puzzlebase.db.errors import TableError
from puzzlebase.db.table_file import TableHeader
from puzzlebase.plugins.definitions.goal_sets import SetGoal
from puzzlebase.puzzles import Goal, NoSpace, PatternDatabases, Puzzle, WholeTable, find


@dataclass(frozen=True)
class PatternsJob(Job):
    """The tables of a puzzle's patterns for a goal.
    An existing table stays: other puzzles may use it.
    """

    resumes: ClassVar[bool] = True

    @cached_property
    def tables(self) -> list[TableJob]:
        """The jobs of the tables; raises BuildError if the puzzle has no patterns for the goal."""
        names = self.puzzle.pattern_names(self.goal)
        if not names:
            raise BuildError(
                f"{self.puzzle.name} has no patterns for the goal {self.goal.name!r}",
                f"take another goal, as {self.puzzle.goal().name}; for this one a search "
                "needs no table",
            )
        given = self.data, self.version, self.threads, self.report
        return [
            TableJob(pattern, pattern.goal(), *given, force=self.force, mapped=self.mapped)
            for pattern in map(find, names)
        ]

    @property
    def path(self) -> Path:
        """The file of the first table."""
        return self.tables[0].path

    @property
    def paths(self) -> Sequence[Path]:
        """The files of all tables."""
        return [job.path for job in self.tables]

    def estimate(self) -> Estimate:
        """Estimate all builds, one after another."""
        each = [job.estimate() for job in self.tables]
        return replace(
            max(each, key=lambda needed: needed.memory),
            states=sum(needed.states for needed in each),
            stored=sum(needed.stored for needed in each),
            disk=sum(needed.disk for needed in each),
            seconds=sum(needed.seconds for needed in each),
        )

    def build(self) -> Path:
        """Build the tables that are missing, damaged or of other patterns;
        raises as Job.build does.
        """
        for job in self.tables:
            if _is_there(job):
                self.report.say(
                    f"{self.puzzle.name} needs the table of {job.puzzle.name}, which is there"
                )
            else:
                self.report.say(f"{self.puzzle.name} needs the table of {job.puzzle.name}:")
                job.build()
        return self.path

    def verify(self) -> str:
        """Check every table and return the results in words,
        line by line; raises as Job.verify does.
        """
        return "\n".join(job.verify() for job in self.tables)

    def _make(self) -> None:
        raise NotImplementedError  # each table makes its own file


def _is_there(job: TableJob) -> bool:
    try:
        info = TableHeader(job.path).info
    except TableError:
        return False
    return (info.puzzle, info.goal) == (job.puzzle.name, job.goal.key)


def job_of(puzzle: Puzzle, goal: Goal, *given: Any, **options: Any) -> Job:
    """The job of the tables of patterns,
    or of a set's own table if it has no patterns and few states.
    """
    if isinstance(goal, SetGoal) and not puzzle.pattern_names(goal):
        with suppress(NoSpace):
            puzzle.space(goal)
            return TableJob(puzzle, goal, *given, **options)
    return PatternsJob(puzzle, goal, *given, **options)


def searched(puzzle: Puzzle) -> bool:
    """True if patterns answer: the puzzle has no table, or too many states for one."""
    if not puzzle.engine(PatternDatabases) or not puzzle.engine(WholeTable):
        return puzzle.engine(PatternDatabases) is not None
    with suppress(NoSpace):
        return not puzzle.space(puzzle.goal()).size
    return bool(puzzle.pattern_names(puzzle.goal()))

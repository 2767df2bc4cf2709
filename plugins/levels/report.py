"""A level in figures: its par, its states, and how many of these are lost."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import NamedTuple

import numpy as np

from puzzlebase.builder.breadth_first.directed import distances_backwards
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.table import FoundReport
from puzzlebase.builder.verify import verify_found_space
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.levels.files import Level
from puzzlebase.plugins.levels.states.packed import PackedRules
from puzzlebase.plugins.levels.states.reachable import reachable_states
from puzzlebase.plugins.levels.text import BadLevel
from puzzlebase.puzzles import UNREACHED, Distances, Indices, Space
from puzzlebase.puzzles.contract.errors import TooManyStates

_SHORT = 3  # seconds of processors that need no report


@dataclass
class LevelReport:
    """A level in figures. If there is a problem,
    all are None except the name, the title, the author and the stated par.
    """

    name: str  # name of its file, with a number where the file has several levels
    title: str = ""  # title that its file states
    author: str = ""  # author that its file states
    stated_par: int | None = None  # par that its file states
    par: int | None = None  # fewest moves that solve it, proven
    states: int | None = None  # number of states that its start leads to
    lost: int | None = None  # number of states from which it cannot be solved
    lost_share: float | None = None  # the share of these states, from 0 to 1, to 6 places
    best_first_moves: int | None = None  # number of moves of the start that a shortest solution has
    problem: str | None = None  # why the level is not in order


def report(level: Level, threads: int, most: int | None = None) -> LevelReport:
    """Enumerate a level, certify it and describe it;
    at most `most` states, by default as many as fit.
    """
    figures = LevelReport(level.name, level.text.words.title, level.text.words.author)
    try:
        figures.stated_par = level.text.par
        _enumerate(level.game.rules, threads, most, figures)
    except BadLevel as error:
        figures.problem = str(error)
    except TooManyStates as error:
        last = ", ".join(f"{states:,}" for states in error.layers[-4:-1])
        figures.problem = (
            f"it has more than {sum(error.layers):,} states; the last layers had {last}"
        )
    else:
        if figures.par is None:
            figures.problem = str(level.text.start.fault("it cannot be solved"))
        elif figures.stated_par not in {None, figures.par}:
            wrong = f"its par is {figures.par}, the file says {figures.stated_par}"
            figures.problem = str(level.text.wrong("par", wrong))
    return figures


class DistancesInMemory(NamedTuple):
    """The distances of all states, int32[size]."""

    all: Distances

    def probe(self, indices: Indices) -> Distances:
        """Distances of states, int64[n] -> int32[n]; -1 for -1."""
        return np.where(indices < 0, UNREACHED, self.all[indices]).astype(np.int32, copy=False)

    def packed(self) -> None:
        """None: they are not packed."""


class _LateReporter(Reporter):
    """A reporter that is silent about short work: most levels take milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self._speaks = process_time() + _SHORT

    def say(self, line: str) -> None:
        """Print a line if the work has already taken some seconds."""
        if process_time() > self._speaks:
            super().say(line)


def _enumerate(rules: PackedRules, threads: int, most: int | None, figures: LevelReport) -> None:
    reporter = _LateReporter()
    states = reachable_states(rules)
    space, _ = states.find(
        most or spare_memory() // states.bytes_of_a_state, threads, FoundReport(reporter.say)
    )
    reporter.say(f"{space.size:,} states found")
    distances = DistancesInMemory(distances_backwards(space, threads).view(np.int32))
    prove_level(space, distances, threads, reporter)
    figures.states = space.size
    figures.lost = int(np.count_nonzero(distances.all < 0))
    figures.lost_share = round(figures.lost / space.size, 6)
    par = int(distances.all[space.start])
    if par >= 0:
        figures.par = par
        after = distances.all[space.successors(np.array([space.start])).to]
        figures.best_first_moves = int(np.count_nonzero((after >= 0) & (after < par)))


def prove_level(space: Space, distances: DistancesInMemory, threads: int, report: Reporter) -> None:
    """The proof behind a report: check the states of a level and their distances;
    raises VerificationError.
    """
    verify_found_space(space, threads, report)
    with report.phase("certificate of the states", space.size, "states") as phase:
        certify("states", space, distances, threads, phase.advance)

"""A level in figures: its par, its shortest solutions, its states, the share of lost ones, and its difficulty."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import NamedTuple, TypedDict, cast

import numpy as np

from puzzlebase.builder.breadth_first.directed import distances_backwards
from puzzlebase.builder.certificate import certify
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.table import FoundReport
from puzzlebase.builder.verify import check_set
from puzzlebase.machine import spare_memory
from puzzlebase.puzzles import UNREACHED, Distances, Indices, Space
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.tools.levels.files import Level
from puzzlebase.tools.levels.states.numbered import found_states
from puzzlebase.tools.levels.states.packed import PackedRules
from puzzlebase.tools.levels.text import BadLevel

_SHORT = 3  # seconds of work that need no report


class LevelReport(TypedDict):
    """A level in figures. If there is a problem, all are null except the name, the title and the stated par."""

    name: str  # name of its file, with a number where the file has several levels
    title: str  # title that its file states
    stated_par: int | None  # par that its file states
    par: int | None  # fewest moves that solve it, proven
    solutions: int | None  # number of shortest solutions
    states: int | None  # number of states that its start leads to
    lost: int | None  # number of states from which it cannot be solved
    mistakes: float | None  # share of mistakes among the moves along a shortest solution
    losing: float | None  # share of moves along that solution that lose the level
    problem: str | None  # why the level is not in order


def report(level: Level, threads: int, most: int | None = None) -> LevelReport:
    """Enumerate a level, certify it and describe it; at most `most` states, by default as many as fit."""
    found = not_read(level.name, None, level.text.title)
    try:
        found["stated_par"] = level.text.par
        _enumerate(level.game.rules, threads, most, found)
    except BadLevel as error:
        found["problem"] = str(error)
    except TooManyStates as error:
        last = ", ".join(f"{states:,}" for states in error.layers[-4:-1])
        found["problem"] = f"it has more than {sum(error.layers):,} states; the last layers had {last}"
    else:
        if found["par"] is None:
            found["problem"] = str(level.text.start.fault(0, 0, "it cannot be solved"))
        elif found["stated_par"] not in {None, found["par"]}:
            line, wrong = level.text.values["par"][1], f"its par is {found['par']}, the file says {found['stated_par']}"
            found["problem"] = str(BadLevel(level.path, line, 1, wrong))
    return found


def not_read(name: str, problem: str | None, title: str = "") -> LevelReport:
    """The report without figures."""
    fields = dict.fromkeys(LevelReport.__annotations__) | {"name": name, "title": title, "problem": problem}
    return cast("LevelReport", fields)


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
        self._speaks = monotonic() + _SHORT

    def say(self, line: str) -> None:
        """Print a line if the work has already taken some seconds."""
        if monotonic() > self._speaks:
            super().say(line)


def _enumerate(rules: PackedRules, threads: int, most: int | None, known: LevelReport) -> None:
    reporter = _LateReporter()
    states = found_states(rules)
    space, _ = states.find(most or spare_memory() // states.bytes_of_a_state, threads, FoundReport(reporter.say))
    reporter.say(f"{space.size:,} states found")
    distances = DistancesInMemory(distances_backwards(space, threads).view(np.int32))
    prove(space, distances, threads, reporter)
    start = space.start
    known["states"] = space.size
    known["lost"] = int(np.count_nonzero(distances.all < 0))
    par = int(distances.all[start])
    if par >= 0:
        known["par"] = par
        known["solutions"], known["mistakes"], known["losing"] = _along(space, start, distances)


def prove(space: Space, distances: DistancesInMemory, threads: int, report: Reporter) -> int:
    """Check the set of states and their distances, and return the number of moves; raises VerificationError."""
    check_set(space, threads, report)
    with report.phase("certificate of the states", space.size, "states") as phase:
        return certify("states", space, distances, threads, phase.advance)[0].edges


def _along(space: Space, start: int, distances_of: DistancesInMemory) -> tuple[int, float, float]:
    """Count shortest solutions that pass different states; give the shares of mistakes and losing moves along one."""
    here = start
    solutions = Counter({here: 1})
    legal = mistakes = losing = 0
    for distance in range(int(distances_of.all[start]) - 1, -1, -1):
        after = space.expand(np.array([*solutions]))
        distances = distances_of.probe(after.reshape(-1)).reshape(after.shape)
        best = (after >= 0) & (distances == distance)
        at = [*solutions].index(here)
        legal += int((after[at] >= 0).sum())
        mistakes += int(((after[at] >= 0) & ~best[at]).sum())
        losing += int(((after[at] >= 0) & (distances[at] < 0)).sum())
        here = int(after[at][best[at]][0])
        counts = Counter[int]()
        for count, row, optimal in zip(solutions.values(), after, best, strict=True):
            for state in {*row[optimal].tolist()}:
                counts[state] += count
        solutions = counts
    return solutions.total(), mistakes / max(legal, 1), losing / max(legal, 1)

"""The computation of a walk: after each random turn it is measured over all states."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from puzzlebase.builder.preflight import Estimate, memory_for_distances
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import STARTS_ANEW, failures
from puzzlebase.db.table import Table
from puzzlebase.paths import table_path
from puzzlebase.plugins.mixing.walk import Measurement, Walk, wheels_of
from puzzlebase.puzzles import Goal, Indices, Puzzle, Space

_MOVE = 2e-8  # seconds of one thread for each move in each turn, measured


class Mixing(NamedTuple):
    """A walk from a goal, measured after each turn, turn 0 first. `layers` are those of the goal's table."""

    walk: str
    layers: tuple[int, ...]
    turns: tuple[Measurement, ...]


def estimate(path: Path, space: Space, wheels: Indices, turns: int, threads: int) -> Estimate:
    """The needs of a walk over the table at `path`, and the machine's memory."""
    stored = space.size * int(wheels.max() + 1)
    return Estimate.over_table(
        path,
        "walk",
        states=space.size,
        stored=stored,
        memory=2 * 8 * stored + 2 * space.size,
        seconds=turns * space.size * len(wheels) * _MOVE,
        threads=threads,
    )


def compute(
    puzzle: Puzzle,
    goal: Goal,
    data: Path,
    walk: str,
    turns: int,
    threads: int,
    report: Reporter | None = None,
    *,
    force: bool = False,
) -> Mixing:
    """Walk so many turns from the goal's states, and measure after each.

    Raises MissingTable, UnknownWalk, Shortage unless `force`, VerificationError and BuildError.
    """
    report = report or Reporter()
    path = table_path(data, puzzle.table_name(goal))
    space = puzzle.space(goal)
    wheels = wheels_of(puzzle, space, walk)
    with failures(path, report, STARTS_ANEW):
        needed = estimate(path, space, wheels, turns, threads)
        report.say(f"a random walk needs {needed.needs}")
        if not force:
            needed.check(puzzle.name)
        with Table(path, memory_for_distances()) as table:
            layers = table.info.layers
            walked = Walk(space, wheels, space.distance_range(0, space.size, table.range), layers, threads)
        measured = [walked.measure()]
        with report.phase("turns", turns, "turns") as phase:
            for _ in range(turns):
                walked.step()
                now = walked.measure()
                measured.append(now)
                phase.advance(1)
                phase.say(f"  turn {now.turn:4}: {now.from_uniform:.3e} from uniform, {now.reached:,} states reached")
    return Mixing(walk, layers, tuple(measured))

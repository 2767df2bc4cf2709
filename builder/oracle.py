"""A puzzle with an oracle -> the data that the oracle answers from."""

from __future__ import annotations

from pathlib import Path

from builder.certificate import VerificationError
from builder.preflight import describe, estimate_oracle
from builder.progress import Reporter
from builder.publishing import ANEW, failures, held, unpublished
from builder.verify import agree
from db import BlobsFile, BlobsWriter, oracle_path
from puzzles import NotProved, Oracle, Puzzle


def build_oracle(
    puzzle: Puzzle, oracle: Oracle, data: Path, report: Reporter | None = None, *, force: bool = False
) -> Path:
    """Make, verify and publish the data of a puzzle's oracle, and return their file.

    Written beside its final name and read back; it takes that name when the oracle gives every
    published distance. What memory or disk seem too small for is refused, unless by `force`. Raises
    Shortage, VerificationError, BuildError.
    """
    report = report or Reporter()
    path = oracle_path(data, puzzle.name)
    needed = estimate_oracle(path)
    report.say(describe(needed))
    if not force:
        needed.check(puzzle.name)
    with failures(path, report, ANEW):
        data.mkdir(parents=True, exist_ok=True)
        with held(path), unpublished(path) as unfinished:
            with report.phase("oracle", 1, "puzzle"):
                blobs = oracle.make()
            with BlobsWriter(unfinished) as writer:
                writer.finish(puzzle.name, blobs)
            verify_oracle(puzzle, oracle, unfinished, report)
    return path


def verify_oracle(puzzle: Puzzle, oracle: Oracle, path: Path, report: Reporter) -> None:
    """Read the data back and ask for what is known; raises VerificationError, or DamagedTable as reading does."""
    with BlobsFile(path) as file:
        agree("puzzle", puzzle.name, file.puzzle)
        blobs = file.blobs()
    with report.phase("goals and published distances", len(puzzle.goals), "goals") as phase:
        for goal in puzzle.goals:
            with file.damage():
                solver = oracle.load(blobs, goal)
            agree(f"distances of the goal {goal.name}", [0] * len(goal.states), solver.distances(goal.states))
            if goal.published and goal.published.start_distance is not None:
                what = f"distance from the start of {goal.name} published in {goal.published.source}"
                agree(what, goal.published.start_distance, solver.distance(goal.start))
            phase.advance(1)


def certify_oracle(puzzle: Puzzle, oracle: Oracle, path: Path, report: Reporter) -> list[str]:
    """Write the oracle's certificate to a file and have it checked; what it proves. Raises VerificationError."""
    if oracle.certify is None:
        raise VerificationError(f"the oracle of {puzzle.name} has no certificate")
    try:
        with failures(path, report, ANEW), report.phase("certificate of the oracle", 1, "certificate"):
            return [*oracle.certify(path)]
    except NotProved as error:
        raise VerificationError(str(error)) from error

"""The computation of a walk: after each random turn it is measured over all states."""

from __future__ import annotations

from puzzlebase.builder.errors import STARTS_ANEW, build_failures
from puzzlebase.builder.preflight import PROGRAM, Shortage
from puzzlebase.builder.progress import Reporter
from puzzlebase.db.table import Table
from puzzlebase.machine import spare_memory
from puzzlebase.plugins.mixing.walk import Measurement, Walk, wheels_of
from puzzlebase.puzzles import Indices, Puzzle, Space
from puzzlebase.terminal_text import bytes_as_text


def require_mixing_memory(puzzle: Puzzle, space: Space, wheels: Indices, spare: int) -> None:
    """Raise Shortage if the mixing takes more bytes than there are to spare."""
    needed = PROGRAM + 2 * 8 * space.size * int(wheels.max() + 1) + 2 * space.size
    if needed > spare:
        raise Shortage(
            f"a walk over the states of {puzzle.name} needs about {bytes_as_text(needed)} "
            f"of memory, {bytes_as_text(spare)} are free",
            "free some memory, or take a smaller puzzle",
        )


def compute_mixing(
    puzzle: Puzzle,
    space: Space,
    table: Table,
    walk: str,
    turns: int,
    threads: int,
    report: Reporter | None = None,
) -> list[Measurement]:
    """Compute how random turns from the goal's states mix: measure after each, turn 0 first.

    Raises UnknownWalk, Shortage, VerificationError, DamagedTable and BuildError.
    """
    report = report or Reporter()
    wheels = wheels_of(puzzle, space, walk)
    require_mixing_memory(puzzle, space, wheels, spare_memory())
    with build_failures(table.header.path, report, STARTS_ANEW):
        distances = space.distance_range(0, space.size, table.range)
        walked = Walk(space, wheels, distances, table.info.layers, threads)
        measured = [walked.measure()]
        with report.phase("turns", turns, "turns") as phase:
            for _ in range(turns):
                walked.step()
                now = walked.measure()
                measured.append(now)
                phase.advance(1)
                phase.say(
                    f"  turn {now.turn:4}: {now.from_uniform:.3e} from uniform, {now.reached:,} "
                    "states reached"
                )
    return measured

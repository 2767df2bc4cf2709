"""The mixing of a puzzle by random turns, from the file of `puzzlebase mixing` beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from typing_extensions import TypedDict

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.answers.random_states import WALKS, WalkName
from puzzlebase.service.answers.record import Within, answer
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.mixing.file import mixing_path, read

EACH_TURN = "; ".join(f"{name}: {what}" for name, what in WALKS.items())


class AfterTurns(TypedDict):
    """Facts of a state after so many random turns."""

    turn: int
    """number of random turns"""
    from_uniform: float
    """total variation distance from the uniform distribution: 0 is perfectly mixed"""
    reached: int
    """number of states that it can be"""
    mean: float
    """its mean distance from the goal"""
    easier: float | None
    """the probability that it is nearer to the goal than `easier_than`; else null"""


class Uniform(TypedDict):
    """The same facts of a uniformly drawn state that can reach the goal."""

    states: int
    """number of states that can reach the goal"""
    mean: float
    """mean distance from the goal"""
    easier: float | None
    """probability that it is nearer than `easier_than`; else null"""


class MixingAnswer(TypedDict):
    """The mixing of a puzzle by random turns from the goal."""

    puzzle: str
    """name of the puzzle"""
    goal: str
    """name of the goal"""
    walk: str
    """the walk: any, no-undo or alternate"""
    easier_than: int | None
    """the distance asked about"""
    uniform: Uniform
    """what a perfect mix would give"""
    turns: list[AfterTurns]
    """what is known after each turn, turn 0 first"""


@answer("table", "Mixing", name="mixed", path="/v1/puzzles/{name}/mixing", tag=lambda found: f"-{len(found['turns'])}")
def mixing(
    source: OpenTable,
    walk: WalkName = "any",
    turns: int | None = None,
    easier_than: Annotated[int, Within(1)] | None = None,
) -> MixingAnswer:
    """How well random turns mix a puzzle, exactly, from what puzzlebase mixing computed before.

    Raises MissingTable for turns that were not computed, DamagedTable for a file that was changed.

    Args:
        walk: how each turn is drawn: any: any legal move, each equally likely; no-undo: any except one that undoes the
            last, or turns its wheel again; alternate: the wheels in turn, the first at random, each by any turn
        turns: number of turns, by default all that were computed
        easier_than: a distance: how likely is the state nearer?
    """
    info = source.table.info
    path = mixing_path(source.table.header.path.parent, source.table.header.path.stem, walk)
    command = f"puzzlebase mixing {info.puzzle} --walk {walk} --turns {turns or 100}"
    stored = read(path, command, puzzle=info.puzzle, goal=info.goal, walk=walk, layers=info.layers)
    if turns is not None and turns >= len(stored.turns):
        raise MissingTable(f"only {len(stored.turns) - 1} turns of {info.puzzle} have been computed", command)
    share = [states / info.reachable for states in info.layers]
    return {
        "puzzle": info.puzzle,
        "goal": source.goal.name,
        "walk": walk,
        "easier_than": easier_than,
        "uniform": {"states": info.reachable, "mean": _mean(share), "easier": _easier(share, easier_than)},
        "turns": [
            {
                "turn": turn.turn,
                "from_uniform": turn.from_uniform,
                "reached": turn.reached,
                "mean": _mean(turn.by_distance),
                "easier": _easier(turn.by_distance, easier_than),
            }
            for turn in stored.turns[: None if turns is None else turns + 1]
        ],
    }


def _mean(by_distance: Sequence[float]) -> float:
    return sum(distance * probability for distance, probability in enumerate(by_distance))


def _easier(by_distance: Sequence[float], easier_than: int | None) -> float | None:
    return None if easier_than is None else sum(by_distance[:easier_than])

"""The answer of `puzzlebase mixing`: how far the state after random turns is from a random one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from puzzlebase.plugins.mixing.job import Mixing
    from puzzlebase.puzzles import Goal, Puzzle


class AfterTurns(TypedDict):
    """Facts of a state after so many random turns."""

    turn: int
    from_uniform: float  # the total variation distance from the uniform distribution
    reached: int  # the number of states that it can be
    mean: float  # its mean distance from the goal
    easier: float | None  # the probability that it is nearer to the goal than asked about


class Uniform(TypedDict):
    """The same facts of a uniformly drawn state that can reach the goal."""

    states: int
    mean: float
    easier: float | None


class MixingAnswer(TypedDict):
    """The mixing of a puzzle by random turns from the goal."""

    puzzle: str
    goal: str
    walk: str
    easier_than: int | None  # the distance asked about
    uniform: Uniform
    turns: list[AfterTurns]  # turn 0 first


def answer_of(puzzle: Puzzle, goal: Goal, mixing: Mixing, easier_than: int | None) -> MixingAnswer:
    """Make the answer of a walk."""
    states = sum(mixing.layers)
    share = [layer / states for layer in mixing.layers]
    return {
        "puzzle": puzzle.name,
        "goal": goal.name,
        "walk": mixing.walk,
        "easier_than": easier_than,
        "uniform": {"states": states, "mean": _mean(share), "easier": _easier(share, easier_than)},
        "turns": [
            {
                "turn": turn.turn,
                "from_uniform": turn.from_uniform,
                "reached": turn.reached,
                "mean": _mean(turn.by_distance),
                "easier": _easier(turn.by_distance, easier_than),
            }
            for turn in mixing.turns
        ],
    }


def _mean(by_distance: Sequence[float]) -> float:
    return sum(distance * probability for distance, probability in enumerate(by_distance))


def _easier(by_distance: Sequence[float], easier_than: int | None) -> float | None:
    return None if easier_than is None else sum(by_distance[:easier_than])

"""The mixing of a puzzle by random turns, from the file of `puzzlebase mixing` beside the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase.db.errors import MissingTable
from puzzlebase.service.answers.lookups import GoalName, PuzzleName
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.mixing.file import MIXING_FILES, mixing_path


class AfterTurns(TypedDict):
    """Facts of a state after so many random turns."""

    turn: Annotated[int, Field(description="number of random turns")]
    from_uniform: Annotated[
        float, Field(description="total variation distance from the uniform distribution: 0 is perfectly mixed")
    ]
    reached: Annotated[int, Field(description="number of states that it can be")]
    mean: Annotated[float, Field(description="its mean distance from the goal")]
    easier: Annotated[
        float | None, Field(description="the probability that it is nearer to the goal than `easier_than`; else null")
    ]


class Uniform(TypedDict):
    """The same facts of a uniformly drawn state that can reach the goal."""

    states: Annotated[int, Field(description="number of states that can reach the goal")]
    mean: Annotated[float, Field(description="mean distance from the goal")]
    easier: Annotated[float | None, Field(description="probability that it is nearer than `easier_than`; else null")]


class MixingAnswer(TypedDict):
    """The mixing of a puzzle by random turns from the goal."""

    puzzle: PuzzleName
    goal: GoalName
    walk: Annotated[str, Field(description="the walk: any, no-undo or alternate")]
    easier_than: Annotated[int | None, Field(description="the distance asked about")]
    uniform: Annotated[Uniform, Field(description="what a perfect mix would give")]
    turns: Annotated[list[AfterTurns], Field(description="what is known after each turn, turn 0 first")]


def mixing(source: OpenTable, walk: str, turns: int | None = None, easier_than: int | None = None) -> MixingAnswer:
    """Facts of the states after turn 0 to `turns`, by default all that were computed.

    Raises MissingTable for turns that were not computed, DamagedTable for a file that was changed.
    """
    info = source.table.info
    path = mixing_path(source.table.file.path.parent, source.table.file.path.stem, walk)
    command = f"puzzlebase mixing {info.puzzle} --walk {walk} --turns {turns or 100}"
    missing = MissingTable(f"the walk {walk} of {info.puzzle} has not been computed yet", command)
    stored = MIXING_FILES.read(path, missing, puzzle=info.puzzle, goal=info.goal, walk=walk, layers=info.layers)
    if turns is not None and turns >= len(stored.turns):
        raise MissingTable(f"only {len(stored.turns) - 1} turns of {info.puzzle} have been computed", command)
    shown = stored.turns if turns is None else stored.turns[: turns + 1]
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
            for turn in shown
        ],
    }


def drawn(found: MixingAnswer) -> dict[str, Any]:
    """The distance from uniform and the share of the states that are reached, turn by turn, as a writer draws them."""
    states = found["uniform"]["states"]
    return {
        "columns": ["turns", "distance from uniform", "share of states reached"],
        "rows": [(turn["turn"], turn["from_uniform"], turn["reached"] / states) for turn in found["turns"]],
        "title": f"{found['puzzle']}: how random turns mix, walk {found['walk']}",
        "unit": "fraction",
        "log": True,
    }


def _mean(by_distance: Sequence[float]) -> float:
    return sum(distance * probability for distance, probability in enumerate(by_distance))


def _easier(by_distance: Sequence[float], easier_than: int | None) -> float | None:
    return None if easier_than is None else sum(by_distance[:easier_than])

"""The file of a walk as JSON: the mixing of a puzzle by random turns, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from puzzlebase.tools.json_file import JsonFiles


@dataclass(frozen=True, slots=True)
class Measurement:
    """Facts of a state after so many random turns."""

    turn: int
    from_uniform: float  # total variation distance from the uniform distribution over the states that reach the goal
    reached: int  # the number of states that it can be
    by_distance: tuple[float, ...]  # the probability that its distance is 0, 1, 2, ...


@dataclass(frozen=True, slots=True)
class Mixing:
    """A walk from a goal, measured after each turn, turn 0 first. `layers` are those of the goal's table."""

    puzzle: str
    goal: str
    walk: str
    layers: tuple[int, ...]
    turns: tuple[Measurement, ...]
    format: Literal[2] = 2


MIXING_FILES = JsonFiles(Mixing, "mixing", 64 << 20)
read_mixing = MIXING_FILES.read


def mixing_path(data: Path, table_name: str, walk: str) -> Path:
    """The file of a walk from a puzzle's goal."""
    return data / f"{table_name}.mixing-{walk}.json"

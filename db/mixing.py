"""The file of a walk: how random turns mix a puzzle, turn by turn, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from puzzlebase.db.errors import DamagedTable, MissingTable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

WalkName = Literal["any", "no-undo", "alternate"]

WALKS: dict[WalkName, str] = {
    "any": "any legal move, each equally likely",
    "no-undo": "any but one that undoes the last, or turns its wheel once more",
    "alternate": "the wheels one after the other, the first one at random, any turn of each",
}
"""The walks by name, and what is drawn before each turn."""

_FORMAT = 1
_MOST_BYTES = 64 << 20
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known of a state after so many random turns.

    Attributes:
        turn: how many.
        from_uniform: total variation distance from the uniform distribution over the states that can reach the goal.
        reached: how many states it can be.
        by_distance: the probability that its distance is 0, 1, 2, ...
    """

    turn: int
    from_uniform: float
    reached: int
    by_distance: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mixing:
    """A walk from a goal: what is known after each turn, turn 0 first. `layers` are those of the goal's table."""

    puzzle: str
    goal: str
    walk: str
    layers: tuple[int, ...]
    turns: tuple[Turn, ...]
    format: int = _FORMAT


def write_mixing(path: Path, mixing: Mixing) -> None:
    """Write the file."""
    path.write_bytes(_adapter().dump_json(mixing))


def read_mixing(path: Path) -> Mixing:
    """Read the file; raises MissingTable, or DamagedTable where it is not what was written."""
    from pydantic import ValidationError  # noqa: PLC0415 -- it takes long to load

    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        mixing = _adapter().validate_json(content[:_MOST_BYTES], strict=True)
    except FileNotFoundError:
        raise MissingTable(f"there is no {path.name!r} yet", "compute it with: puzzlebase mixing") from None
    except (OSError, ValidationError) as error:
        raise _damaged(path, str(error).splitlines()[0]) from None
    numbered = enumerate(mixing.turns)
    if mixing.format != _FORMAT or not mixing.turns or not all(_is_sound(mixing, *each) for each in numbered):
        raise _damaged(path, "its numbers do not belong together")
    return mixing


def _is_sound(mixing: Mixing, number: int, turn: Turn) -> bool:
    return (
        turn.turn == number
        and 0 <= turn.from_uniform <= 1 + _ROUNDING
        and 0 < turn.reached <= sum(mixing.layers)
        and len(turn.by_distance) == len(mixing.layers)
        and abs(sum(turn.by_distance) - 1) < _ROUNDING
    )


def _damaged(path: Path, why: str) -> DamagedTable:
    return DamagedTable(f"{str(path)!r} is not what was written: {why}", "compute it again with: puzzlebase mixing")


@cache
def _adapter() -> TypeAdapter[Mixing]:
    from pydantic import TypeAdapter  # noqa: PLC0415 -- it takes long to load

    return TypeAdapter(Mixing)

"""The file of a walk as JSON: the mixing of a puzzle by random turns, turn by turn.

Its last field is the checksum of all before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from puzzlebase.db.errors import DamagedTable, MissingTable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_MOST_BYTES = 64 << 20  # of a file; one that is longer is not read


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


def mixing_path(data: Path, table_name: str, walk: str) -> Path:
    """The file of a walk from a puzzle's goal."""
    return data / f"{table_name}.mixing-{walk}.json"


def write(path: Path, mixing: Mixing) -> None:
    """Write a file."""
    fields = _adapter().dump_json(mixing)[:-1]
    path.write_bytes(fields + _checksum(fields))


def read(path: Path, command: str, *, puzzle: str, goal: str, walk: str, layers: tuple[int, ...]) -> Mixing:
    """Read the file of such a walk from the goal of a table with these layers; `command` computes it.

    Raises MissingTable if there is none, or one of another table, and DamagedTable for a file that was changed.
    """
    again = f"compute it again: {command}"
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES)
        fields = text[: -len(_checksum(b""))]
        if text != fields + _checksum(fields):
            raise ValueError("its checksum is another")  # noqa: TRY301
        mixing = _adapter().validate_json(fields + b"}", strict=True)
    except FileNotFoundError:
        raise MissingTable(f"the walk {walk} of {puzzle} has not been computed yet", command) from None
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0]
        raise DamagedTable(f"{str(path)!r} is not what was written: {why}", again) from None
    if (mixing.puzzle, mixing.goal, mixing.walk, mixing.layers) != (puzzle, goal, walk, layers):
        raise MissingTable(f"{str(path)!r} was computed from another table", again)
    return mixing


@cache
def _adapter() -> TypeAdapter[Mixing]:
    from pydantic import TypeAdapter

    return TypeAdapter(Mixing)


def _checksum(fields: bytes) -> bytes:
    return b',"checksum":"%s"}' % blake2b(fields, digest_size=16).hexdigest().encode()

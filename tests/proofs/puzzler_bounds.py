"""Bounds of the Puzzler's God's number by a subgroup: `python -m tests.proofs.puzzler_bounds`.

It takes some half an hour of a processor, and 3 GB.
"""

from __future__ import annotations

from puzzlebase.machine import processors
from puzzlebase.puzzles.discovery import known_numbers
from puzzlebase.puzzles.families.oriented import orientation_maps
from tests.proofs.subgroup import distances, parts_of

_CHOSEN = "ABC"


def main() -> None:
    """Print the numbers of cosets and of states of the set at each distance, and the bounds."""
    parts, solved, states = parts_of("turnstile", _CHOSEN, orientation_maps()[1:].T)
    assert states * len(parts.rows) * len(parts.corners) == known_numbers()["puzzler"]["states"]
    found = distances(parts, solved, states, processors())
    print("cosets by distance:", *(f"{each:,}" for each in found.cosets))  # noqa: T201 -- its output
    print("states of the set by distance:", *(f"{each:,}" for each in found.states))  # noqa: T201
    farthest, nearest = len(found.cosets) - 1, len(found.states) - 1
    print(  # noqa: T201
        f"God's number is at least {nearest} and at most {farthest} + {nearest} = "
        f"{farthest + nearest}"
    )


if __name__ == "__main__":
    main()

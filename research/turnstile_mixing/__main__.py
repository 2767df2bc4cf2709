"""Turn the wheels of a puzzle one after the other by random amounts,
and print how well each turn mixes it.

`python -m research.turnstile_mixing DATA turnstile 40`,
at the top of the project; DATA holds the puzzle's table.
"""

from __future__ import annotations

import sys
from pathlib import Path

from puzzlebase.puzzles import find
from research.turnstile_mixing.orbits_walk import walked


def main(data: Path, name: str, turns: int) -> None:
    """Print a line for each turn."""
    puzzle = find(name)
    print(f"{name}: the state after so many turns of alternating wheels")
    print(f"  {'turns':>5}  from uniform  {'states reached':>14}  mean distance")
    for each in walked(puzzle, puzzle.goal(), data, turns):
        print(
            f"  {each.turn:5}  {each.from_uniform:12.3e}  {each.reached:14,}  {each.mean:13.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

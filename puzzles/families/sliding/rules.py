"""Boards of sliding puzzles, and which tile a move takes to the blank."""

from __future__ import annotations

from dataclasses import dataclass

from puzzlebase.puzzles.families.tiles import SlidingBoard

TILES = "0123456789abcdef"
"""How the blank and the tiles are written."""

MOVES = {"U": "column of the blank", "D": "column of the blank", "L": "row of the blank", "R": "row of the blank"}
"""The moves, each with its group in hints."""

BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}


@dataclass(frozen=True)
class SlidingRules(SlidingBoard):
    """One puzzle of the family."""

    @property
    def name(self) -> str:
        """What the puzzle is called."""
        return f"sliding-{self.height}x{self.width}"

    @property
    def tiles(self) -> str:
        """The blank and the tiles, as they are written."""
        return TILES[: self.places]

    def solved(self, home: int) -> str:
        """The tiles in order, with the blank in its home."""
        return self.tiles[1 : home + 1] + "0" + self.tiles[home + 1 :]

    def from_place(self, blank: int, move: str) -> int | None:
        """The place of the tile that a move takes to the blank; None where there is none."""
        return self.beside(blank, BACK[move])

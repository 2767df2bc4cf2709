"""The plan of a build, which every part knows: its range of rows, its files, and the owners of all other rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from puzzlebase.builder.journal import BitLayout
from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.puzzles import Graph, find
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES


@dataclass(frozen=True)
class Division:
    """The ranges of all parts, in whole pieces of rows. They follow one another in order, and none is empty."""

    layout: BitLayout
    parts: int

    @classmethod
    def of(cls, layout: BitLayout, wanted: int) -> Division:
        """Make as many parts as are wanted, or one for each piece if there are fewer pieces."""
        return cls(layout, min(wanted, len(layout.pieces)))

    @cached_property
    def _pieces(self) -> list[tuple[int, int]]:
        return self.layout.pieces

    def pieces(self, part: int) -> range:
        """The numbers of a part's pieces."""
        count = len(self._pieces)
        return range(part * count // self.parts, (part + 1) * count // self.parts)

    def rows(self, part: int) -> tuple[int, int]:
        """The first row of a part and the row after its last."""
        pieces = self.pieces(part)
        return self._pieces[pieces.start][0], self._pieces[pieces.stop - 1][1]

    def part_of(self, piece: int) -> int:
        """The part that has this piece."""
        return next(part for part in range(self.parts) if piece in self.pieces(part))


@dataclass(frozen=True)
class Plan:
    """A build on a cluster."""

    puzzle: str
    goal: str
    key: str
    version: str
    folder: Path  # of the parts' files, which all machines share
    division: Division
    rankings: Path | None  # the driver's folder of ranking tables; parts that do not see it make them anew

    @property
    def parts(self) -> int:
        """The number of parts."""
        return self.division.parts

    def layers(self, part: int) -> Path:
        """The file of a part's finished layers."""
        return self.folder / f"part-{part}-of-{self.parts}.layers"

    def what(self) -> dict[str, object]:
        """The name of the graph in the files of its layers."""
        return {"version": self.version, "puzzle": self.puzzle, "goal": self.key, "parts": self.parts}

    def graph(self) -> Graph:
        """The graph whose distances are stored."""
        puzzle = find(self.puzzle)
        store = ArrayStore(self.rankings) if self.rankings and self.rankings.is_dir() else None
        with RANKING_TABLES.stored_in(store):
            return puzzle.space(puzzle.goal(self.goal)).stored()

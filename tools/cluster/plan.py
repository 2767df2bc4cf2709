"""What every part of a build must know, and the names of its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.puzzles import Graph, Space, find
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES


@dataclass(frozen=True)
class Plan:
    """A build on a cluster. `folder` is where the parts' files lie: one folder for all, or one on each node."""

    puzzle: str
    goal: str
    key: str
    version: str
    folder: Path
    parts: int
    memory: int
    """Bytes of packed distances that a part may hold while it is verified."""
    numberings: Path
    """Where the driver has kept how states are numbered, for parts on its machine; others number them anew."""

    def layers(self, part: int) -> Path:
        """The file of a part's finished layers."""
        return self.folder / f"part-{part}-of-{self.parts}.layers"

    def blocks(self, part: int) -> Path:
        """The file of a part's blocks."""
        return self.folder / f"part-{part}-of-{self.parts}.blocks"

    def what(self) -> dict[str, object]:
        """What names the graph in the files of its layers."""
        return {"version": self.version, "puzzle": self.puzzle, "goal": self.key, "parts": self.parts}

    def made(self) -> tuple[Space, Graph]:
        """The space and the graph whose distances are stored."""
        puzzle = find(self.puzzle)
        with RANKING_TABLES.kept_in(ArrayStore(self.numberings) if self.numberings.is_dir() else None):
            space = puzzle.space(puzzle.goal(self.goal))
            return space, space.stored()

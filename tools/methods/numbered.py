"""States without indices: a source numbers them in the order they are asked about, and plays moves by the rules."""

from __future__ import annotations

from puzzlebase.puzzles import Space
from puzzlebase.service.sources.folder import Opening
from puzzlebase.service.sources.source import Source, after_moves_by_rules


class NumberedStates(Source):
    """A source for one answer whose states are texts of any size, oracles' and constructions' alike."""

    space: Space | None = None

    def __init__(self, opening: Opening) -> None:
        self.puzzle, self.goal, self.deadline = opening.puzzle, opening.goal, opening.deadline
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def index(self, text: str) -> int:
        """The number given to a state; raises as the puzzle's `parse` does."""
        if text not in self._numbers:
            self.deadline.check()
            self.puzzle.parse(text)
            self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return self._numbers[text]

    def text(self, index: int) -> str:
        """The state that was given a number."""
        return self._texts[index]

    def after_moves(self, index: int) -> list[int]:
        """Where each move of one state leads, -1 for an illegal one."""
        return [self.index(text) if text else -1 for text in after_moves_by_rules(self.puzzle, self._texts[index])]

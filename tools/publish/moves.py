"""Moves as data: where each place of a text gets its letter from, and what it makes of it.

Nothing here knows a puzzle's rules. Some states are played to find the data; then every state is compared with the
puzzle's own moves, or a million of them where there are more (states.py). A move is one rewriting for all states, or
one for each place of its guard: a letter that stands once in every state, such as the blank of a sliding puzzle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards

Letters = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

EVERYWHERE = -1  # the case of a move without a guard


@dataclass(frozen=True)
class Rewriting:
    """The effect of a move on texts: place t gets letter `renamed[t, letter at source[t]]`, by codes of letters."""

    source: Letters  # [places]
    renamed: Letters  # [places, letters]

    def after(self, boards: Boards) -> Boards:
        """The texts after the move, uint8[n, places]."""
        return self.renamed[np.arange(len(self.source)), boards[:, self.source]].astype(np.uint8)

    def data(self) -> dict[str, Any]:
        """The places that change, as JSON: to, from, and by pairs the letters that become others."""
        changed, renamed = [], []
        for place, (source, to) in enumerate(zip(self.source.tolist(), self.renamed.tolist(), strict=True)):
            pairs = [[letter, other] for letter, other in enumerate(to) if letter != other]
            if source != place or pairs:
                changed.append((place, source))
                renamed.append(pairs)
        data: dict[str, Any] = {"to": [place for place, _ in changed], "from": [source for _, source in changed]}
        return data | ({"rename": renamed} if any(renamed) else {})

    @classmethod
    def of(cls, before: Boards, after: Boards, letters: int) -> Rewriting | None:
        """Find the rewriting between texts, uint8[n, places] each; None where there is none."""
        places = before.shape[1]
        source, renamed = np.arange(places), np.tile(np.arange(letters), (places, 1))
        for place in range(places):
            found = _source(before, after[:, place], place, letters)
            if found is None:
                return None
            source[place], renamed[place] = found
        return cls(source, renamed)


def _source(before: Boards, after: npt.NDArray[np.uint8], place: int, letters: int) -> tuple[int, Letters] | None:
    """The place whose letter decides that of `place` after a move: itself, one that is copied, or any that does."""
    copied = np.flatnonzero((before == after[:, None]).all(axis=0)).tolist()
    if copied:
        return place if place in copied else copied[0], np.arange(letters)
    for source in range(before.shape[1]):
        renamed = np.arange(letters)
        renamed[before[:, source]] = after
        if (renamed[before[:, source]] == after).all():
            return source, renamed
    return None


@dataclass(frozen=True)
class GuardedMove:
    """A move by the place of its guard, a letter that stands once in every state; None for one case everywhere."""

    guard: int | None
    cases: dict[int, Rewriting]  # by the guard's place, those where the move is legal

    def case_of(self, boards: Boards) -> Letters:
        """The case of each text, int64[n]; it is illegal where `cases` lacks that."""
        if self.guard is None:
            return np.full(len(boards), EVERYWHERE)
        case: Letters = (boards == self.guard).argmax(axis=1)
        return case

    def after(self, boards: Boards) -> tuple[Boards, Flags]:
        """The texts after the move, and True where it is legal."""
        found, legal, case = boards.copy(), np.zeros(len(boards), bool), self.case_of(boards)
        for place, rewriting in self.cases.items():
            here = case == place
            found[here], legal[here] = rewriting.after(boards[here]), True
        return found, legal

    def data(self) -> dict[str, Any]:
        """The move as JSON: its rewriting, or the guard and the rewritings by its place."""
        if self.guard is None:
            return self.cases[EVERYWHERE].data()
        return {"guard": self.guard, "cases": {str(place): each.data() for place, each in self.cases.items()}}

    @classmethod
    def of(cls, before: Boards, after: Boards, legal: Flags, letters: int) -> GuardedMove | None:
        """Find the form of a move between texts, of which only the legal ones count; None where there is none."""
        if legal.all() and (found := Rewriting.of(before, after, letters)):
            return cls(None, {EVERYWHERE: found})
        once = [letter for letter in range(letters) if ((before == letter).sum(axis=1) == 1).all()]
        for guard in once:
            if (cases := _cases(before, after, legal, guard, letters)) is not None:
                return cls(guard, cases)
        return None


def _cases(before: Boards, after: Boards, legal: Flags, guard: int, letters: int) -> dict[int, Rewriting] | None:
    """The rewriting for each place of a guard where the move is legal; None where the place does not decide."""
    at = (before == guard).argmax(axis=1)
    cases = {}
    for place in np.unique(at[legal]).tolist():
        here = np.flatnonzero(at == place)
        found = Rewriting.of(before[here], after[here], letters) if legal[here].all() else None
        if found is None:
            return None
        cases[place] = found
    return cases


def all_moves(before: Boards, after: Sequence[tuple[Boards, Flags]], letters: int) -> list[GuardedMove] | None:
    """Find the forms of all moves; None where one has none."""
    found = [GuardedMove.of(before, *each, letters) for each in after]
    return None if None in found else found  # type: ignore[return-value]

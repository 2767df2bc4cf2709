"""Moves as data: the letters that allow each case of a move, and how it rewrites the others.

Nothing here knows a puzzle's rules. Some states are played to find the data. Then every state is
compared with the puzzle's own moves, or a million states if there are more (states.py). A case of a
move has one set of places that change. It allows some letters at places: a blank at one of them, or
none above a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards

Letters = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_MOST_CASES = 1024  # of a move
_IN_WORD = 64


@dataclass(frozen=True)
class Rewriting:
    """The effect of a move on texts:
    place t gets letter `renamed[t, letter at source[t]]`, by codes of letters.
    """

    source: Letters  # [places]
    renamed: Letters  # [places, letters]

    @cached_property
    def changed(self) -> Letters:
        """The places that may change."""
        same = (self.renamed == np.arange(self.renamed.shape[1])).all(axis=1)
        return np.flatnonzero((self.source != np.arange(len(self.source))) | ~same)

    def after(self, boards: Boards) -> Boards:
        """The texts after the move, uint8[n, places]."""
        found = boards.copy()
        found[:, self.changed] = self.renamed[self.changed, boards[:, self.source[self.changed]]]
        return found

    @classmethod
    def of(cls, before: Boards, after: Boards, letters: int) -> Rewriting | None:
        """Find the rewriting between texts, uint8[n, places] each; None if there is none."""
        places = before.shape[1]
        source, renamed = np.arange(places), np.tile(np.arange(letters), (places, 1))
        changed = np.flatnonzero((before != after).any(axis=0)).tolist()
        for place in changed:
            found = _source(before, after[:, place], [place, *changed, *range(places)], letters)
            if found is None:
                return None
            source[place], renamed[place] = found
        return cls(source, renamed)


def _source(
    before: Boards, after: npt.NDArray[np.uint8], sources: Sequence[int], letters: int
) -> tuple[int, Letters] | None:
    """The first place whose letter determines the letter here after the move:
    it is copied, or else renamed.
    """
    for renames in (False, True):
        for source in sources:
            renamed = np.arange(letters)
            if renames:
                renamed[before[:, source]] = after
            if (renamed[before[:, source]] == after).all():
                return source, renamed
    return None


@dataclass(frozen=True)
class MoveCase:
    """A rewriting, and the letters that each place may have for it to be legal."""

    allowed: Flags  # [places, letters]
    rewriting: Rewriting

    def data(self, alphabet: str) -> list[Any]:
        """The case as JSON: the deciding places with their letters,
        the changing ones, their sources, new letters.
        """
        only: dict[str, list[int]] = {}
        for place in np.flatnonzero(~self.allowed.all(axis=1)).tolist():
            letters = "".join(
                letter for letter, may in zip(alphabet, self.allowed[place], strict=True) if may
            )
            only.setdefault(letters, []).append(place)
        to = self.rewriting.changed
        renamed = [
            [[letter, other] for letter, other in enumerate(others) if letter != other]
            for others in self.rewriting.renamed[to].tolist()
        ]
        return [
            [*only.items()],
            to.tolist(),
            self.rewriting.source[to].tolist(),
            *([renamed] if any(renamed) else []),
        ]


@dataclass(frozen=True)
class RewritingMove:
    """A move by its cases: the first case with fitting letters applies;
    if none fits, the move is illegal.
    """

    cases: tuple[MoveCase, ...]

    @cached_property
    def _fitting(self) -> dict[int, npt.NDArray[np.uint64]]:
        """By deciding place and letter,
        a bit for each case that allows it: uint64[letters, words].
        """
        allowed = np.stack([case.allowed for case in self.cases], axis=2)
        padded = np.pad(allowed, ((0, 0), (0, 0), (0, -len(self.cases) % _IN_WORD)))
        bits = np.ascontiguousarray(np.packbits(padded, axis=2, bitorder="little")).view("<u8")
        return {place: bits[place] for place in np.flatnonzero(~allowed.all(axis=(1, 2))).tolist()}

    def case_of(self, boards: Boards) -> Letters:
        """The case of each text, -1 if the move is illegal."""
        found = np.full(len(boards), -1)
        for first in range(0, len(self.cases), _IN_WORD):
            fit = np.full(len(boards), ~np.uint64(0))
            for place, bits in self._fitting.items():
                fit &= bits[boards[:, place], first // _IN_WORD]
            here = (found < 0) & (fit > 0)
            # its lowest bit
            found[here] = first + np.frexp((fit & (~fit + np.uint64(1)))[here].astype(float))[1] - 1
        return found

    def after(self, boards: Boards) -> tuple[Boards, Letters]:
        """The texts after the move, and the case of each, -1 if it is illegal."""
        if len(self.cases) == 1 and not self._fitting:  # which fits all
            return self.cases[0].rewriting.after(boards), np.zeros(len(boards), np.int64)
        found, case = boards.copy(), self.case_of(boards)
        order = np.argsort(case.astype(np.int16), kind="stable")
        bounds = np.searchsorted(case[order], np.arange(len(self.cases) + 1))
        for each, first, end in zip(self.cases, bounds, bounds[1:], strict=False):
            rows = order[first:end]
            found[rows] = each.rewriting.after(boards[rows])
        return found, case

    def is_right(self, before: Boards, after: Boards, legal: Flags) -> bool:
        """True if it is legal in exactly these texts and leads to those after it;
        illegal moves change nothing.
        """
        found, case = self.after(before)
        return np.array_equal(case >= 0, legal) and np.array_equal(found, after)

    def data(self, alphabet: str) -> list[Any]:
        """The cases as JSON."""
        return [case.data(alphabet) for case in self.cases]

    @classmethod
    def of(cls, before: Boards, after: Boards, legal: Flags, letters: int) -> RewritingMove | None:
        """Find the form of a move from the texts in which it is legal; None if there is none.

        Each set of changing places has a case, which allows the letters seen there.
        """
        if legal.all() and (rewriting := Rewriting.of(before, after, letters)):
            return cls((MoveCase(np.ones((before.shape[1], letters), bool), rewriting),))
        cases: list[MoveCase] = []
        changed = np.packbits(before != after, axis=1)
        for change in np.unique(changed[legal], axis=0):
            rows = legal & (changed == change).all(axis=1)
            rewriting = Rewriting.of(before[rows], after[rows], letters)
            if rewriting is None or len(cases) > _MOST_CASES:
                return None
            allowed = np.ones((before.shape[1], letters), bool)
            allowed[rewriting.changed] = letters_seen(before[rows], letters)[rewriting.changed]
            cases.append(MoveCase(allowed, rewriting))
        move = cls((*cases,))
        return move if move.is_right(before, after, legal) else None


def letters_seen(boards: Boards, letters: int) -> Flags:
    """The letters that a rewriting move sees at each place of boards: bool[places, letters]."""
    found = np.zeros((boards.shape[1], letters), bool)
    found[np.arange(boards.shape[1]), boards] = True
    return found

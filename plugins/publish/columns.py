"""Texts of columns, such as `abc||ABC`, laid out by places of the board: each place then has a letter of its own.

Such a text gives only the order in a column. A letter is put as deep as the letters below it allow, but no deeper than
in any state: as many letters can be above it as there are at most in a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards


@dataclass(frozen=True)
class Columns:
    """The layout of texts with a separator between columns, which also fills places without a letter."""

    separator: int  # a character
    count: int
    limits: npt.NDArray[np.int16]  # by character, the deepest place; -1 for a character without one

    @classmethod
    def of(cls, texts: Boards) -> Columns | None:
        """Find the layout of texts, uint8[n, length], which should be many; None if their columns do not vary."""
        marks = [each for each in np.unique(texts[0]).tolist() if not chr(each).isalnum()]
        for mark in marks:
            bars = texts == mark
            if (bars == bars[0]).all() or len({*bars.sum(axis=1).tolist()}) > 1:
                continue
            limits, above = np.full(256, -1, np.int16), np.zeros(len(texts), np.int16)
            for at in range(texts.shape[1]):
                np.maximum.at(limits, texts[:, at], above)
                above = np.where(bars[:, at], 0, above + 1).astype(np.int16)
            limits[mark] = -1
            return cls(mark, int(bars[0].sum()) + 1, limits)
        return None

    @classmethod
    def of_data(cls, separator: str, limits: Sequence[str], start: str) -> Columns:
        """Read the layout that `data` gives; `start` is one of the texts."""
        deepest = np.full(256, -1, np.int16)
        for limit, letters in enumerate(limits):
            deepest[[*letters.encode("latin-1")]] = limit
        return cls(ord(separator), start.count(separator) + 1, deepest)

    @property
    def depth(self) -> int:
        """The number of places in a column."""
        return int(self.limits.max()) + 1

    def laid_out(self, texts: Boards) -> Boards:
        """The letter of each place, from the top, the columns in a row: uint8[n, places]."""
        places = self.depth * self.count
        found = np.full((len(texts), places + 1), self.separator, np.uint8)  # the last one is for separators
        begin, last = np.arange(0, found.size, places + 1), np.int16(self.count - 1)
        column, below = np.full(len(texts), last), np.full(len(texts), np.int16(self.depth))
        for letters in np.ascontiguousarray(texts.T[::-1]):
            bar = letters == self.separator
            np.minimum(self.limits[letters], below - np.int16(1), out=below)
            below[bar] = self.depth
            if below.min() < 0:
                raise ValueError("a letter is deeper than in any text read before")
            found.reshape(-1)[begin + np.where(bar, places, below * self.count + column)] = letters
            column -= bar
        return found[:, :-1]

    def texts(self, laid_out: Boards) -> Boards:
        """The texts with these layouts."""
        columns = laid_out.reshape(-1, self.depth, self.count).transpose(0, 2, 1)
        letters = np.pad(columns, ((0, 0), (0, 0), (0, 1)), constant_values=self.separator)
        told = letters != self.separator
        told[:, :-1, -1] = True  # the ends of columns
        texts: Boards = letters[told].reshape(len(laid_out), -1)
        return texts

    def data(self) -> dict[str, Any]:
        """The layout as JSON: the separator, and letters by their deepest place."""
        limits = ["".join(map(chr, np.flatnonzero(self.limits == limit))) for limit in range(self.depth)]
        return {"columns": {"separator": chr(self.separator), "limits": limits}}

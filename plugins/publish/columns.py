"""Texts of columns, such as `abc||ABC`, laid out by places of the board:
each place then has a letter of its own.

Such a text gives only the order in a column. A letter is put as deep as the letters below it allow,
but no deeper than its family says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.publish.rewriting import MoveCase, Rewriting, RewritingMove
from puzzlebase.puzzles import Boards, Puzzle
from puzzlebase.puzzles.discovery import extra_of


@dataclass(frozen=True)
class Columns:
    """The layout of texts with a separator between columns,
    which also fills places without a letter.
    """

    separator: str
    limits: tuple[str, ...]  # by place, the letters that go no deeper
    start: str  # one of the texts

    @classmethod
    def of(cls, puzzle: Puzzle) -> Columns | None:
        """The layout of a family whose `extra` has the deepest place of a letter;
        None for any other.
        """
        deepest = extra_of(puzzle, "columns")
        if deepest is None:
            return None
        start = puzzle.goal().start
        letters = sorted(filter(str.isalnum, start))
        (separator,) = {*start}.difference(letters)
        limits = [""] * (1 + max(map(deepest, letters)))
        for letter in letters:
            limits[deepest(letter)] += letter
        return cls(separator, tuple(limits), start)

    @property
    def count(self) -> int:
        """The number of columns."""
        return self.start.count(self.separator) + 1

    @property
    def depth(self) -> int:
        """The number of places in a column."""
        return len(self.limits)

    @cached_property
    def deepest(self) -> npt.NDArray[np.int16]:
        """The deepest place by character, int16[256]; -1 for a character without one."""
        deepest = np.full(256, -1, np.int16)
        for limit, letters in enumerate(self.limits):
            deepest[[*letters.encode("latin-1")]] = limit
        return deepest

    def laid_out(self, texts: Boards) -> Boards:
        """The letter of each place, from the top, the columns in a row: uint8[n, places]."""
        places = self.depth * self.count
        # the last one is for separators
        found = np.full((len(texts), places + 1), ord(self.separator), np.uint8)
        begin, last = np.arange(0, found.size, places + 1), np.int16(self.count - 1)
        column, below = np.full(len(texts), last), np.full(len(texts), np.int16(self.depth))
        for letters in np.ascontiguousarray(texts.T[::-1]):
            bar = letters == ord(self.separator)
            np.minimum(self.deepest[letters], below - np.int16(1), out=below)
            below[bar] = self.depth
            if below.min() < 0:
                raise ValueError("a letter is deeper than in any text read before")
            found.reshape(-1)[begin + np.where(bar, places, below * self.count + column)] = letters
            column -= bar
        return found[:, :-1]

    def texts(self, laid_out: Boards) -> Boards:
        """The texts with these layouts."""
        columns = laid_out.reshape(-1, self.depth, self.count).transpose(0, 2, 1)
        bar = ord(self.separator)
        letters = np.pad(columns, ((0, 0), (0, 0), (0, 1)), constant_values=bar)
        told = letters != bar
        told[:, :-1, -1] = True  # the ends of columns
        texts: Boards = letters[told].reshape(len(laid_out), -1)
        return texts

    def moves(self, alphabet: Boards) -> list[RewritingMove]:
        """The moves from each column to each other:
        the top letter goes along the top row, and falls as deep as it can.

        A case has the depths before and after,
        and the letters that go no deeper, or those that others hold up.
        """
        limits, depths = self.deepest[alphabet], range(self.depth)

        def cases(source: int, target: int) -> Iterator[MoveCase]:
            between = [*range(min(source, target) + 1, max(source, target))]
            for before, after, held in product(depths, depths, (False, True)):
                allowed = np.ones((self.depth * self.count, len(alphabet)), bool)
                at, to = source + before * self.count, target + after * self.count
                allowed[
                    [*between, *range(source, at, self.count), *range(target, to + 1, self.count)]
                ] = limits < 0
                allowed[at] = limits > after if held else limits == after
                if held:
                    allowed[to + self.count :][:1] = limits >= 0
                places = np.arange(len(allowed))
                places[[at, to]] = to, at
                renamed = np.tile(np.arange(len(alphabet)), (len(places), 1))
                if allowed.any(axis=1).all():
                    yield MoveCase(allowed, Rewriting(places, renamed))

        return [
            RewritingMove((*cases(*columns),)) for columns in permutations(range(self.count), 2)
        ]

    def data(self) -> dict[str, Any]:
        """The layout as JSON: the separator, and letters by their deepest place."""
        return {"columns": {"separator": self.separator, "limits": [*self.limits]}}

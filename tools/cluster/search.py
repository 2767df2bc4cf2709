"""The search of one part: the layers in its own rows, and what it tells the others of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from puzzlebase.builder.journal import Journal, Words
from puzzlebase.tools.cluster.messages import Message
from puzzlebase.tools.cluster.plan import Division

Send = Callable[[int, Message], None]
"""Sends a message to a part; it may wait until earlier ones have arrived."""


class PartSearch(ABC):
    """The bit sets of a part, and its layer; `work` is told how many units of work were done.

    A layer is found in two steps, with all other parts: `turn` ends what was told of the layer before and says by
    `ready` that messages of the next one may come; `tell` sends what other parts need. `receive` may be called by
    another thread from `ready` on. A `journal` that was opened anew takes the place of the former one.
    """

    def __init__(self, division: Division, part: int, journal: Journal, work: Callable[[int], None]) -> None:
        self.division = division
        self.part = part
        self.layout = division.layout
        self.first, self.last = division.rows(part)
        self.rows = self.last - self.first
        self.journal = journal
        self._work = work

    def own(self, piece: int) -> slice:
        """The rows of a piece of this part, counted from the part's first."""
        first, last = self.journal.pieces[piece]
        return slice(first - self.first, last - self.first)

    def bits(self, layers: range) -> Words:
        """The part's vertices in these layers together, from the journal."""
        words = np.empty((self.rows, self.layout.words), np.uint64)
        for piece in self.division.pieces(self.part):
            words[self.own(piece)] = self.journal.bits(piece, layers)
            self._work(1)
        return words

    @abstractmethod
    def take_up(self, layer: int) -> None:
        """Make this layer, which the journal has, the last one."""

    @abstractmethod
    def turn(self, layer: int, ready: Callable[[], None]) -> int:
        """Find and write the part's vertices of the next layer, or read them where the journal has it; their number."""

    @abstractmethod
    def tell(self, send: Send) -> None:
        """Tell the other parts what they need of this layer to find the next one."""

    @abstractmethod
    def receive(self, message: Message) -> None:
        """Take what another part tells."""

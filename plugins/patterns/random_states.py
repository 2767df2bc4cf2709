"""Uniformly random states of a definition:
a random element of the group of its moves acts on the solved state.

Each level of a chain of stabilizers (plugins/definitions/stabilizer_chain.py) is a digit of the
element's number. If pieces are equal, every state is made by equally many elements, so all states
are equally likely there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from puzzlebase.plugins.definitions.place_blocks import PlaceBlock, move_block_pieces
from puzzlebase.plugins.definitions.stabilizer_chain import Stabilizer, order_of_chain
from puzzlebase.plugins.definitions.state_counts import MOST_POINTS, chain_of_blocks
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.work import NUMBERING, Work
from puzzlebase.puzzles import Goal


@dataclass(frozen=True, eq=False)
class RandomStates:
    """Draws states of a definition whose places are in blocks."""

    blocks: Sequence[PlaceBlock]
    texts: Texts

    @cached_property
    def _levels(self) -> list[Stabilizer] | None:
        """The levels of the group of moves; None if they are not known."""
        if sum(block.points for block in self.blocks) > MOST_POINTS:
            return None
        levels, complete, _ = chain_of_blocks(self.blocks, Work(NUMBERING))
        return levels if complete else None

    def draw(self, goal: Goal, below: Callable[[int], int]) -> str | None:
        """Draw a state, as by `Draw`; None if the group is not known,
        or if the goal is not solved.
        """
        if not self.blocks or self._levels is None or goal.states != (self.texts.solved,):
            return None
        number = below(order_of_chain(self._levels))
        element = np.arange(sum(block.points for block in self.blocks))
        for level in reversed(self._levels):
            number, digit = divmod(number, len(level.inverses))
            _, back = sorted(level.inverses.items())[digit]
            element = np.argsort(back)[element]
        labels, turns = self.texts.definition.solved(1)
        move_block_pieces(self.blocks, lambda homes: element[homes][None, :], labels, turns)
        return self.texts.format(self.texts.boards(labels, turns)[0])

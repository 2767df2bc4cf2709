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
from math import prod

import numpy as np

from puzzlebase.plugins.definitions.definition import Numbers
from puzzlebase.plugins.definitions.place_blocks import (
    Charges,
    PlaceBlock,
    most_states_of_blocks,
    move_block_pieces,
    moves_on_block_points,
)
from puzzlebase.plugins.definitions.stabilizer_chain import stabilizer_chain_of
from puzzlebase.plugins.definitions.state_counts import MOST_POINTS
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.work import NUMBERING, Work
from puzzlebase.puzzles import Goal


@dataclass(frozen=True, eq=False)
class RandomStates:
    """Draws states of a definition whose places are in blocks."""

    blocks: Sequence[PlaceBlock]
    texts: Texts

    @cached_property
    def _cosets(self) -> list[list[Numbers]] | None:
        """For each level, elements that take a base point to the points of its orbit;
        None if they are not known.
        """
        points, _ = (
            moves_on_block_points(self.blocks) if self.blocks else ([np.zeros(0, np.int16)], [])
        )
        if len(points[0]) > MOST_POINTS:
            return None
        apart = [block.with_different_pieces for block in self.blocks]
        levels, complete = stabilizer_chain_of(
            points, most_states_of_blocks(apart, Charges.of(apart)), Work(NUMBERING)
        )
        inverses = [[back for _, back in sorted(level.inverses.items())] for level in levels]
        return [[np.argsort(back) for back in some] for some in inverses] if complete else None

    def draw(self, goal: Goal, below: Callable[[int], int]) -> str | None:
        """Draw a state, as by `Draw`; None if the group is not known,
        or if the goal is not solved.
        """
        if self._cosets is None or goal.states != (self.texts.solved,):
            return None
        number = below(prod(map(len, self._cosets)))
        element = np.arange(len(moves_on_block_points(self.blocks)[0][0]))
        for cosets in reversed(self._cosets):
            number, digit = divmod(number, len(cosets))
            element = cosets[digit][element]
        labels, turns = self.texts.definition.solved(1)
        move_block_pieces(self.blocks, lambda homes: element[homes][None, :], labels, turns)
        return self.texts.format(self.texts.boards(labels, turns)[0])

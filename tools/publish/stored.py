"""The form that holds any puzzle of up to a million states: its moves and its drawings are stored, state by state.

The number of state s and move m is s * moves + m, that of state s and slot k is s * slots + k; their values lie in
blocks as distances do. A page then needs neither the rules nor the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Indices, Piece, drawing_of
from puzzlebase.puzzles.machinery.automaton import Automaton
from puzzlebase.tools.publish.blocks import write_blocks
from puzzlebase.tools.publish.drawing import shape_data, slot_of
from puzzlebase.tools.publish.states import NoForm, TextStates

MOST = 1 << 20  # states
_MOST_SLOTS = 2048
_CHUNK = 1 << 14


class StoredForm:
    """The moves and drawings of all states, in the order of the automaton's numbers."""

    def __init__(self, states: TextStates, automaton: Automaton) -> None:
        if states.source.space.size > MOST:
            raise NoForm(
                states.source.puzzle.name, f"more than {MOST:,} states, and moves that are no rewritings of letters"
            )
        self._source = states.source
        self._number = automaton.rank(states.every)
        self._order = np.argsort(self._number)
        self._moves = states.source.space.expand(np.zeros(1, np.int64)).shape[1]
        self._named: dict[tuple[str, str], int] = {}

    def moves(self, folder: Path, digest: str) -> dict[str, Any]:
        """Write the state after each move, and its name where names depend on the state; returns the description."""
        data = {"count": self._moves, "after": write_blocks(folder, self._after(), digest, "after")}
        if self._source.puzzle.names_vary:
            data["names"] = write_blocks(folder, self._names(), digest, "names")
            data["moves"] = [{"move": name, "group": group} for name, group in self._named]
        return data

    def _after(self) -> Iterator[npt.NDArray[np.int32]]:
        for some in self._chunks():
            successors = self._source.space.expand(some)
            yield np.where(successors >= 0, self._number[successors], -1).astype(np.int32).reshape(-1)

    def _names(self) -> Iterator[npt.NDArray[np.int32]]:
        puzzle = self._source.puzzle
        for some in self._chunks():
            found = np.full((len(some), self._moves), -1, np.int32)
            for row, board in zip(found, self._source.space.unrank(some), strict=True):
                for slot, move in enumerate(puzzle.moves_of(puzzle.format(board))):
                    row[slot] = self._named.setdefault((move.name, move.group), len(self._named))
            yield found.reshape(-1)

    def drawing(self, folder: Path, digest: str) -> dict[str, Any]:
        """Write the look of each slot in each state; returns what the header says. Raises NoForm for too many slots."""
        layout = drawing_of(self._source.puzzle).layout
        goal, puzzle = self._source.goal, self._source.puzzle
        first = layout(goal.start, goal)
        slots: dict[tuple[Any, ...], int] = {}
        looks: dict[tuple[str, str], int] = {}
        drawn: list[list[tuple[int, int]]] = []
        for some in self._chunks():
            for board in self._source.space.unrank(some):
                pieces = layout(puzzle.format(board), goal).pieces
                drawn.append([self._numbers(piece, slots, looks) for piece in pieces])
            if len(slots) > _MOST_SLOTS:
                raise NoForm(puzzle.name, f"its pieces lie in more than {_MOST_SLOTS:,} ways")

        def looked() -> Iterator[npt.NDArray[np.int32]]:
            for at in range(0, len(drawn), _CHUNK):
                some = drawn[at : at + _CHUNK]
                found = np.full((len(some), len(slots)), -1, np.int32)
                for row, pieces in zip(found, some, strict=True):
                    for slot, look in pieces:
                        row[slot] = look
                yield found.reshape(-1)

        return {
            "width": first.width,
            "height": first.height,
            "places": [[place.name, place.x, place.y] for place in first.places],
            "marks": [shape_data(mark) for mark in first.marks],
            "looks": [*looks],
            "slots": [dict(zip(("place", "outline", "x", "y", "size"), slot, strict=True)) for slot in slots],
            "stored": write_blocks(folder, looked(), digest, "looks"),
        }

    def _numbers(
        self, piece: Piece, slots: dict[tuple[Any, ...], int], looks: dict[tuple[str, str], int]
    ) -> tuple[int, int]:
        slot = slots.setdefault(slot_of(piece), len(slots))
        return slot, looks.setdefault((piece.colour, piece.label), len(looks))

    def _chunks(self) -> Iterator[Indices]:
        for first in range(0, len(self._order), _CHUNK):
            yield self._order[first : first + _CHUNK]

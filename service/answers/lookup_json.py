"""Lookups of a table as JSON, without an object for each state or move.

Answers of a table differ only in states and distances. So the JSON of one is what stands before a state, the state, and
what stands behind it, where only distances are filled in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import orjson

from puzzlebase.puzzles import UNREACHED, Boards
from puzzlebase.service.answers.lookups import answer_fields, lookup, move_answer
from puzzlebase.service.sources.table import OpenTable

_STATE = "\ue000"  # in place of the state when JSON is cut; no state contains it
_DISTANCE = 1 << 52  # in place of the distance; no name contains it


def plain(text: str) -> bool:
    """True if a text's letters are the same in JSON."""
    return text.isascii() and '"' not in text and "\\" not in text


def lookup_json(table: OpenTable, text: str) -> bytes:
    """The JSON of a lookup without long integers. Raises as the puzzle's `parse` does."""
    letters = table.puzzle.board.letters
    if letters and len(text) == letters.length and plain(text) and not table.of_game:
        board: Boards = np.frombuffer(text.encode(), np.uint8).reshape(1, -1)
        index = table.space.rank(board).item()
        if index >= 0:
            successors, distances = table.neighbours(index)
            distance, after = distances.pop(), letters.play(board)
            return writer_of(table).with_moves(text, distance, successors, distances, after).encode()
    return orjson.dumps(lookup(table, text))


def writer_of(table: OpenTable) -> LookupWriter:
    """The writer of a table, made at the first call."""
    writer: LookupWriter = table.made.get(LookupWriter) or LookupWriter(table)
    table.made[LookupWriter] = writer
    return writer


class LookupWriter:
    """Writes the lookups of a table whose states are letters, and whose moves all lead back."""

    def __init__(self, table: OpenTable) -> None:
        self.before, self._behind = _cut(answer_fields(table, _STATE, _DISTANCE), _DISTANCE)
        _, self._behind_unreached = _cut(answer_fields(table, _STATE, UNREACHED))
        self._before_moves = [_cut(move_answer(move.name, _STATE, 0, 0))[0] for move in table.puzzle.moves]
        _, self._behind_unreached_move = _cut(move_answer("", _STATE, UNREACHED, UNREACHED))
        self._behind_moves = {}  # by the change of distance
        for change in (-1, 0, 1):
            to = _DISTANCE + change
            _, self._behind_moves[change] = _cut(move_answer("", _STATE, to, _DISTANCE), to)

    def behind(self, distance: int) -> str:
        """The JSON behind a state at a distance."""
        return self._behind_unreached if distance == UNREACHED else self._behind % (distance, distance, distance)

    def with_moves(
        self, text: str, distance: int, successors: Sequence[int], distances: Sequence[int], after: Boards
    ) -> str:
        """The JSON of a lookup, by the successors by each move, their distances and their boards."""
        letters, length, moves = after.tobytes().decode("latin-1"), len(text), []
        best_first = sorted((to, move) for move, to in enumerate(distances) if successors[move] >= 0)
        for to, move in best_first:
            state = letters[length * move : length * (move + 1)]
            behind = self._behind_unreached_move if to == UNREACHED else self._behind_moves[to - distance] % to
            moves.append(self._before_moves[move] + state + behind)
        fields = self.before + text + self.behind(distance)
        return f'{fields[:-1]},"moves":[{",".join(moves)}]}}'


def _cut(answer: object, distance: int | None = None) -> tuple[str, str]:
    """The JSON of an answer before its state, and behind it, where %d stands for a distance."""
    before, behind = orjson.dumps(answer).decode().split(_STATE)
    return before, behind if distance is None else behind.replace("%", "%%").replace(str(distance), "%d")

"""Lookups of a table as JSON, written by a compiled loop, without a Python step for each state or move.

Answers of a table differ only in states and distances. So the JSON of one lookup is cut into fragments at these places.
The loop writes fragments, letters of states and digits of distances one after another.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import orjson

from puzzlebase.db.blocks import probe
from puzzlebase.puzzles import UNREACHED, Boards, Distances, Indices, kernel
from puzzlebase.puzzles.contract.space import above_least, follow
from puzzlebase.service.answers.lookups import answer_fields, lookup, move_answer
from puzzlebase.service.sources.table import OpenTable

_STATE = "\ue000"  # in place of the state when JSON is cut; no state contains it
_DISTANCE = 1 << 52  # in place of the distance; no name contains it
_DIGITS = 10  # of a distance, at the most
_NO_MOVES = np.empty((1, 0), np.int64), np.empty((1, 0), np.int32), np.empty((1, 0, 0), np.uint8)


def plain(text: str) -> bool:
    """True if a text's letters are the same in JSON."""
    return text.isascii() and '"' not in text and "\\" not in text


def lookup_json(table: OpenTable, text: str) -> bytes:
    """The JSON of a lookup without long integers. Raises as the puzzle's `parse` does."""
    letters = table.puzzle.board.letters
    if letters and len(text) == letters.length and plain(text) and table.space.directed is None:
        board: Boards = np.frombuffer(text.encode(), np.uint8).reshape(1, -1)
        index = table.space.rank(board).item()
        if index >= 0:
            return writer_of(table, moves=True).write_one(table, index, board, letters.play(board))
    return orjson.dumps(lookup(table, text))


def writer_of(table: OpenTable, *, moves: bool) -> LookupWriter:
    """The writer of a table, made at the first call."""
    writer: LookupWriter = table.writers.get(moves) or LookupWriter(table, moves=moves)
    table.writers[moves] = writer
    return writer


class LookupWriter:
    """Writes the lookups of a table, with moves or without; its states are letters, and its moves all lead back."""

    def __init__(self, table: OpenTable, *, moves: bool) -> None:
        names = [move.name for move in table.puzzle.moves] if moves else []
        more: dict[str, Any] = {"moves": []} if moves else {}
        end = b"]}" if moves else b""
        begin, *known = _cut({**answer_fields(table, _STATE, _DISTANCE), **more}, _DISTANCE)
        behind = [_cut(move_answer("", _STATE, to, _DISTANCE), to)[1:] for to in range(_DISTANCE - 1, _DISTANCE + 2)]
        fragments = [
            *(begin, *known[:3], known[3].removesuffix(end)),
            _cut({**answer_fields(table, _STATE, UNREACHED), **more}, 0)[1].removesuffix(end),
            end + b",",
            *chain(*behind),
            _cut(move_answer("", _STATE, UNREACHED, _DISTANCE), 0)[1],
            *(_cut(move_answer(name, _STATE, UNREACHED, UNREACHED), 0)[0] for name in names),
        ]
        self._content = np.frombuffer(b"".join(fragments), np.uint8), np.cumsum([0, *map(len, fragments)])
        self._most = sum(map(len, fragments + len(names) * fragments[7:14])) + (3 + len(names)) * _DIGITS
        space, product, orbits = table.space, table.space.product, table.space.orbits
        self._tables = (
            product and orbits and (*product().tables, *orbits.vertices.tables, orbits.more, space.goal_states)
        )

    def write(
        self, boards: Boards, distances: Distances, around: tuple[Indices, Distances, Boards] = _NO_MOVES
    ) -> Boards:
        """Write answers about states, uint8[n, letters] and int32[n], with a comma between any two: uint8[bytes].

        `around` are the successors by each move, int64[n, moves], their distances and their boards.
        """
        written = np.empty(len(boards) * self._most + boards.size + around[2].size, np.uint8)
        return written[: _write(boards, distances, *around, *self._content, written) - 1]

    def write_one(self, table: OpenTable, index: int, board: Boards, after: Boards) -> bytes:
        """Write the answer about a state of the table's space, uint8[1, letters], with its moves."""
        blocks = table.table.blocks
        if self._tables and blocks and blocks.in_memory:
            written = np.empty(self._most + board.size + after.size, np.uint8)
            if size := _write_around(index, *self._tables, *blocks.arguments, board, after, *self._content, written):
                return written[: size - 1].tobytes()
        successors, distances = map(np.array, table.neighbours(index))
        to = distances.astype(np.int32)
        return self.write(board, to[-1:], (successors[None, :-1], to[None, :-1], after)).tobytes()


def _cut(answer: object, distance: int) -> list[bytes]:
    """The JSON of an answer before its state, and the rest, cut at each distance other than 0."""
    before, after = orjson.dumps(answer).split(_STATE.encode())
    return [before, *(after.split(b"%d" % distance) if distance else [after])]


@kernel
def _write_around(  # type: ignore[no-untyped-def]
    index, moves, kinds, maps, rows, row_kinds, row_maps, more, goal, size, packed, start, base, width,
    board, after, content, starts, written,
):  # fmt: skip
    """Write the answer about a state of a space with orbits; returns 0 if a distance is not in memory.

    In one call: to hand over an array takes 0.1 microseconds or more.
    """
    states, count = np.empty(moves.shape[0] + 1, np.int64), moves.shape[0]
    states[count] = index
    around = states[:count].reshape((1, -1))
    follow(states[count:], moves, kinds, maps, around)
    vertices = np.empty((count + 1, rows.shape[0]), np.int64)
    follow(states, rows, row_kinds, row_maps, vertices)
    values, distances = np.empty(vertices.shape, np.int32), np.empty(count + 1, np.int32)
    if not probe(vertices.reshape(-1), size, packed, start, base, width, values.reshape(-1)):
        return 0
    above_least(states, values, more, goal, distances)
    return _write(board, distances[count:], around, distances[:count].reshape((1, -1)), after, content, starts, written)


@kernel
def _write(boards, distances, successors, to, after, content, starts, written):  # type: ignore[no-untyped-def]  # noqa: C901
    """Write answers with a comma after each; returns their bytes. Moves are written best first, then in their order.

    The fragments are: 0 before a state, 1 .. 4 around its distances, 5 without any, 6 the end. 7 .. 12 are around the
    distance after a move that is one less, the same, one more; 13 without any; from 14 on before the state after each
    move.
    """
    at = 0
    for i in range(boards.shape[0]):
        at = _fragment(0, content, starts, written, at)
        for letter in boards[i]:
            written[at] = letter
            at += 1
        if distances[i] < 0:
            at = _fragment(5, content, starts, written, at)
        else:
            for number in range(1, 4):
                at = _digits(distances[i], written, _fragment(number, content, starts, written, at))
            at = _fragment(4, content, starts, written, at)
        begun = at
        for change in range(-1, 3):
            for m in range(successors.shape[1]):
                behind = to[i, m]
                if successors[i, m] < 0 or (2 if behind < 0 else behind - distances[i]) != change:
                    continue
                if at > begun:
                    written[at] = 44  # a comma
                    at += 1
                at = _fragment(14 + m, content, starts, written, at)
                for letter in after[i, m]:
                    written[at] = letter
                    at += 1
                if change < 2:
                    at = _digits(behind, written, _fragment(9 + 2 * change, content, starts, written, at))
                at = _fragment(min(10 + 2 * change, 13), content, starts, written, at)
        at = _fragment(6, content, starts, written, at)
    return at


@kernel
def _fragment(number, content, starts, written, at):  # type: ignore[no-untyped-def]
    first, size = np.uint64(starts[number]), np.uint64(starts[number + 1] - starts[number])
    for i in range(size):  # unsigned, so that the compiler copies many bytes at a time
        written[np.uint64(at) + i] = content[first + i]
    return at + np.int64(size)


@kernel
def _digits(number, written, at):  # type: ignore[no-untyped-def]
    size, above = 1, np.int64(10)
    while number >= above:
        size += 1
        above *= 10
    for i in range(size):
        written[at + size - 1 - i] = 48 + number % 10
        number //= 10
    return at + size

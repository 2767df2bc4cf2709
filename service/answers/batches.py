"""Many states in one answer: read, ranked, looked up and written as JSON without a step per state in Python.

Answers differ only in the state, the distance and the moves' distances, so the JSON of one answer is
cut at its state into fragments, one for each distance, and a compiled loop strings fragments and
states together. The fragments come from the same functions that answer one lookup, so a batch says
what single lookups would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

import numpy as np
import numpy.typing as npt
import orjson
from pydantic import Field
from typing_extensions import TypedDict

from kernels import kernel
from puzzles import UNREACHED, Boards, Indices, PuzzleError
from service.answers.answer import Answer, Text, common
from service.answers.lookups import MoveAnswer, lookup, move_answer
from service.problems import Problem, problem_of
from service.sources.source import Source
from service.sources.table import OpenTable


class BatchProblem(TypedDict):
    """An entry of a batch that could not be looked up."""

    state: Text
    problem: Annotated[Problem, Field(description="what is wrong with it")]


class BatchLookup(Answer):
    """An entry of a batch."""

    moves: NotRequired[Annotated[list[MoveAnswer], Field(description="where asked for, as in a lookup")]]


class BatchAnswer(TypedDict):
    """Many lookups."""

    results: Annotated[list[BatchLookup | BatchProblem], Field(description="in the order of the states")]


_CUT = "\ue000"
"""Stands for the state where an answer's JSON is cut; no state has it."""


def lookup_batch(source: Source, states: Sequence[str], *, moves: bool = False) -> bytes:
    """The JSON of {"results": [...]}, an answer for each state, with `moves` as in a lookup.

    A state that cannot be looked up spoils only its own entry: {"state", "problem"}.
    """
    letters = source.puzzle.letters
    if letters is None or not isinstance(source, OpenTable):
        return orjson.dumps({"results": _with_moves(source, states) if moves else _without_moves(source, states)})
    boards = _boards(states, letters.length)
    indices = source.space.rank(boards)
    fragments = _Fragments()
    ends = fragments.add(b",")
    pieces = _pieces(source, indices, fragments, moves=moves)
    for row in np.flatnonzero(indices < 0).tolist():
        plain = _with_moves if moves else _without_moves
        result = orjson.dumps(plain(source, [states[row]])[0])
        pieces[row] = fragments.nothing
        pieces[row, 0] = fragments.add(result)
    pieces = np.hstack([pieces, np.full((len(pieces), 1), ends, np.int64)])
    if len(pieces):
        pieces[-1, -1] = fragments.nothing
    texts = boards if not moves else np.concatenate([boards, letters.play(boards).reshape(-1, letters.length)])
    return b'{"results":[' + fragments.join(pieces.reshape(-1), texts) + b"]}"


def _with_moves(source: Source, states: Sequence[str]) -> list[object]:
    """Entries, the plain way."""
    entries: list[object] = []
    for state in states:
        source.go_on()
        try:
            entries.append(lookup(source, state))
        except PuzzleError as error:
            entries.append(_wrong(state, error))
    return entries


def _without_moves(source: Source, states: Sequence[str]) -> list[object]:
    """The same without the moves: their distances, nine tenths of a lookup, are not asked for."""
    entries: list[object] = [None] * len(states)
    indices: dict[int, int] = {}
    for number, state in enumerate(states):
        try:
            indices[number] = source.index(state)
        except PuzzleError as error:
            entries[number] = _wrong(state, error)
    distances: list[int] = source.distances(np.array([*indices.values()], np.int64)).tolist()
    for (number, index), distance in zip(indices.items(), distances, strict=True):
        entries[number] = common(source, states[number], distance, index)
    return entries


def _wrong(state: str, error: PuzzleError) -> object:
    readable = state.encode("utf-8", "replace").decode()  # half a surrogate pair is no text to send back
    return {"state": readable, "problem": problem_of(error)}


def _boards(states: Sequence[str], length: int) -> Boards:
    """The characters of each state, zeros for one of another length or with other characters than ASCII."""
    joined = "".join(states)
    if not joined.isascii() or set(map(len, states)) - {length}:
        joined = "".join(s if len(s) == length and s.isascii() else "\0" * length for s in states)
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(-1, length)


def _pieces(source: OpenTable, indices: Indices, fragments: _Fragments, *, moves: bool) -> npt.NDArray[np.int64]:
    """What each answer is strung together from: fragments, and ~row for the state in that row of the texts."""
    distances = source.distances(indices)
    rows = np.arange(len(indices))
    tails = np.empty(len(source.table.info.layers) + 1, np.int64)  # by distance, the last for UNREACHED
    present = np.unique(distances).tolist()
    head = fragments.nothing
    for distance in present:
        answer = {**common(source, _CUT, distance)} | ({"moves": []} if moves else {})
        head, tail = fragments.cut(answer)
        tails[distance] = fragments.add(fragments.content[tail].removesuffix(b"]}")) if moves else tail
    around = np.stack([np.full(len(indices), head), ~rows, tails[distances]], axis=1)
    if not moves:
        return around
    ways = _move_pieces(source, indices, distances, fragments)
    return np.hstack([around, ways, np.full((len(indices), 1), fragments.add(b"]}"))])


def _move_pieces(
    source: OpenTable, indices: Indices, distances: npt.NDArray[np.int32], fragments: _Fragments
) -> npt.NDArray[np.int64]:
    """The same for the moves, nearest first: for each its head, its state and its tail."""
    names = source.puzzle.moves
    successors = source.space.expand(indices)
    to = source.distances(successors.reshape(-1)).reshape(successors.shape)
    heads = np.array([fragments.cut(move_answer(move.name, _CUT, 0, 0))[0] for move in names])
    later = np.array([fragments.add(b"," + fragments.content[head]) for head in heads])
    farthest = len(source.table.info.layers)
    tails = np.full((farthest + 1, 4), fragments.nothing)  # by distance, and its change + 1 or 3 for UNREACHED
    for distance in np.unique(distances).tolist():
        for delta in (-1, 0, 1):
            tails[distance, delta + 1] = fragments.cut(move_answer("", _CUT, max(distance + delta, 0), distance))[1]
        tails[distance, 3] = fragments.cut(move_answer("", _CUT, UNREACHED, distance))[1]
    change = np.where(to < 0, 3, to - distances[:, None] + 1)
    nearness = np.where(successors < 0, farthest + 1, np.where(to < 0, farthest, to))
    order: npt.NDArray[np.int64] = np.argsort(nearness, axis=1, kind="stable")
    legal = np.take_along_axis(successors, order, axis=1) >= 0
    ways = np.empty((len(indices), len(names), 3), np.int64)
    ways[:, :, 0] = later[order]
    ways[:, 0, 0] = heads[order[:, 0]]
    ways[:, :, 1] = ~(len(indices) + np.arange(len(indices))[:, None] * len(names) + order)
    ways[:, :, 2] = np.take_along_axis(tails[distances[:, None], change], order, axis=1)
    ways[~legal] = fragments.nothing
    return ways.reshape(len(indices), 3 * len(names))


class _Fragments:
    """Pieces of JSON that answers share, numbered."""

    def __init__(self) -> None:
        self.content = [b""]
        self.nothing = 0

    def add(self, fragment: bytes) -> int:
        self.content.append(fragment)
        return len(self.content) - 1

    def cut(self, answer: object) -> tuple[int, int]:
        """The JSON before and after the state."""
        head, tail = orjson.dumps(answer).split(_CUT.encode())
        return self.add(head), self.add(tail)

    def join(self, pieces: npt.NDArray[np.int64], texts: Boards) -> bytes:
        """Fragments, and for ~row the text in that row, one after another."""
        sizes = np.array([len(fragment) for fragment in self.content])
        start = np.concatenate([[0], np.cumsum(sizes)])
        pool = np.frombuffer(b"".join(self.content), np.uint8)
        joined = np.empty(int(np.where(pieces >= 0, sizes[np.maximum(pieces, 0)], texts.shape[1]).sum()), np.uint8)
        _join(pieces, pool, start, texts, joined)
        return joined.tobytes()


@kernel
def _join(pieces, pool, start, texts, joined):  # type: ignore[no-untyped-def]
    at = 0
    for piece in pieces:
        if piece >= 0:
            for i in range(start[piece], start[piece + 1]):
                joined[at] = pool[i]
                at += 1
        else:
            for i in range(texts.shape[1]):
                joined[at] = texts[~piece, i]
                at += 1

"""Many states in one answer, read, looked up and written as JSON without a step per state in Python.

Answers differ only in the state and in distances. So for each distance the JSON of one lookup is cut at its state into
fragments, and a compiled loop joins fragments and states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

import numpy as np
import numpy.typing as npt
import orjson
from typing_extensions import TypedDict

from puzzlebase.kernels import kernel
from puzzlebase.puzzles import UNREACHED, Boards, Distances, Indices, InvalidState, Letters, PuzzleError
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.answers.lookups import Answer, MoveAnswer, Text, answer_fields, lookup, means, move_answer
from puzzlebase.service.error_status import Problem, problem_of
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.sources.source import Source, boards_of
from puzzlebase.service.sources.table import OpenTable, as_table


class BatchProblem(TypedDict):
    """An entry of a batch that could not be looked up."""

    state: Text
    problem: Annotated[Problem, means("what is wrong with it")]


class BatchLookup(Answer):
    """An entry of a batch."""

    moves: NotRequired[Annotated[list[MoveAnswer], means("as in a lookup, if asked for")]]


class BatchAnswer(TypedDict):
    """Many lookups."""

    results: Annotated[list[BatchLookup | BatchProblem], means("one for each state, in their order")]


_CUT = "\ue000"  # stands for the state where the JSON of an answer is cut; no state contains it


def lookup_batch(source: Source, states: Sequence[str], *, moves: bool = False) -> bytes:
    """The JSON of {"results": [...]}, one answer for each state; a wrong state's is {"state", "problem"}."""
    letters, whole = source.puzzle.board.letters, as_table(source)
    if letters is None or whole is None or source.one_way:  # a move may lead much farther away
        return to_json({"results": _one_by_one(source, states, moves=moves)})
    return _together(source, whole, letters, states, moves=moves)


def _one_by_one(source: Source, states: Sequence[str], *, moves: bool) -> list[object]:
    """Make each entry alone. Those without moves need no distances behind moves, nine tenths of a lookup."""
    entries: list[object] = [None] * len(states)
    indices: dict[int, int] = {}
    for number, state in enumerate(states):
        if table := as_table(source):  # other sources look at the time themselves
            table.deadline.check()
        try:
            if len(state) > MAX_STATE:
                raise InvalidState(f"{len(state):,} characters are too many", f"a state has at most {MAX_STATE:,}")
            if moves:
                entries[number] = lookup(source, state)
            else:
                indices[number] = source.index(state)
        except PuzzleError as error:
            readable = state.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent back
            entries[number] = {"state": readable, "problem": problem_of(error)}
    for number, distance in zip(indices, source.distances_of([*indices.values()]), strict=True):
        entries[number] = answer_fields(source, states[number], distance)
    return entries


def _together(source: Source, table: OpenTable, letters: Letters, states: Sequence[str], *, moves: bool) -> bytes:
    """Make all entries at once, except those of states without an index, which are made one by one."""
    boards = boards_of(states, letters.length)
    indices = table.space.rank(boards)
    fragments = _Fragments()
    comma = fragments.add(b",")
    pieces = _pieces(source, table, indices, fragments, moves=moves)
    for row in np.flatnonzero(indices < 0).tolist():
        (entry,) = _one_by_one(source, [states[row]], moves=moves)
        pieces[row] = fragments.empty
        pieces[row, 0] = fragments.add(orjson.dumps(entry))
    pieces = np.hstack([pieces, np.full((len(pieces), 1), comma, np.int64)])
    if len(pieces):
        pieces[-1, -1] = fragments.empty
    texts = boards if not moves else np.concatenate([boards, letters.play(boards).reshape(-1, letters.length)])
    return b'{"results":[' + fragments.join(pieces.reshape(-1), texts) + b"]}"


def _pieces(
    source: Source, table: OpenTable, indices: Indices, fragments: _Fragments, *, moves: bool
) -> npt.NDArray[np.int64]:
    """A row for each answer: the numbers of the fragments to join, and ~n for the text in row n."""
    distances = table.distances(indices)
    rows = np.arange(len(indices))
    tails = np.empty(len(table.table.info.layers) + 1, np.int64)  # by distance, the last for UNREACHED
    start = fragments.empty
    for distance in np.unique(distances).tolist():
        answer = {**answer_fields(source, _CUT, distance)} | ({"moves": []} if moves else {})
        start, tail = fragments.cut(answer)
        tails[distance] = fragments.add(fragments.content[tail].removesuffix(b"]}")) if moves else tail
    fields = np.stack([np.full(len(indices), start), ~rows, tails[distances]], axis=1)
    if not moves:
        return fields
    end = np.full((len(indices), 1), fragments.add(b"]}"))
    return np.hstack([fields, _move_pieces(table, indices, distances, fragments), end])


def _move_pieces(
    table: OpenTable, indices: Indices, distances: Distances, fragments: _Fragments
) -> npt.NDArray[np.int64]:
    """A row for the moves of each answer, best first: three pieces for each, of which ~n in the middle is the state."""
    names = table.puzzle.moves
    successors = table.space.expand(indices)
    to = table.distances(successors.reshape(-1)).reshape(successors.shape)
    starts = np.array([fragments.cut(move_answer(move.name, _CUT, 0, 0))[0] for move in names])
    later_starts = np.array([fragments.add(b"," + fragments.content[start]) for start in starts])
    beyond = len(table.table.info.layers)  # larger than every distance
    tails = np.full((beyond + 1, 4), fragments.empty)  # by distance, and by its change + 1, or 3 for UNREACHED
    for distance in np.unique(distances).tolist():
        for delta in (-1, 0, 1):
            tails[distance, delta + 1] = fragments.cut(move_answer("", _CUT, max(distance + delta, 0), distance))[1]
        tails[distance, 3] = fragments.cut(move_answer("", _CUT, UNREACHED, distance))[1]
    change = np.where(to < 0, 3, to - distances[:, None] + 1)
    rank = np.where(successors < 0, beyond + 1, np.where(to < 0, beyond, to))
    order: npt.NDArray[np.int64] = np.argsort(rank, axis=1, kind="stable")
    legal = np.take_along_axis(successors, order, axis=1) >= 0
    pieces = np.empty((len(indices), len(names), 3), np.int64)
    pieces[:, :, 0] = later_starts[order]
    pieces[:, 0, 0] = starts[order[:, 0]]
    pieces[:, :, 1] = ~(len(indices) + np.arange(len(indices))[:, None] * len(names) + order)
    pieces[:, :, 2] = np.take_along_axis(tails[distances[:, None], change], order, axis=1)
    pieces[~legal] = fragments.empty
    return pieces.reshape(len(indices), 3 * len(names))


class _Fragments:
    """Pieces of JSON that answers share, numbered."""

    def __init__(self) -> None:
        self.content = [b""]
        self.empty = 0

    def add(self, fragment: bytes) -> int:
        """Add a fragment and return its number."""
        self.content.append(fragment)
        return len(self.content) - 1

    def cut(self, answer: object) -> tuple[int, int]:
        """Cut the JSON of an answer at its state, and return the numbers of the two fragments."""
        before, after = orjson.dumps(answer).split(_CUT.encode())
        return self.add(before), self.add(after)

    def join(self, pieces: npt.NDArray[np.int64], texts: Boards) -> bytes:
        """Join pieces: fragments by number, and for ~n the text in row n."""
        sizes = np.array([len(fragment) for fragment in self.content])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        content = np.frombuffer(b"".join(self.content), np.uint8)
        joined = np.empty(int(np.where(pieces >= 0, sizes[np.maximum(pieces, 0)], texts.shape[1]).sum()), np.uint8)
        _join(pieces, content, starts, texts, joined)
        return joined.tobytes()


@kernel
def _join(pieces, content, starts, texts, joined):  # type: ignore[no-untyped-def]
    at = 0
    for piece in pieces:
        if piece >= 0:
            for i in range(starts[piece], starts[piece + 1]):
                joined[at] = content[i]
                at += 1
        else:
            for i in range(texts.shape[1]):
                joined[at] = texts[~piece, i]
                at += 1

"""Many states in one answer. All good states between two bad ones are written at once (lookup_json.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired

import numpy as np
import orjson
from typing_extensions import TypedDict

from puzzlebase.puzzles import Boards, Distances, Indices, InvalidState, Letters, PuzzleError
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.answers.lookup_json import plain, writer_of
from puzzlebase.service.answers.lookups import Answer, MoveAnswer, answer_fields, is_game, lookup
from puzzlebase.service.answers.record import ListOf, answer
from puzzlebase.service.error_status import Problem, problem_of
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.sources.source import Source, boards_of
from puzzlebase.service.sources.table import OpenTable, as_table


class BatchProblem(TypedDict):
    """An entry of a batch that could not be looked up."""

    state: str
    """a state, in the caller's own letters"""
    problem: Problem
    """what is wrong with it"""


class BatchLookup(Answer):
    """An entry of a batch."""

    moves: NotRequired[list[MoveAnswer]]
    """as in a lookup, if asked for"""


class BatchAnswer(TypedDict):
    """Many lookups."""

    results: list[BatchLookup | BatchProblem]
    """one for each state, in their order"""


@answer("state", "Lookups", path="/v1/puzzles/{name}/lookup", methods=("POST",), type=BatchAnswer)
def lookup_batch(source: Source, states: ListOf[str], moves: bool = False) -> bytes:
    """Many lookups in one request. A state that is wrong spoils only its own entry.

    The answer is JSON already.

    Args:
        states: the states
        moves: whether to give every move too, as a lookup does
    """
    letters, whole = source.puzzle.board.letters, as_table(source)
    if letters is None or whole is None or is_game(source):  # there a move may lead much farther away
        return to_json({"results": _one_by_one(source, states, moves=moves)})
    return _together(whole, letters, states, moves=moves)


def _one_by_one(source: Source, states: Sequence[str], *, moves: bool) -> list[object]:
    """Make each entry alone. Without moves, successors need no distances, which are nine tenths of a lookup."""
    entries: list[object] = [None] * len(states)
    indices: dict[int, int] = {}
    for number, state in enumerate(states):
        if table := as_table(source):  # other sources check the time themselves
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


def _together(table: OpenTable, letters: Letters, states: Sequence[str], *, moves: bool) -> bytes:
    """Make all entries at once, except those of states without an index."""
    known = states if plain("".join(states)) else [state if plain(state) else "" for state in states]
    boards = boards_of(known, letters.length)
    indices = table.space.rank(boards)
    distances = table.distances(indices)
    writer = writer_of(table, moves=moves)
    pieces: list[Any] = []
    first = 0
    for row in [*np.flatnonzero(indices < 0).tolist(), len(states)]:
        if first < row:
            some = slice(first, row)
            around = [_around(table, letters, indices[some], boards[some])] if moves else []
            pieces += b",", writer.write(boards[some], distances[some], *around)
        if row < len(states):
            pieces += b",", orjson.dumps(_one_by_one(table, [states[row]], moves=moves)[0])
        first = row + 1
    return b"".join([b'{"results":[', *pieces[1:], b"]}"])


def _around(table: OpenTable, letters: Letters, indices: Indices, boards: Boards) -> tuple[Indices, Distances, Boards]:
    successors = table.space.expand(indices)
    distances = table.distances(successors.reshape(-1)).reshape(successors.shape)
    return successors, distances, np.ascontiguousarray(letters.play(boards))

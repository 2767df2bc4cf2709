"""Many states in one answer. Those of a table are looked up together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, islice
from typing import Any, NotRequired

import numpy as np
from typing_extensions import TypedDict

from puzzlebase.puzzles import Boards, Indices, InvalidState, Letters, PuzzleError
from puzzlebase.service.answers.limits import MAX_STATE
from puzzlebase.service.answers.lookups import (
    Answer,
    MoveAnswer,
    lookup,
    lookup_fields,
    lookup_moves,
)
from puzzlebase.service.answers.record import ListOf, answer
from puzzlebase.service.error_status import Problem, problem_of
from puzzlebase.service.sources.source import Source, boards_of
from puzzlebase.service.sources.table import OpenTable


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


@answer("state", "Lookups", path="/v1/puzzles/{name}/lookup", methods=("POST",))
def lookup_batch(source: Source, states: ListOf[str], moves: bool = False) -> BatchAnswer:
    """Many lookups in one request. A state that is wrong spoils only its own entry.

    Args:
        states: the states
        moves: whether to give every move too, as a lookup does
    """
    letters, whole = source.puzzle.board.letters, source.as_table()
    # there a move may lead much farther away
    if letters is None or whole is None or source.of_game:
        return {"results": _one_by_one(source, states, moves=moves)}
    return {"results": _together(whole, letters, states, moves=moves)}


def _one_by_one(source: Source, states: Sequence[str], *, moves: bool) -> list[Any]:
    """Make each entry alone. Without moves,
    successors need no distances, which are nine tenths of a lookup.
    """
    entries: list[Any] = [None] * len(states)
    indices: dict[int, int] = {}
    for number, state in enumerate(states):
        if table := source.as_table():  # other sources check the time themselves
            table.deadline.check()
        try:
            if len(state) > MAX_STATE:
                raise InvalidState(
                    f"{len(state):,} characters are too many", f"a state has at most {MAX_STATE:,}"
                )
            if moves:
                entries[number] = lookup(source, state)
            else:
                indices[number] = source.index(state)
        except PuzzleError as error:
            # half a surrogate pair cannot be sent back
            readable = state.encode("utf-8", "replace").decode()
            entries[number] = {"state": readable, "problem": problem_of(error)}
    for number, distance in zip(indices, source.distances_of([*indices.values()]), strict=True):
        entries[number] = lookup_fields(source, states[number], distance)
    return entries


def _together(
    table: OpenTable, letters: Letters, states: Sequence[str], *, moves: bool
) -> list[Any]:
    """Make all entries at once, except those of states without an index."""
    boards = boards_of(states, letters.length)
    indices = table.space.rank(boards)
    inside = indices >= 0
    distances = table.distances(indices[inside]).tolist()
    # those at one distance differ in their states alone
    at = {distance: lookup_fields(table, "", distance) for distance in {*distances}}
    sound = zip(compress(states, inside), distances, strict=True)
    known: Iterator[Any] = ({**at[distance], "state": state} for state, distance in sound)
    if moves:
        answers = _moves(table, letters, indices[inside], boards[inside], distances)
        known = ({**entry, "moves": each} for entry, each in zip(known, answers, strict=True))
    return [
        next(known) if ranked else _one_by_one(table, [state], moves=moves)[0]
        for state, ranked in zip(states, inside.tolist(), strict=True)
    ]


def _moves(
    table: OpenTable, letters: Letters, indices: Indices, boards: Boards, distances: Sequence[int]
) -> Iterator[list[MoveAnswer]]:
    """The moves of each state, best first."""
    successors = table.space.expand(indices)
    after = table.distances(successors.reshape(-1)).reshape(successors.shape)
    # unsigned, so that UNREACHED comes last
    best_first: Indices = np.argsort(after.view(np.uint32), axis=1, kind="stable")
    texts = iter(letters.texts(letters.play(boards)))
    for row, distance in enumerate(distances):
        to, order = successors[row].tolist(), best_first[row].tolist()
        legal = [move for move in order if to[move] >= 0]
        states = [*islice(texts, len(to))]
        yield lookup_moves(table, distance, table.puzzle.moves, legal, states, after[row].tolist())

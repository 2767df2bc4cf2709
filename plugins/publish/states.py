"""The states of a puzzle as texts of one length,
with codes for letters; their ranks, and their moves as data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.db.limits import MOST_WRITTEN
from puzzlebase.machine import processors
from puzzlebase.plugins.publish.columns import Columns
from puzzlebase.plugins.publish.rewriting import Flags, RewritingMove, letters_seen
from puzzlebase.plugins.publish.smallest_automaton import (
    smallest_automaton,
    smallest_automaton_of_either,
)
from puzzlebase.puzzles import Boards, IllegalMove, Indices, Puzzle
from puzzlebase.puzzles.machinery.automaton import Automaton
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.threads import in_order

LISTED = 1 << 20  # states whose texts are stored, or whose automaton is found at once
_EVERY = 1 << 26  # the most states of a puzzle of which all are compared with its moves
_MOST_NODES = 1 << 18  # of an automaton that a page reads
_PLAYED = 2048  # states that are played to find the form of moves, and as many that contradict it
_LEARNT = 256  # attempts to find it
_COMPARED = 1 << 20  # states that are compared of a larger puzzle
_CHUNK = 1 << 16
_AHEAD = 4  # pieces of LISTED states
_NO_LETTER = 255
FILL = "\0"  # what fills up texts to one length
Begin = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows the progress of work on some number of states;
it gives the function to call with the number finished.
"""
Characters = npt.NDArray[Any]
"""Texts as numbers of characters, [n, length]."""


class NoForm(InvalidRequest):
    """A puzzle has none of the forms in which a folder of files holds a puzzle."""

    def __init__(self, puzzle: Puzzle, lacks: str) -> None:
        super().__init__(
            f"{puzzle.name} cannot be published: {lacks}", "README.md says which puzzles can be"
        )


@dataclass(frozen=True)
class TextStates:
    """The states of a table as texts, by places:
    uint8[n, places] of codes, numbers of letters in `alphabet`.
    """

    source: OpenTable
    begin: Begin
    alphabet: Characters  # in order; FILL is the first one if texts have several lengths
    # of all states by index; None if the puzzle's boards are the characters
    texts: Characters | None
    columns: Columns | None  # the layout of texts with columns, or None

    @classmethod
    def of(cls, source: OpenTable, begin: Begin) -> TextStates:
        """Examine the states of a table. Raises NoForm."""
        space, puzzle = source.space, source.puzzle
        if source.goal.coarse:
            raise NoForm(puzzle, "its goal leaves pieces open, and a page tells all states apart")
        boards = space.unrank(_drawn(space.size, LISTED))
        some = boards[:: len(boards) // _PLAYED + 1]
        plain = boards.dtype == np.uint8 and all(
            board.tobytes() == puzzle.format(board).encode() for board in some
        )
        if space.size > (MOST_WRITTEN if plain else LISTED):
            raise NoForm(
                puzzle, f"its {space.size:,} states are more than can be written one by one"
            )
        texts = None if plain else _characters([puzzle.format(board) for board in boards])
        return cls(
            source, begin, np.unique(boards if texts is None else texts), texts, Columns.of(puzzle)
        )

    def _codes(self, characters: Characters) -> Boards:
        codes = published_state_codes(characters, self.alphabet, self.columns)
        if codes.max(initial=0) == _NO_LETTER:
            raise NoForm(self.source.puzzle, "it has letters that few of its states have")
        return codes

    def coded(self, indices: Indices) -> Boards:
        """The codes of states; raises NoForm."""
        return self._codes(
            self.source.space.unrank(indices) if self.texts is None else self.texts[indices]
        )

    def _characters(self, codes: Boards) -> Characters:
        characters = self.alphabet[codes]
        return self.columns.texts(characters) if self.columns else characters

    def texts_of(self, codes: Boards) -> list[str]:
        """The texts with these codes."""
        characters = self._characters(codes).astype(np.uint32)
        texts: list[str] = characters.view(f"U{characters.shape[1]}")[:, 0].tolist()
        return texts

    @cached_property
    def sample(self) -> list[str]:
        """Sample texts that show the form of moves and drawings:
        the goal's start, solved states, and random ones.
        """
        goal, space = self.source.goal, self.source.space
        drawn = space.unrank(_drawn(space.size, _PLAYED))
        texts = [
            goal.start,
            *goal.states[:16],
            *(self.source.puzzle.format(board) for board in drawn),
        ]
        return [*dict.fromkeys(map(self._renaming(), texts))]

    def _renaming(self) -> Callable[[str], str]:
        """Rename the colours of texts at random if they are interchangeable:
        then each colour occurs everywhere.
        """
        puzzle, rng = self.source.puzzle, Random(1)  # noqa: S311 -- colours for a sample, the same ones each time
        free = [letter for letter in map(chr, self.alphabet) if letter.isalpha()]
        swapped = puzzle.notation.examples[0].translate(
            str.maketrans("".join(free), "".join(free[::-1]))
        )
        if puzzle.board.canonical(swapped) == swapped:
            return str

        def renamed(text: str) -> str:
            return text.translate(
                str.maketrans("".join(free), "".join(rng.sample(free, len(free))))
            )

        return renamed

    def ranked(self) -> tuple[Automaton, Callable[[Indices], Indices]]:
        """The automaton of all texts, and what gives the indices of its numbers; raises NoForm.

        It is made piece by piece, few of them in memory.
        """
        found: Automaton | None = None
        space = self.source.space
        with self.begin("number", space.size) as advance, ThreadPoolExecutor(processors()) as pool:
            for each in in_order(pool, self._numbered, range(0, space.size, LISTED), _AHEAD):
                advance(each.size)
                found = smallest_automaton_of_either(found, each) if found else each
                if space.size > LISTED and len(found.transitions) > _MOST_NODES:
                    raise NoForm(
                        self.source.puzzle,
                        f"its texts have no automaton of {_MOST_NODES:,} nodes",
                    )
        assert found is not None
        automaton = found
        if self.texts is None:
            return automaton, lambda numbers: space.rank(
                self._characters(automaton.unrank(numbers))
            )
        order, states = np.empty(automaton.size, np.int64), self._states(0)
        order[automaton.rank(self.coded(states))] = states
        return automaton, order.take

    def _states(self, first: int) -> Indices:
        """LISTED indices from one on, but for those of no state."""
        space = self.source.space
        indices = np.arange(first, min(first + LISTED, space.size))
        states: Indices = indices[space.rank(space.unrank(indices)) == indices]
        return states

    def _numbered(self, first: int) -> Automaton:
        return smallest_automaton(self.coded(self._states(first)), len(self.alphabet))

    def moves(self) -> tuple[list[RewritingMove], Boards]:
        """Find the moves as data, compared with the puzzle's own;
        and codes of states that show all. Raises NoForm.

        States that contradict the result, or that show more,
        are added to those from which it is found.
        """
        puzzle = self.source.puzzle
        if puzzle.names_vary or FILL in map(chr, self.alphabet):
            raise self._no_rewritings()
        size = self.source.space.size
        every = range(size) if size <= _EVERY else _drawn(size, _COMPARED)
        count = -(-len(every) // _CHUNK)
        pieces = [every[first::count] for first in range(count)]  # spread over all states
        texts = self.sample
        with self.begin("compare", len(every)) as advance, ThreadPoolExecutor(processors()) as pool:
            for _ in range(_LEARNT):
                before, moves = self._learnt(texts)
                cases = [np.unique([-1, *move.case_of(before)]) for move in moves]
                differing = partial(
                    self._differing, moves, cases, letters_seen(before, len(self.alphabet))
                )
                for number, found in enumerate(in_order(pool, differing, pieces, _AHEAD)):
                    if len(found):
                        break
                    advance(len(pieces[number]))
                else:
                    return moves, before
                pieces = pieces[number:] + pieces[:number]
                texts = [*texts, *self.texts_of(self.coded(found))]
        raise self._no_rewritings()

    def _no_rewritings(self) -> NoForm:
        return NoForm(self.source.puzzle, "its moves are no rewritings of letters")

    def _learnt(self, texts: list[str]) -> tuple[Boards, list[RewritingMove]]:
        """The codes of texts, and the moves as these show them; raises NoForm."""
        before = self._codes(_characters(texts))
        if self.columns:
            return before, self.columns.moves(self.alphabet)
        moves = []
        for name in (move.name for move in self.source.puzzle.moves):
            move = RewritingMove.of(before, *self._played(texts, name), len(self.alphabet))
            if move is None:
                raise self._no_rewritings()
            moves.append(move)
        return before, moves

    def _played(self, texts: list[str], move: str) -> tuple[Boards, Flags]:
        """The codes of texts after a move, unchanged if it is illegal;
        and True for each in which it is legal.
        """
        after, legal = [*texts], np.ones(len(texts), bool)
        for at, text in enumerate(texts):
            try:
                after[at] = self.source.puzzle.play(text, move)
            except IllegalMove:
                legal[at] = False
        return self._codes(_characters(after)), legal

    def _differing(
        self, moves: list[RewritingMove], cases: list[Indices], shown: Flags, piece: range | Indices
    ) -> Indices:
        """Some states in which a move is not the space's,
        or which show a case or a letter that was not shown.
        """
        indices = (
            np.arange(piece.start, piece.stop, piece.step) if isinstance(piece, range) else piece
        )
        before = self.coded(indices)
        differs = ~shown[np.arange(before.shape[1]), before].all(axis=1)
        for move, known, to in zip(moves, cases, self.source.space.expand(indices).T, strict=True):
            after, case = move.after(before)
            differs |= ~np.isin(case, known) | ((case < 0) != (to < 0))
            both = np.flatnonzero((case >= 0) & (to >= 0))
            differs[both] |= ~self._are(after[both], to[both])
        found = indices[differs]
        return found[:: len(found) // _PLAYED + 1]

    def _are(self, codes: Boards, indices: Indices) -> Flags:
        """True for codes that show the states of these indices;
        each place laid out has to agree.
        """
        if self.texts is None and not self.columns:
            same: Flags = self.source.space.rank(self._characters(codes)) == indices
        else:
            same = (codes == self.coded(indices)).all(axis=1)
        return same

    def data(self) -> dict[str, Any]:
        """The alphabet, the length of the longest text, and the layout of texts, as JSON."""
        length = len(self.source.goal.start) if self.texts is None else self.texts.shape[1]
        columns = self.columns.data() if self.columns else {}
        return {"alphabet": "".join(map(chr, self.alphabet)), "length": length, **columns}


def _characters(texts: Sequence[str]) -> Characters:
    """The characters of texts; FILL behind shorter ones."""
    return np.array(texts).view(np.uint32).reshape(len(texts), -1)


def published_state_codes(
    characters: Characters, alphabet: Characters, columns: Columns | None
) -> Boards:
    """The codes of the texts of states, by places;
    255 for a character that is no letter of the alphabet.
    """
    code = np.full(int(alphabet[-1]) + 2, _NO_LETTER, np.uint8)
    code[alphabet] = np.arange(len(alphabet))
    codes: Boards = code.take(columns.laid_out(characters) if columns else characters, mode="clip")
    return codes


def _drawn(size: int, count: int) -> Indices:
    """Random indices, the same ones each time, or all."""
    if size <= count:
        return np.arange(size)
    random = np.random.default_rng(1)
    return random.permutation(np.unique(random.integers(0, size, count)))

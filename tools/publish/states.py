"""The states of a puzzle as texts of one length, with codes for letters; their ranks, and their moves as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Boards, IllegalMove, Indices, PuzzleError, Signed
from puzzlebase.puzzles.machinery.automaton import Automaton
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.system import processors
from puzzlebase.threads import in_order
from puzzlebase.tools.publish.columns import Columns
from puzzlebase.tools.publish.listed import automaton_of, union
from puzzlebase.tools.publish.moves import Flags, RewritingMove, all_moves, seen

LISTED = 1 << 20  # states that are kept as texts, and whose automaton is found at once
_EVERY = 1 << 26  # the most states of a puzzle of which all are compared with its moves
_MOST_NODES = 1 << 18  # of an automaton that a page reads
_EXCHANGED = 32  # texts that are read with two letters exchanged
_PLAYED = 2048  # states that are played to find the form of moves, and as many that contradict it
_LEARNT = 256  # attempts to find it
_COMPARED = 1 << 20  # states that are compared of a larger puzzle
_CHUNK = 1 << 16
_AHEAD = 4  # pieces of LISTED states
Begin = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows the progress of work on some number of states; it gives the function to call with the number finished."""


class NoForm(InvalidRequest):
    """A puzzle has none of the forms in which a folder of files holds a puzzle."""

    def __init__(self, name: str, lacks: str) -> None:
        super().__init__(f"{name} cannot be published: {lacks}", "docs/publishing.md says which puzzles can be")


@dataclass(frozen=True)
class TextStates:
    """The states of a table as texts, by places: uint8[n, length] of codes, numbers of letters in `alphabet`."""

    source: OpenTable
    alphabet: str
    length: int
    plain: bool  # True if the puzzle's boards are the texts' characters
    begin: Begin
    columns: Columns | None = None  # the layout of texts with columns, or None
    listed: npt.NDArray[np.uint8] | None = None  # the characters of all texts by index, [n, length]; at most LISTED

    @classmethod
    def of(cls, source: OpenTable, begin: Begin) -> TextStates:
        """Examine the states of a table; texts may be laid out if their columns vary. Raises NoForm."""
        space, puzzle = source.space, source.puzzle
        some = _drawn(space.size, _PLAYED)
        boards = space.unrank(some)
        texts = [puzzle.format(board) for board in boards]
        if len({*map(len, texts)}) > 1 or not all(text.isascii() for text in texts):
            raise NoForm(puzzle.name, "its states are no texts of one length in ASCII")
        plain = boards.dtype == np.uint8 and all(
            map(lambda board, text: board.tobytes() == text.encode(), boards, texts)
        )
        if not plain and space.size > LISTED:
            raise NoForm(puzzle.name, f"its {space.size:,} states are more than can be written one by one")
        columns = Columns.of(boards) if plain else None
        if columns:
            columns = Columns.of(space.unrank(_drawn(space.size, LISTED)))
        length = columns.count * columns.depth if columns else len(texts[0])
        found = cls(source, "".join(sorted({*"".join(texts)})), length, plain, begin, columns)
        if space.size > _EVERY:
            return found
        pieces, seen = [], np.zeros(256, bool)
        for first in range(0, space.size, _CHUNK):
            characters = found._characters(np.arange(first, min(first + _CHUNK, space.size)))
            seen[characters] = True
            pieces += [characters] if space.size <= LISTED else []
        letters = "".join(map(chr, np.flatnonzero(seen).tolist()))
        return replace(found, alphabet=letters, listed=np.concatenate(pieces) if pieces else None)

    def as_written(self) -> TextStates:
        """The same states with their texts unchanged, not laid out."""
        assert self.columns
        listed = None if self.listed is None else self.columns.texts(self.listed)
        length = len(self.source.goal.start)
        return replace(self, columns=None, length=length, listed=listed)

    def _characters(self, indices: Indices) -> npt.NDArray[np.uint8]:
        boards = self.source.space.unrank(indices)
        if self.plain:
            return self.columns.laid_out(boards) if self.columns else boards
        texts = "".join(self.source.puzzle.format(board) for board in boards)
        return np.frombuffer(texts.encode("ascii"), np.uint8).reshape(len(indices), self.length)

    @cached_property
    def _codes(self) -> npt.NDArray[np.uint8]:
        codes = np.full(256, 255, np.uint8)  # no letter's
        codes[self._letters] = np.arange(len(self.alphabet))
        return codes

    @cached_property
    def every(self) -> Boards:
        """The codes of all texts in the order of indices; at most LISTED."""
        assert self.listed is not None
        return self._codes[self.listed]

    def coded(self, texts: list[str]) -> Boards:
        """The codes of some texts."""
        characters = np.frombuffer("".join(texts).encode(), np.uint8).reshape(len(texts), -1)
        return self._codes[self.columns.laid_out(characters) if self.columns else characters]

    def characters_of(self, codes: Boards) -> Boards:
        """The characters of texts by their codes."""
        characters = self._letters[codes]
        return self.columns.texts(characters) if self.columns else characters

    @cached_property
    def sample(self) -> list[str]:
        """Sample texts that show the form of moves and drawings: the goal's start, solved states, and random ones."""
        goal, space = self.source.goal, self.source.space
        drawn = space.unrank(_drawn(space.size, _PLAYED))
        texts = [goal.start, *goal.states[:16], *(self.source.puzzle.format(board) for board in drawn)]
        return [*dict.fromkeys(map(self._renamed, texts))]

    @cached_property
    def _renamed(self) -> Callable[[str], str]:
        """Rename the colours of texts at random if they are interchangeable: then each colour occurs everywhere."""
        puzzle, rng = self.source.puzzle, Random(1)  # noqa: S311 -- colours for a sample, the same ones each time
        free = [letter for letter in self.alphabet if letter.isalpha()]
        swapped = puzzle.notation.examples[0].translate(str.maketrans("".join(free), "".join(free[::-1])))
        if puzzle.board.canonical(swapped) == swapped:
            return str

        def renamed(text: str) -> str:
            return text.translate(str.maketrans("".join(free), "".join(rng.sample(free, len(free)))))

        return renamed

    def automaton(self) -> Automaton:
        """The automaton of all texts, made piece by piece, few of them in memory; raises NoForm."""
        found: Automaton | None = None
        size = self.source.space.size
        with self.begin("number", size) as advance, ThreadPoolExecutor(processors()) as pool:
            for each in in_order(pool, self._numbered, range(0, size, LISTED), _AHEAD):
                advance(each.size)
                found = union(found, each) if found else each
                if size > LISTED and len(found.transitions) > _MOST_NODES:
                    raise NoForm(self.source.puzzle.name, f"its texts have no automaton of {_MOST_NODES:,} nodes")
        assert found is not None
        return found

    def _numbered(self, first: int) -> Automaton:
        """The automaton of a piece of the texts, from an index on."""
        indices = np.arange(first, min(first + LISTED, self.source.space.size))
        return automaton_of(self._coded(indices), len(self.alphabet))

    def distances(self, automaton: Automaton, numbers: Indices) -> Signed:
        """The distances of the states with these numbers in the automaton of all texts."""
        if self.plain:
            return self.source.distances(self.source.space.rank(self.characters_of(automaton.unrank(numbers))))
        return self.source.distances(np.argsort(self.numbers(automaton))[numbers])

    def numbers(self, automaton: Automaton) -> Indices:
        """The numbers of all states in the automaton of all texts, by index."""
        size = self.source.space.size
        if self.listed is not None:
            return automaton.rank(self.every)
        pieces = (np.arange(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK))
        return np.concatenate([automaton.rank(self._codes[self._characters(piece)]) for piece in pieces])

    @cached_property
    def _letters(self) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self.alphabet.encode(), np.uint8)

    def moves(self) -> tuple[list[RewritingMove], Boards]:
        """Find the moves as data, compared with the puzzle's own; and codes of states that show all. Raises NoForm.

        If states contradict the result, they are added to those from which it is found, and it is found again.
        """
        puzzle, texts = self.source.puzzle, self.sample
        if puzzle.names_vary:
            raise NoForm(puzzle.name, "its moves are no rewritings of letters")
        size = self.source.space.size
        every = range(size) if size <= _EVERY else _drawn(size, _COMPARED)
        count = -(-len(every) // _CHUNK)
        pieces = [every[first::count] for first in range(count)]  # spread over all states
        before, after = self.coded(texts), [self._played(texts, move.name) for move in puzzle.moves]
        with self.begin("compare", len(every)) as advance, ThreadPoolExecutor(processors()) as pool:
            moves: list[RewritingMove] | None = []
            for _ in range(_LEARNT):
                moves = all_moves(before, after, self._kinds, moves or ())
                if moves is None:
                    break
                differ = partial(self._differing, moves, seen(before, len(self.alphabet)))
                found = in_order(pool, differ, pieces, _AHEAD)
                for number, differing in enumerate(found):
                    if len(differing):
                        break
                    advance(len(pieces[number]))
                else:
                    return moves, before
                pieces = pieces[number:] + pieces[:number]
                more, played = self._expanded(differing)
                before = np.concatenate([before, more])
                after = [
                    (np.concatenate([codes, others]), np.append(legal, also))
                    for (codes, legal), (others, also) in zip(after, played, strict=True)
                ]
        raise NoForm(puzzle.name, "its moves are no rewritings of letters")

    @cached_property
    def _kinds(self) -> Indices:
        """The kind of each letter: letters with one deepest place are of one kind, and the others alone."""
        if not self.columns:
            return np.arange(len(self.alphabet))
        return np.unique(self.columns.limits[self._letters], return_inverse=True)[1]

    def _played(self, texts: list[str], move: str) -> tuple[Boards, Flags]:
        """The texts after a move, unchanged if it is illegal, and True if it is legal."""
        after, legal = [*texts], np.ones(len(texts), bool)
        for at, text in enumerate(texts):
            try:
                after[at] = self.source.puzzle.play(text, move)
            except IllegalMove:
                legal[at] = False
        return self.coded(after), legal

    def _expanded(self, indices: Indices) -> tuple[Boards, list[tuple[Boards, Flags]]]:
        """The codes of states, and of those after each move, unchanged if it is illegal."""
        before = self._coded(indices)
        played = [(self._coded(np.where(to < 0, indices, to)), to >= 0) for to in self.source.space.expand(indices).T]
        return before, played

    def _differing(self, moves: list[RewritingMove], shown: Flags, piece: range | Indices) -> Indices:
        """Some states in which a move is not the space's, or which show a letter at a place where none showed it."""
        indices = np.arange(piece.start, piece.stop, piece.step) if isinstance(piece, range) else piece
        before = self._coded(indices)
        differs = ~shown[np.arange(self.length), before].all(axis=1)
        for move, to in zip(moves, self.source.space.expand(indices).T, strict=True):
            after, case = move.after(before)
            differs |= (case < 0) != (to < 0)
            both = np.flatnonzero((case >= 0) & (to >= 0))
            differs[both] |= ~self._are(after[both], to[both])
        found = indices[differs]
        return found[:: len(found) // _PLAYED + 1]

    def _coded(self, indices: Indices) -> Boards:
        """The codes of states; raises NoForm."""
        codes = self._codes[self._characters(indices)] if self.listed is None else self.every[indices]
        if int(codes.max(initial=0)) >= len(self.alphabet):
            raise NoForm(self.source.puzzle.name, "it has letters that few of its states have")
        return codes

    def _are(self, codes: Boards, indices: Indices) -> Flags:
        """True for codes that show the states of these indices; each place laid out has to agree."""
        if self.plain and not self.columns:
            same: Flags = self.source.space.rank(self._letters[codes]) == indices
        else:
            same = (codes == self._coded(indices)).all(axis=1)
        return same

    def as_data(self) -> dict[str, Any]:
        """The alphabet, and the layout of texts, as JSON."""
        if self.columns:
            return {"alphabet": self.alphabet, "length": len(self.sample[0]), **self.columns.data()}
        return {"alphabet": self.alphabet, "length": self.length, "sets": [*self._sets()]}

    def _sets(self) -> Iterator[tuple[list[int], str, bool]]:
        """The sets of places whose letters a text may exchange, as reading exchanged texts shows.

        Of each set the places, the letters that occur there, and True if each occurs as often in all states.
        """
        sets: list[list[int]] = []
        for place in range(self.length):
            own = next((each for each in sets if self._exchanged(place, each[0])), None)
            if own is None:
                sets.append([place])
            else:
                own.append(place)
        for places in sets:
            letters = ["".join(sorted(text[place] for place in places)) for text in self.sample]
            if self._renamed is str:
                fixed = len({*letters}) == 1
            else:
                fixed = len({(*sorted(Counter(each).values()),) for each in letters}) == 1
            yield places, "".join(sorted({*"".join(letters)})), fixed

    def _exchanged(self, place: int, other: int) -> bool:
        """True if texts are read in which the letters of two places are exchanged."""
        for text in self.sample[:_EXCHANGED]:
            letters = [*text]
            letters[place], letters[other] = letters[other], letters[place]
            try:
                self.source.puzzle.parse("".join(letters))
            except PuzzleError:
                return False
        return True


def _drawn(size: int, count: int) -> Indices:
    """Random indices, the same ones each time, or all."""
    if size <= count:
        return np.arange(size)
    random = np.random.default_rng(1)
    return random.permutation(np.unique(random.integers(0, size, count)))

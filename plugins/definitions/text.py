"""States of a definition as texts:
a letter for the piece in each place, and a digit for its orientation.

A dash divides sets. A set of one orientation has no digits.
More than 62 labels or orientations take two characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.definition import (
    Definition,
    Numbers,
    Pieces,
    Transformation,
)
from puzzlebase.puzzles.contract.errors import ImpossibleState, InvalidState
from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.contract.space import Boards, Signed

_LETTERS = ascii_uppercase + ascii_lowercase + digits
_DIGITS = digits + ascii_lowercase + ascii_uppercase
_BETWEEN = "-"
WILD = "?"  # in a mask: any piece, or any orientation


class Texts:
    """The texts of a definition's states. A board is the ASCII characters of the text."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        moduli = [
            int(definition.moduli[definition.places_of(number)].max())
            for number in range(len(definition.sets))
        ]
        self._letters = 1 if int(definition.labels.max()) < len(_LETTERS) else 2
        self._digits = [0 if most == 1 else 1 if most <= len(_DIGITS) else 2 for most in moduli]
        self._at: list[int] = []  # the first character of each place
        at = 0
        for number, each in enumerate(definition.sets):
            for _ in range(each.places):
                self._at.append(at)
                at += self._letters + self._digits[number]
            at += len(_BETWEEN)
        self.length = at - len(_BETWEEN)
        self._dashes = [self._at[start] - 1 for start in definition.starts[1:-1]]
        self.set_of, self.modulus_of = definition.set_of, definition.modulus_of

    @cached_property
    def solved(self) -> str:
        """The solved state."""
        return self.format(
            self.boards(self.definition.labels[None, :], self.definition.turned[None, :])[0]
        )

    def format(self, board: Board) -> str:
        """The text of a board."""
        return board.tobytes().decode("ascii")

    def parse(self, text: str) -> Board:
        """The board of a text; raises InvalidState or ImpossibleState."""
        board = self._spelled(text)
        labels, _ = self.pieces(board[None, :])
        for number, each in enumerate(self.definition.sets):
            inside = self.definition.places_of(number)
            wanted = Counter(self.definition.labels[inside].tolist())
            for label, found in Counter(labels[0, inside].tolist()).items():
                if found > wanted[label]:
                    often = f"{found} times, not {wanted[label]}"
                    raise ImpossibleState(
                        f"{shorten(text)!r} has {self.letter(label)!r} {often}, in {each.name}",
                        self._example,
                    )
        return board

    @property
    def _example(self) -> str:
        return f"a state looks like {shorten(self.solved)!r}: {self.says}"

    def _spelled(self, text: str, mask: str | None = None) -> Board:
        """The board of a text, or of a mask's,
        with any number of each piece; raises InvalidState.
        """
        example, told = self._example, text if mask is None else mask
        if len(text) != self.length:
            raise InvalidState(
                f"{shorten(told)!r} has {len(text)} characters, not {self.length}", example
            )
        if not text.isascii():
            wrong = next(at for at, letter in enumerate(text) if not letter.isascii())
            raise InvalidState(
                f"{shorten(told)!r} has {text[wrong]!r} as character {wrong + 1}", example
            )
        for at in self._dashes:
            if text[at] != _BETWEEN:
                raise InvalidState(
                    f"{shorten(told)!r} has {text[at]!r} instead of a dash between two sets",
                    example,
                )
        board = np.frombuffer(text.encode("ascii"), np.uint8)
        labels, turns = self.pieces(board[None, :])
        for number, each in enumerate(self.definition.sets):
            inside = self.definition.places_of(number)
            for place in range(inside.start, inside.stop):
                if labels[0, place] < 0 or turns[0, place] < 0:
                    part = self.parts(told)[place]
                    raise InvalidState(
                        f"{shorten(told)!r} has {part!r} in place {place - inside.start + 1} of "
                        f"{each.name}",
                        example,
                    )
        return board

    def parts(self, text: str) -> list[str]:
        """The characters of each place in a text."""
        widths = [self._letters + self._digits[number] for number in self.set_of.tolist()]
        return [text[at : at + width] for at, width in zip(self._at, widths, strict=True)]

    @cached_property
    def says(self) -> str:
        """The meaning of the characters, for people."""
        sets = []
        for number, each in enumerate(self.definition.sets):
            turned = " with a digit each for how it is turned" if self._digits[number] else ""
            sets.append(f"{each.places} pieces of {each.name}{turned}")
        return ", ".join(sets) + (
            "; sets follow one another with a dash between" if len(sets) > 1 else ""
        )

    def letter(self, label: int) -> str:
        """Write a label."""
        if self._letters == 1:
            return _LETTERS[label]
        return _LETTERS[label // len(_LETTERS)] + _LETTERS[label % len(_LETTERS)]

    def digit(self, turned: int) -> str:
        """Write an orientation: a digit or, above the digits, a number."""
        return _DIGITS[turned] if turned < len(_DIGITS) else str(turned)

    @cached_property
    def _turns_at(self) -> list[tuple[int, Numbers, Numbers]]:
        """For turns of one and of two characters: this width,
        the places that have them, and where they begin.
        """
        digits = np.array(self._digits)[self.set_of]
        found = [(width, np.flatnonzero(digits == width)) for width in (1, 2)]
        return [
            (width, places, np.array(self._at)[places] + self._letters) for width, places in found
        ]

    def boards(self, labels: Numbers, turns: Numbers) -> Boards:
        """The boards of all labels and all turns, int[n, places] each -> uint8[n, length]."""
        boards = np.full((len(labels), self.length), ord(_BETWEEN), np.uint8)
        _write(boards, np.array(self._at), labels, self._letters, _LETTERS)
        for width, places, at in self._turns_at:
            _write(boards, at, turns[:, places], width, _DIGITS)
        return boards

    def pieces(self, boards: Boards) -> tuple[Numbers, Numbers]:
        """The labels and turns of boards, int64[n, places] each;
        -1 for a character without meaning, and where a dash is missing.
        """
        labels = _read(boards, np.array(self._at), self._letters, _LETTERS)
        turns = np.zeros_like(labels)
        for width, places, at in self._turns_at:
            turns[:, places] = _read(boards, at, width, _DIGITS)
        known = self.modulus_of.shape[1] - 1
        divided = (boards[:, self._dashes] == ord(_BETWEEN)).all(axis=1)
        labels = np.where(divided[:, None] & (labels < known), labels, -1)
        moduli = self.modulus_of[self.set_of, labels]
        labels = np.where(moduli > 0, labels, -1)
        return labels, np.where((turns >= 0) & (turns < np.maximum(moduli, 1)), turns, -1)

    def at_home(self, solved: Board, boards: Boards) -> Signed:
        """Count places with piece and turn as when solved,
        uint8[length], uint8[n, length] -> int64[n].
        """
        (labels, turns), (home, unturned) = self.pieces(boards), self.pieces(solved[None, :])
        counted: Signed = ((labels == home) & (turns == unturned)).sum(axis=1)
        return counted

    def read(self, text: str) -> tuple[Numbers, Numbers]:
        """The labels and turns of a text, int64[1, places] each; raises as `parse`."""
        return self.pieces(self.parse(text)[None, :])

    def mask(self, text: str) -> Pieces:
        """The labels and turns of a text,
        -1 for `?` in place of a letter or digits; raises InvalidState.
        """
        # labels that may have most digits
        turning = self.modulus_of.argmax(axis=1)[self.set_of][None, :]
        instead = self.format(self.boards(turning, np.zeros_like(turning))[0])
        whole = "".join(
            other if letter == WILD else letter
            for letter, other in zip(text, instead, strict=False)
        )
        labels, turns = self.pieces(self._spelled(whole + text[len(whole) :], text)[None, :])
        any_letter = np.array([*text]) == WILD
        labels[:, any_letter[self._at]] = -1
        for _, places, at in self._turns_at:
            turns[:, places[any_letter[at]]] = -1
        return labels, turns

    def after(
        self, labels: Numbers, turns: Numbers, turn: Transformation
    ) -> tuple[Numbers, Numbers]:
        """Labels and turns after a move, int64[n, places] each,
        or after stacked moves, int64[n, moves, places].
        """
        labels = labels[:, turn.source]
        return labels, (turns[:, turn.source] + turn.turned) % np.maximum(
            self.modulus_of[self.set_of, labels], 1
        )

    def play(self, text: str, turn: Transformation) -> str:
        """The text after a move; raises as `parse`."""
        return self.format(self.boards(*self.after(*self.read(text), turn))[0])

    def player(self, turns: Sequence[Transformation]) -> Callable[[Boards], Boards]:
        """Make a function that plays all moves: uint8[n, length] -> uint8[n, moves, length]."""
        every = Transformation.stack(turns)

        def play(boards: Boards) -> Boards:
            labels, by = self.after(*self.pieces(boards), every)
            places = labels.shape[2]
            return self.boards(labels.reshape(-1, places), by.reshape(-1, places)).reshape(
                len(boards), len(turns), -1
            )

        return play


def _write(boards: Boards, at: Numbers, numbers: Numbers, width: int, alphabet: str) -> None:
    characters = np.frombuffer(alphabet.encode(), np.uint8)
    if width == 2:
        boards[:, at] = characters[numbers // len(alphabet)]
        at = at + 1
    boards[:, at] = characters[numbers % len(alphabet)]


def _read(boards: Boards, at: Numbers, width: int, alphabet: str) -> Numbers:
    values = np.full(256, -1, np.int64)
    values[np.frombuffer(alphabet.encode(), np.uint8)] = np.arange(len(alphabet))
    numbers = values[boards[:, at]]
    if width == 2:
        low = values[boards[:, at + 1]]
        numbers = np.where((numbers >= 0) & (low >= 0), numbers * len(alphabet) + low, -1)
    return numbers

"""Definitions in the format of ksolve and twsearch:
lines of words, described in twsearch's docs/ksolveformat.txt.

    Name, Set, Solved, Move, End      as in ksolve; pieces count from 1
    MoveSequence, MoveAlias           moves made of others
    StartState, MoveTransformation    as in twsearch; pieces count from 0

The second line of a set in a ksolve move has the turn of each *piece*, in the order of the pieces'
numbers. In a MoveTransformation, and here, it has the turn of the piece that comes to each *place*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import NamedTuple

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.comments import comments
from puzzlebase.plugins.definitions.definition import (
    Definition,
    Flags,
    Numbers,
    Pieces,
    PieceSet,
    Transformation,
)
from puzzlebase.plugins.definitions.file_parts import (
    MadeOf,
    check_name,
    check_names,
    check_permutation,
    check_pieces,
    check_set,
    definition_with_sequences,
    joined,
)
from puzzlebase.plugins.definitions.text import WILD
from puzzlebase.puzzles.files import FormatError

_GOAL = re.compile(r"(?!(solved|rotations)$)[A-Za-z0-9_-]{1,40}")
_NO_SET = re.compile(r"End|[0-9?].*|#.*")  # begins other lines of a block
_LONGEST_NUMBER = 9  # digits
MOST_PATTERNS = 9  # whose names have one digit

_LATER = "Goal", "Pattern", "Move", "MoveSequence", "MoveAlias", "MoveTransformation"
_NOT_READ = {
    "Illegal": "makes moves depend on the state (a bandaged puzzle)",
    "Block": "joins pieces, so that moves depend on the state (a bandaged puzzle)",
    "Ignore": "leaves pieces out of what is solved, as a Goal with ? does here",
    "MoveLimits": "limits how often a move is made",
    **dict.fromkeys(("ForbiddenPairs", "ForbiddenGroups"), "forbids moves after others"),
    **dict.fromkeys(("ParallelMoves", "Multiplicators"), "is for former versions of ksolve"),
}
"""The effects of words of other programs."""


class _Line(NamedTuple):
    number: int
    words: list[str]


def read_ksolve(text: str) -> Definition:
    """Read a definition; raise FormatError."""
    file = _File(text)
    try:
        for line in file.lines:
            file.statement(line)
    except FormatError as refused:
        refused.line = refused.line or file.last
        raise
    if not file.sets or file.solved is None:
        raise FormatError(
            "the file ends too early",
            "Set lines, then Solved ... End, then Move ... End",
            file.last,
        )
    definition = definition_with_sequences(
        file.title, file.sets, file.solved, file.turns, file.made, comments(text), file.goals
    )
    return replace(definition, patterns=tuple(file.patterns))


class _File:
    """A file as far as it has been read; an error without a line is in the `last` one."""

    def __init__(self, text: str) -> None:
        self.lines = self._lines(text)
        self.last = 0
        self.title = ""
        self.sets: list[PieceSet] = []
        self.solved: tuple[Numbers, ...] | None = None
        self.turns: dict[str, Transformation] = {}
        self.made: dict[str, MadeOf] = {}
        self.goals: dict[str, list[str | Pieces]] = {}
        self.patterns: list[Flags] = []
        # of each set, the label of each piece by its number
        self._pieces: list[dict[int, int]] = []
        self._least = 1  # number of a piece

    def _lines(self, text: str) -> Iterator[_Line]:
        for number, line in enumerate(StringIO(text, newline=None), 1):
            words = line.split()
            if words and not words[0].startswith("#"):
                self.last = number
                yield _Line(number, words)

    def statement(self, line: _Line) -> None:
        """Read the statement that begins with a line."""
        kind, *words = line.words
        if kind == "Name":
            if self.title:
                raise FormatError("a second Name", "one Name for the puzzle")
            self.title = " ".join(words)
        elif kind == "Set":
            _need(line, 3, "Set, its name, its number of pieces and its number of orientations")
            if self.solved:
                raise FormatError("a Set comes after Solved", "all Set lines before it")
            if _NO_SET.fullmatch(words[0]):
                raise FormatError(
                    f"{words[0][:30]!r} is no name of a set",
                    "a name that is not End and does not begin with a digit, ? or #",
                )
            places, orientations = (_number(word, line.number) for word in words[1:])
            self.sets.append(check_set(self.sets, PieceSet(words[0], places, orientations)))
        elif kind in ("Solved", "StartState"):
            _need(line, 0, f"{kind} alone")
            self.solved = self._solved(kind)
        elif kind in _NOT_READ:
            raise FormatError(
                f"{kind} {_NOT_READ[kind]}",
                "a file without it: a puzzle whose moves are legal in every state",
            )
        elif kind not in _LATER:
            raise FormatError(
                f"a line begins with {kind[:30]!r}",
                f"one of Name, Set, Solved, StartState, {', '.join(_LATER)}, or # and a comment",
            )
        elif self.solved is None:
            raise FormatError(f"{kind} comes before Solved", "Solved ... End before it")
        else:
            self._later(line, kind, *words)

    def _later(self, line: _Line, kind: str, *words: str) -> None:
        """Read a statement that has Solved before it."""
        if kind == "Goal":
            self._goal(*words)
        elif kind == "Pattern":
            self.patterns.append(self._pattern(*words))
        elif kind in ("Move", "MoveTransformation"):
            _need(line, 1, f"{kind} and the name of the move")
            self._check_free(words[0])
            self.turns[words[0]] = self._turn(words[0], new_style=kind == "MoveTransformation")
        else:
            if len(words) < 2:
                raise FormatError(f"{kind} says too little", f"{kind}, a name and moves")
            self._check_free(words[0])
            moves = [move for word in words[1:] for move in word.split(",") if move]
            self.made[words[0]] = MadeOf(moves, line.number, alias=kind == "MoveAlias")

    def _check_free(self, name: str) -> None:
        check_name(name, "move")
        if name in self.turns or name in self.made:
            raise FormatError(
                f"the move {name!r} is there twice",
                "a name of its own for each move: twsearch takes both, here a name stands "
                "for one move",
            )
        check_names(len(self.turns) + len(self.made) + 1, sum(each.places for each in self.sets))

    def _blocks(self) -> dict[int, list[_Line]]:
        """The lines of numbers of each set, by the set's number, up to End."""
        blocks: dict[int, list[_Line]] = {}
        names = {each.name: number for number, each in enumerate(self.sets)}
        of: int | None = None
        for line in self.lines:
            first = line.words[0]
            if first.isdigit() or first == WILD:
                if of is None or len(blocks[of]) == 2:
                    raise FormatError("a line of numbers", "the name of a set, or End")
                each = self.sets[of]
                if len(line.words) != each.places:
                    raise FormatError(
                        f"{len(line.words)} numbers for {each.name}", f"{each.places} of them"
                    )
                blocks[of].append(line)
                continue
            if first != "End" and (first not in names or len(line.words) > 1):
                known = shorten(", ".join(names), 400)
                raise FormatError(
                    f"{' '.join(line.words)[:60]!r}", f"one of the sets {known}, or End"
                )
            if of is not None and not blocks[of]:
                raise FormatError(
                    f"{self.sets[of].name} has no numbers", f"{self.sets[of].places} numbers"
                )
            if first == "End":
                return blocks
            of = names[first]
            if of in blocks:
                raise FormatError(f"the set {first!r} is there twice", "each set once")
            blocks[of] = []
        raise FormatError("the file ends inside a block", "End")

    def _solved(self, kind: str) -> tuple[Numbers, ...]:
        if not self.sets or self.solved:
            raise FormatError(f"{kind} in the wrong place", f"one {kind}, after the Set lines")
        self._least = 0 if kind == "StartState" else 1
        blocks = self._blocks()
        parts = []
        for number, each in enumerate(self.sets):
            lines = blocks.get(number, [])
            of = lines[0] if lines else _Line(self.last, [])
            by = lines[1] if lines[1:] else _Line(self.last, ["0"] * each.places)
            numbers = [_number(word, of.number, self._least) for word in of.words]
            pieces = numbers or [*range(self._least, self._least + each.places)]
            turned = [
                0 if word == WILD else _below(word, each.orientations, by.number)
                for word in by.words
            ]
            moduli = [1 if word == WILD else each.orientations for word in by.words]
            labels = check_pieces(each.name, pieces, moduli, of.number)
            self._pieces.append(dict(zip(pieces, labels, strict=True)))
            parts.append((labels, turned, moduli))
        return joined(parts)

    def _goal(self, name: str = "", *moves: str) -> None:
        """Read a part of a goal: moves, or a block."""
        if not _GOAL.fullmatch(name):
            raise FormatError(
                f"{name[:40]!r} is no name of a goal",
                "letters, digits, - and _, but not solved or rotations",
            )
        self.goals.setdefault(name, []).append(f"<{','.join(moves)}>" if moves else self._mask())

    def _mask(self) -> Pieces:
        """The mask of a block: sets that it does not mention are solved."""
        assert self.solved
        labels, turned, _ = map(np.copy, self.solved)
        at = 0
        blocks = self._blocks()
        for number, each in enumerate(self.sets):
            places = slice(at, at := at + each.places)
            if number not in blocks:
                continue
            of, *turns = blocks[number]
            known = {str(piece): label for piece, label in self._pieces[number].items()} | {
                WILD: -1
            }
            if missing := [word for word in of.words if word not in known]:
                raise FormatError(
                    f"{each.name} has no piece {missing[0][:30]!r}",
                    "numbers of Solved, or ?",
                    of.number,
                )
            labels[places] = [known[word] for word in of.words]
            turned[places] = 0
            for line in turns:
                limit = each.orientations
                turned[places] = [
                    -1 if word == WILD else _below(word, limit, line.number) for word in line.words
                ]
        return labels[None, :], turned[None, :]

    def _pattern(self, name: str = "", numbers: str = "", *others: str) -> Flags:
        """The places of a set whose pieces, when solved, a pattern tells apart."""
        first, _, last = numbers.partition("-")
        among = [_number(end, self.last) - self._least for end in (first, last or first) if end]
        apart = [
            each.name == name and (not among or among[0] <= place <= among[1])
            for each in self.sets
            for place in range(each.places)
        ]
        if others or not any(apart) or len(self.patterns) == MOST_PATTERNS:
            raise FormatError(
                f"the pattern {name[:40]!r} in places {numbers[:40]!r}, or one too many",
                f"a set, or also places as 1-6, in at most {MOST_PATTERNS} patterns",
            )
        return np.array(apart)

    def _turn(self, name: str, *, new_style: bool) -> Transformation:
        parts, first, blocks = [], 0, self._blocks()
        least = 0 if new_style else 1
        for number, each in enumerate(self.sets):
            source, turned = np.arange(each.places), np.zeros(each.places, np.int64)
            for line in blocks.get(number, [])[:1]:
                pieces = [_number(word, line.number, least) - least for word in line.words]
                source = check_permutation(pieces, f"{each.name} in the move {name}", line.number)
            for line in blocks.get(number, [])[1:]:
                by = [_below(word, each.orientations, line.number) for word in line.words]
                turned = np.array(by)[slice(None) if new_style else source]
            parts.append((first + source, turned))
            first += each.places
        return Transformation(*joined(parts))


def _need(line: _Line, words: int, expected: str) -> None:
    if len(line.words) != words + 1:
        raise FormatError(f"{line.words[0]} with {len(line.words) - 1} words", expected)


def _number(word: str, line: int, least: int = 0) -> int:
    if not _is_number(word) or int(word) < least:
        raise FormatError(
            f"{word[:30]!r}", f"a number from {least} on, of at most {_LONGEST_NUMBER} digits", line
        )
    return int(word)


def _below(word: str, limit: int, line: int) -> int:
    """An orientation; a piece with only one may have any number, as in ksolve."""
    if not _is_number(word) or int(word) >= limit > 1:
        raise FormatError(f"the orientation {word[:30]!r}", f"a number from 0 to {limit - 1}", line)
    return int(word) % limit


def _is_number(word: str) -> bool:
    return len(word) <= _LONGEST_NUMBER and word.isascii() and word.isdigit()

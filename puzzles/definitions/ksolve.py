"""Definitions as ksolve and twsearch write them: lines of words, as twsearch's docs/ksolveformat.txt describes.

    Name, Set, Solved, Move, End      as in ksolve; pieces count from 1
    MoveSequence, MoveAlias           moves made of others
    StartState, MoveTransformation    as in twsearch; pieces count from 0

In ksolve's moves the second line of a set tells by how much each *piece* turns, in the order of the pieces' numbers. In
a MoveTransformation, and here, it tells by how much the piece turns that comes to each *place*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.definitions.definition import (
    Definition,
    Numbers,
    PieceSet,
    Refused,
    Turn,
    check_different,
    check_name,
    check_names,
    checked_sets,
    permutation,
    title_of,
)
from puzzlebase.puzzles.definitions.sequences import MadeOf, Step, with_sequences

_WILD = "?"
_LONGEST_NUMBER = 9  # digits


class _Line(NamedTuple):
    number: int
    words: list[str]


def read_ksolve(text: str) -> Definition:
    """The definition that a text holds; raises Refused."""
    return _Reader(_lines(text)).read()


def _lines(text: str) -> Iterator[_Line]:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield _Line(number, words)


@dataclass
class _Reader:
    """What has been read so far."""

    lines: Iterator[_Line]
    title: str = ""
    sets: list[PieceSet] = field(default_factory=list)
    solved: tuple[Numbers, Numbers, Numbers] | None = None
    turns: dict[str, Turn] = field(default_factory=dict)
    made: dict[str, MadeOf] = field(default_factory=dict)
    last: int = 0

    def read(self) -> Definition:
        """All lines."""
        for line in self.lines:
            self.last = line.number
            self._statement(line)
        if not self.sets or self.solved is None:
            raise Refused("the file ends too early", "Set lines, then Solved ... End, then Move ... End", self.last)
        labels, turned, moduli = self.solved
        orientations = np.repeat([each.orientations for each in self.sets], [each.places for each in self.sets])
        turns, notes = with_sequences(self.turns, self.made, orientations)
        return Definition(
            title_of(self.title),
            tuple(self.sets),
            labels,
            turned,
            moduli,
            turns,
            notes,
        )

    def _statement(self, line: _Line) -> None:
        kind, *words = line.words
        if kind == "Name":
            self._need(line, 1, "Name and one word")
            self.title = words[0]
        elif kind == "Set":
            self._need(line, 3, "Set, its name, how many pieces it has and how many orientations")
            if self.solved:
                raise Refused("a Set stands behind Solved", "all Set lines before it", line.number)
            places, orientations = (_number(word, line.number) for word in words[1:])
            self.sets.append(checked_sets(self.sets, PieceSet(words[0], places, orientations), line.number))
        elif kind in ("Solved", "StartState"):
            self._need(line, 0, f"{kind} alone")
            if not self.sets or self.solved:
                raise Refused(f"{kind} in the wrong place", f"one {kind}, behind the Set lines", line.number)
            self.solved = self._solved(0 if kind == "StartState" else 1)
        elif kind in ("Move", "MoveTransformation"):
            self._need(line, 1, f"{kind} and the name of the move")
            self._free(words[0], line)
            self.turns[words[0]] = self._turn(line, new_style=kind == "MoveTransformation")
        elif kind in ("MoveSequence", "MoveAlias"):
            if len(words) < 2:
                raise Refused(f"{kind} says too little", f"{kind}, a name and moves", line.number)
            self._free(words[0], line)
            moves = [move for word in words[1:] for move in word.split(",") if move]
            steps = [Step("move", move) for move in moves]
            self.made[words[0]] = MadeOf(steps, line.number, alias=kind == "MoveAlias")
        elif kind == "Illegal":
            raise Refused(
                "Illegal makes moves depend on the state (a bandaged puzzle)",
                "a puzzle whose moves are legal in every state",
                line.number,
            )
        else:
            known = "Name, Set, Solved, Move, MoveSequence, MoveAlias, StartState, MoveTransformation"
            raise Refused(f"a line begins with {kind[:30]!r}", f"one of {known}, or # and a comment", line.number)

    def _need(self, line: _Line, words: int, expected: str) -> None:
        if len(line.words) != words + 1:
            raise Refused(f"{line.words[0]} with {len(line.words) - 1} words", expected, line.number)

    def _free(self, name: str, line: _Line) -> None:
        check_name(name, "move", line.number)
        if self.solved is None:
            raise Refused(f"{line.words[0]} stands before Solved", "Solved ... End before the moves", line.number)
        if name in self.turns or name in self.made:
            raise Refused(
                f"the move {name!r} is there twice",
                "a name of its own for each move: twsearch takes both, here a name stands for one move",
                line.number,
            )
        check_names(len(self.turns) + len(self.made) + 1, sum(each.places for each in self.sets), line.number)

    def _blocks(self) -> dict[int, list[_Line]]:
        """The lines of numbers of each set, by the set's number, up to End."""
        blocks: dict[int, list[_Line]] = {}
        names = {each.name: number for number, each in enumerate(self.sets)}
        of: int | None = None
        for line in self.lines:
            self.last = line.number
            first = line.words[0]
            if first == "End":
                if of is not None and not blocks[of]:
                    raise self._empty(of, line)
                return blocks
            if first.isdigit() or first == _WILD:
                if of is None or len(blocks[of]) == 2:
                    raise Refused("a line of numbers", "the name of a set, or End", line.number)
                if len(line.words) != self.sets[of].places:
                    given = f"{len(line.words)} numbers for {self.sets[of].name}"
                    raise Refused(given, f"{self.sets[of].places} of them", line.number)
                blocks[of].append(line)
                continue
            if first not in names or len(line.words) > 1:
                known = shorten(", ".join(names), 400)
                raise Refused(f"{' '.join(line.words)[:60]!r}", f"one of the sets {known}, or End", line.number)
            if of is not None and not blocks[of]:
                raise self._empty(of, line)
            of = names[first]
            if of in blocks:
                raise Refused(f"the set {first!r} is there twice", "each set once", line.number)
            blocks[of] = []
        raise Refused("the file ends inside a block", "End", self.last)

    def _empty(self, of: int, line: _Line) -> Refused:
        each = self.sets[of]
        return Refused(f"{each.name} has no numbers", f"{each.places} numbers", line.number)

    def _solved(self, first: int) -> tuple[Numbers, Numbers, Numbers]:
        blocks = self._blocks()
        labels, turned, moduli = [], [], []
        for number, each in enumerate(self.sets):
            lines = blocks.get(number, [])
            found = [*range(each.places)]
            if lines:
                given = [_number(word, lines[0].number, least=first) for word in lines[0].words]
                rank = {label: number for number, label in enumerate(sorted({*given}))}
                found = [rank[label] for label in given]
            words = lines[1].words if len(lines) > 1 else ["0"] * each.places
            wild = [word == _WILD for word in words]
            line = lines[1].number if len(lines) > 1 else self.last
            check_different(each.name, found, lines[0].number if lines else self.last)
            turned += [0 if word == _WILD else _below(word, each.orientations, line) for word in words]
            moduli += [1 if any_way else each.orientations for any_way in wild]
            _check_alike(each.name, found, wild, line)
            labels += found
        return np.array(labels), np.array(turned), np.array(moduli)

    def _turn(self, move: _Line, *, new_style: bool) -> Turn:
        starts = [0, *accumulate(each.places for each in self.sets)]
        whole = Turn.none(starts[-1])
        for number, lines in self._blocks().items():
            each, at = self.sets[number], starts[number]
            least = 0 if new_style else 1
            given = [_number(word, lines[0].number, least=least) - least for word in lines[0].words]
            from_place = permutation(given, f"{each.name} in the move {move.words[1]}", lines[0].number)
            whole.source[at : at + each.places] = at + from_place
            if len(lines) > 1:
                turns = np.array([_below(word, each.orientations, lines[1].number) for word in lines[1].words])
                whole.turned[at : at + each.places] = turns if new_style else turns[from_place]
        return whole


def _check_alike(name: str, labels: Sequence[int], wild: Sequence[bool], line: int) -> None:
    """Raise Refused where of two equal pieces only one may lie any way."""
    ways: dict[int, bool] = {}
    for label, any_way in zip(labels, wild, strict=True):
        if ways.setdefault(label, any_way) != any_way:
            raise Refused(
                f"of equal pieces of {name} only some have ?", "? for all pieces that are equal, or none", line
            )


def _number(word: str, line: int, least: int = 0) -> int:
    if not _is_number(word) or int(word) < least:
        raise Refused(f"{word[:30]!r}", f"a number from {least} on, of at most {_LONGEST_NUMBER} digits", line)
    return int(word)


def _below(word: str, limit: int, line: int) -> int:
    if not _is_number(word) or int(word) >= limit:
        raise Refused(f"the orientation {word[:30]!r}", f"a number from 0 to {limit - 1}", line)
    return int(word)


def _is_number(word: str) -> bool:
    return len(word) <= _LONGEST_NUMBER and word.isascii() and word.isdigit()

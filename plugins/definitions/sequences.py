"""Sequences of moves in definition files, and the moves that a puzzle has with their powers."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from puzzlebase.plugins.definitions.comments import Line, remarks_of
from puzzlebase.plugins.definitions.definition import (
    MOST_MOVES,
    MOST_NUMBERS,
    Definition,
    Numbers,
    Pieces,
    PieceSet,
    Transformation,
)
from puzzlebase.puzzles.contract.errors import UnknownPuzzle, check_move, did_you_mean, shorten
from puzzlebase.puzzles.files import FormatError, title_of

LONGEST = 1000  # steps of a sequence
MOST_DIGITS = 9  # of the amount after a move or a bracket
# turns composed times places, for all sequences of a file: a third of a second or so
MOST_WORK = 1 << 24
_EACH = 1000  # the fixed time of composing a turn, in places

# names of moves that turn the whole puzzle, as x, y2 or Uv
_ROTATION = re.compile(r"[xyz][0-9]?|[A-Z_]+v")
_IN_A_NAME = re.compile(r"[A-Za-z0-9_'-]+")  # a move in the name of a puzzle that has only some
_DIGITS = "0123456789"


class SequenceStep(NamedTuple):
    """A step of a sequence: a move and its amount; a negative one takes back."""

    move: str
    amount: int


class MadeOf(NamedTuple):
    """The words of a sequence, as R2', and its line in the file; an alias is only another name."""

    words: Sequence[str]
    line: int | None
    alias: bool


class NamedMove(NamedTuple):
    """A move of the puzzle: a power of a generator."""

    name: str
    generator: str
    turn: Transformation


def definition_of(
    title: object,
    sets: Sequence[PieceSet],
    solved: tuple[Numbers, Numbers, Numbers],
    turns: Mapping[str, Transformation],
    made: Mapping[str, MadeOf],
    lines: Sequence[Line] = (),
    goals: Mapping[str, Sequence[str | Pieces]] | None = None,
) -> Definition:
    """Make the definition of a file: `solved` are labels,
    turns and moduli, `made` the sequences, `lines` the remarks.

    Rotations are no moves.

    Raises FormatError if a sequence needs a move that is none and no sequence above,
    or all more work than MOST_WORK.
    """
    orientations = np.repeat([each.orientations for each in sets], [each.places for each in sets])
    known = dict(turns)
    left = most = MOST_WORK // (len(orientations) + _EACH)
    for name, sequence in made.items():
        steps = _resolved(name, sequence, known)
        left -= sum(map(_work, steps))
        if left < 0:
            raise FormatError(
                f"{name} and the sequences above put together more than {most:,} turns of "
                f"{len(orientations):,} places",
                "fewer or shorter sequences",
                sequence.line,
            )
        known[name] = _composed(steps, known, orientations)
    aliases = {name for name, sequence in made.items() if sequence.alias}
    rotations = [name for name in known if _ROTATION.fullmatch(name)]
    still = [
        name
        for name, turn in known.items()
        if turn.does_nothing and name not in {*aliases, *rotations}
    ]
    notes = []
    if rotations:
        notes.append(
            f"{_listed(rotations)}: rotations of the whole puzzle, which are no moves here"
        )
    if aliases:
        notes.append(
            f"{_listed(sorted(aliases))}: other names of moves, which are no moves of their own"
        )
    if still:
        notes.append(f"{_listed(still)}: changes nothing, which is no move here")
    left_out = {*aliases, *rotations, *still}
    generators = {name: turn for name, turn in known.items() if name not in left_out}
    remarks = remarks_of(lines, {each.name: each.places for each in sets}, generators)
    notes += remarks.notes
    of_file = title_of(title), tuple(sets), *solved, generators, tuple(notes), remarks
    return Definition(*of_file, named=known, goals=goals or {})


def _listed(names: Iterable[str]) -> str:
    return shorten(", ".join(names), 400)


def _resolved(name: str, sequence: MadeOf, known: Collection[str]) -> list[SequenceStep]:
    """Name a known move in each step of a sequence; raise FormatError if there is none."""
    if len(sequence.words) > LONGEST:
        raise FormatError(
            f"{name} has {len(sequence.words):,} moves", f"at most {LONGEST:,}", sequence.line
        )
    steps = []
    for word in sequence.words:
        move, amount = _power(word, known)
        if not move:
            raise FormatError(
                f"{name} needs the move {shorten(word)!r}",
                f"moves of {_listed(known)}",
                sequence.line,
            )
        if abs(amount) >= 10**MOST_DIGITS:
            raise FormatError(
                f"the power {shorten(word)!r}",
                f"amounts of at most {MOST_DIGITS} digits",
                sequence.line,
            )
        steps.append(SequenceStep(move, amount))
    return steps


def _power(word: str, known: Container[str]) -> tuple[str, int]:
    """The known move and the amount of a word: R2' is R, taken back twice."""
    once = word.removesuffix("'")
    sign = -1 if once != word else 1
    move = once.rstrip(_DIGITS)
    digits = once[len(move) :]
    for name, amount in ((word, 1), (once, sign)):
        if name in known:
            return name, amount
    if move in known and digits:
        return move, sign * (int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS)
    return "", 0


def turn_of(definition: Definition, word: str) -> Transformation:
    """The move, or the power of one, that a word names in the file; raises IllegalMove."""
    name, amount = _power(word, definition.named)
    check_move(name if name and abs(amount) < 10**MOST_DIGITS else word, definition.named)
    return definition.named[name].power(amount, definition.orientations)


def rotations_of(definition: Definition) -> list[Transformation]:
    """The rotations of the whole that the file has."""
    return [turn for name, turn in definition.named.items() if _ROTATION.fullmatch(name)]


def _work(step: SequenceStep) -> int:
    return 1 + (2 * abs(step.amount).bit_length() if step.amount != 1 else 0)


def _composed(
    steps: Iterable[SequenceStep], known: Mapping[str, Transformation], orientations: Numbers
) -> Transformation:
    turn = Transformation.none(len(orientations))
    for step in steps:
        turn = turn.then(known[step.move].power(step.amount, orientations), orientations)
    return turn


def all_moves(definition: Definition) -> list[NamedMove]:
    """The moves of a puzzle: each generator with its powers R2,
    R3, ..., or a single one only with its inverse R'.

    A move that does nothing, or the same as an earlier one, is left out. Raises FormatError if two
    moves would have one name, or if there are none or too many.
    """
    orientations = definition.orientations
    named: list[NamedMove] = []
    names: dict[str, str] = {}
    known = {Transformation.none(len(orientations)).key}
    for generator, once in definition.generators.items():
        if once.key in known:
            continue
        for name, turn in powers_of(
            generator, once, orientations, powers=generator not in definition.single
        ):
            if turn.key in known:
                continue
            if name in names:
                raise FormatError(
                    f"{names[name]} and {generator} both have a move {name!r}",
                    "names whose powers differ from others",
                )
            known.add(turn.key)
            names[name] = generator
            named.append(NamedMove(name, generator, turn))
            if len(named) > MOST_MOVES or len(named) * len(orientations) > MOST_NUMBERS:
                raise FormatError(
                    f"there are more than {len(named) - 1:,} moves, with all powers",
                    f"at most {MOST_MOVES:,}, and at most {MOST_NUMBERS:,} numbers in them",
                )
    if not named:
        raise FormatError("there are no moves", "one at least that changes something")
    return named


def some_moves(definition: Definition, words: Iterable[str]) -> tuple[list[str], Definition]:
    """The words for some moves in the order of the file,
    none for all moves; and the definition with these alone.

    A generator's name stands for all its powers, the name of another move for this one and its
    inverse. Raises UnknownPuzzle for a missing move, and for one that cannot be part of a name.
    """
    moves, orientations = all_moves(definition), definition.orientations
    known = {move.name: {move.turn.key, move.turn.inverse(orientations).key} for move in moves}
    for name, once in definition.generators.items():
        powers = powers_of(name, once, orientations, powers=name not in definition.single)
        known[name] = {turn.key for _, turn in powers}
    chosen: set[bytes] = set()
    for word in words:
        if word not in known:
            hint = f"{did_you_mean(word, known)}moves are: {_listed(known)}"
            raise UnknownPuzzle(f"there is no move {shorten(word)!r}", hint)
        chosen |= known[word]
    if len(chosen) == len(moves):
        return [], definition
    generators, single, named = {}, {*definition.single}, []
    for name, group in groupby(moves, lambda move: move.generator):
        if known[name] <= chosen:
            generators[name] = definition.generators[name]
            named.append(name)
            continue
        some = [move for move in group if move.turn.key in chosen]
        for move, back in zip(some[: (len(some) + 1) // 2], reversed(some), strict=False):
            generators[move.name] = move.turn
            single.add(move.name)
            named.append(back.name if move.name == name else move.name)
    if wrong := [word for word in named if not _IN_A_NAME.fullmatch(word)]:
        raise UnknownPuzzle(
            f"{wrong[0]!r} cannot be part of a puzzle's name",
            "take moves of letters, digits, _, - and '",
        )
    return named, replace(definition, generators=generators, single=frozenset(single))


def powers_of(
    generator: str, once: Transformation, orientations: Numbers, *, powers: bool
) -> list[tuple[str, Transformation]]:
    """The moves of a generator by name: all its powers,
    or itself and its inverse; raises FormatError for too many.
    """
    inverse = once.inverse(orientations)
    turns = [once]
    if powers:
        while turns[-1].key != inverse.key:
            turns.append(turns[-1].then(once, orientations))
            if len(turns) > MOST_MOVES or len(turns) * len(orientations) > MOST_NUMBERS:
                raise FormatError(
                    f"the move {generator!r} has more than {len(turns) - 1:,} powers",
                    f"at most {MOST_MOVES:,} moves, and {MOST_NUMBERS:,} numbers in them",
                )
    elif once.key != inverse.key:
        turns.append(inverse)
    return [*zip(_power_names(generator, len(turns)), turns, strict=True)]


def _power_names(generator: str, powers: int) -> list[str]:
    """Name a generator's powers R, R2, ..., R2', R'; the last is the inverse of the first."""
    names = []
    for power in range(1, powers + 1):
        back = powers + 1 - power
        count, sign = (power, "") if power <= back else (back, "'")
        names.append(f"{generator}{count if count > 1 else ''}{sign}")
    return names

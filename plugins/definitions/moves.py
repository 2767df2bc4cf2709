"""The moves of a definition: generators with their powers, and rotations of the whole puzzle."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from puzzlebase.errors import did_you_mean, shorten
from puzzlebase.plugins.definitions.definition import (
    MOST_MOVES,
    MOST_NUMBERS,
    Definition,
    Numbers,
    Transformation,
)
from puzzlebase.puzzles.contract.errors import UnknownPuzzle
from puzzlebase.puzzles.contract.puzzle import check_move
from puzzlebase.puzzles.files import FormatError

MOST_DIGITS = 9  # of the amount after a move or a bracket
_ROTATION = re.compile(r"[xyz][0-9]?|[A-Z_]+v")  # may turn the whole puzzle, as x, y2 or Uv
_SOME = 64  # moves that a rotation must not all commute with
_IN_A_NAME = re.compile(r"[A-Za-z0-9_'-]+")  # a move in the name of a puzzle that has only some
_DIGITS = "0123456789"


class NamedMove(NamedTuple):
    """A move of the puzzle: a power of a generator."""

    name: str
    generator: str
    turn: Transformation


def list_names(names: Iterable[str]) -> str:
    """List the names of moves in one line, cut if they are many."""
    return shorten(", ".join(names), 400)


def power_of_word(word: str, known: Container[str]) -> tuple[str, int]:
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


def move_of_word(definition: Definition, word: str) -> Transformation:
    """The move, or the power of one, that a word names in the file; raises IllegalMove."""
    name, amount = power_of_word(word, definition.named)
    check_move(name if name and abs(amount) < 10**MOST_DIGITS else word, definition.named)
    return definition.named[name].power(amount, definition.orientations)


def rotations_of(
    named: Mapping[str, Transformation], orientations: Numbers
) -> dict[str, Transformation]:
    """The moves of a file that rotate the whole puzzle, by name.

    They have the name of a rotation, turn more than three quarters of the places that others
    change, since some may be on the axis, and do not commute with all others.
    """
    maybe = {name: turn for name, turn in named.items() if _ROTATION.fullmatch(name)}
    others = [turn for name, turn in named.items() if name not in maybe]
    moved = np.any([turn.changed for turn in others], axis=0)
    return {
        name: turn
        for name, turn in maybe.items()
        if 4 * (moved & ~turn.changed).sum() < moved.sum()
        and any(
            turn.then(other, orientations).key != other.then(turn, orientations).key
            for other in others[:_SOME]
        )
    }


def rotation_moves(definition: Definition) -> list[Transformation]:
    """The moves of a file that rotate the whole puzzle, which are no moves of the puzzle."""
    return [*rotations_of(definition.named, definition.orientations).values()]


def all_moves(definition: Definition) -> list[NamedMove]:
    """The moves of a puzzle: each generator with its powers R2,
    R3, ..., or a single one only with its inverse R'.

    A move that does nothing, or the same as an earlier one, is left out. Raises FormatError if two
    moves would have one name, or if there are none or too many.
    """
    orientations, most = definition.orientations, _most_moves(definition)
    named: list[NamedMove] = []
    names: dict[str, str] = {}
    known = {Transformation.none(len(orientations)).key}
    for generator, once in definition.generators.items():
        if once.key in known:
            continue
        powers = _moves_of_generator(definition, generator)
        for name, turn in powers:
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
            if len(named) > most:
                raise FormatError(
                    f"there are more than {most:,} moves, with all powers, of which {generator!r} "
                    f"has {len(powers):,}",
                    f"at most {most:,} for {len(orientations):,} places",
                )
    if not named:
        raise FormatError("there are no moves", "one at least that changes something")
    return named


def spelled_moves(definition: Definition, moves: Iterable[NamedMove]) -> dict[str, str]:
    """The move of each name in the file, also of an alias or of a power of an earlier move."""
    of_key = {move.turn.key: move.name for move in moves}
    words = definition.named.items()
    return {word: of_key[turn.key] for word, turn in words if turn.key in of_key}


def some_moves(definition: Definition, words: Iterable[str]) -> tuple[list[str], Definition]:
    """The words for some moves in the order of the file,
    none for all moves; and the definition with these alone.

    A generator's name stands for all its powers, the name of another move for this one and its
    inverse. Raises UnknownPuzzle for a missing move, and for one that cannot be part of a name.
    """
    moves, orientations = all_moves(definition), definition.orientations
    known = {move.name: {move.turn.key, move.turn.inverse(orientations).key} for move in moves}
    for name in definition.generators:
        known[name] = {turn.key for _, turn in _moves_of_generator(definition, name)}
    chosen: set[bytes] = set()
    for word in words:
        if word not in known:
            hint = f"{did_you_mean(word, known)}moves are: {list_names(known)}"
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


def _moves_of_generator(definition: Definition, generator: str) -> list[tuple[str, Transformation]]:
    """The moves of a generator by name: all its powers, or itself, with its inverse unless moves go
    forward; raises FormatError for too many.
    """
    once, orientations = definition.generators[generator], definition.orientations
    inverse = once.inverse(orientations)
    turns = [once]
    if definition.forward:
        return [(generator, once)]
    if generator not in definition.single:
        while turns[-1].key != inverse.key:
            turns.append(turns[-1].then(once, orientations))
            if len(turns) > (most := _most_moves(definition)):
                raise FormatError(
                    f"the move {generator!r} has more than {most:,} powers",
                    f"at most {most:,} moves for {len(orientations):,} places",
                )
    elif once.key != inverse.key:
        turns.append(inverse)
    return [*zip(_power_names(generator, len(turns)), turns, strict=True)]


def _most_moves(definition: Definition) -> int:
    """The most moves of a puzzle, with all powers."""
    return min(MOST_MOVES, MOST_NUMBERS // len(definition.labels))


def _power_names(generator: str, powers: int) -> list[str]:
    """Name a generator's powers R, R2, ..., R2', R'; the last is the inverse of the first."""
    names = []
    for power in range(1, powers + 1):
        back = powers + 1 - power
        count, sign = (power, "") if power <= back else (back, "'")
        names.append(f"{generator}{count if count > 1 else ''}{sign}")
    return names

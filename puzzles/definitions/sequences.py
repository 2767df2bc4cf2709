"""Moves that are made of other moves, and the names that powers of moves have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles.definitions.definition import MOST_MOVES, MOST_NUMBERS, Numbers, Refused, Turn

LONGEST = 1000
"""Moves of a sequence."""

_ROTATION = re.compile(r"[xyz]|[A-Z_]+v")
_POWER = re.compile(r"(.+?)([0-9]*)('?)")


class MadeOf(NamedTuple):
    """The moves of a sequence, and its line; an alias is only another name."""

    moves: list[str]
    line: int | None
    alias: bool


class NamedTurn(NamedTuple):
    """A move of the puzzle, and the generator that it is a power of."""

    name: str
    generator: str
    turn: Turn


def is_rotation(name: str) -> bool:
    """Whether a move turns the whole puzzle, by its name, as in twsearch: x, y, z, or capitals and a v, as in Uv."""
    return _ROTATION.fullmatch(name) is not None


def with_sequences(
    turns: Mapping[str, Turn], made: Mapping[str, MadeOf], orientations: Numbers
) -> tuple[dict[str, Turn], tuple[str, ...]]:
    """All moves but the rotations, and notes on what was left out.

    Raises Refused where sequences need one another, or a move that is not there.
    """
    known = dict(turns)
    waiting = dict(made)
    while waiting:
        ready = [name for name, sequence in waiting.items() if not _missing(sequence, known)]
        if not ready:
            name, sequence = next(iter(waiting.items()))
            lacks = _missing(sequence, known)
            circle = " (sequences need one another)" if lacks in waiting else ""
            raise Refused(f"{name} needs the move {lacks!r}{circle}", f"moves of {', '.join(turns)}", sequence.line)
        for name in ready:
            sequence = waiting.pop(name)
            if len(sequence.moves) > LONGEST:
                raise Refused(f"{name} has {len(sequence.moves):,} moves", f"at most {LONGEST:,}", sequence.line)
            known[name] = _composed(sequence, known, orientations)
    aliases = {name for name, sequence in made.items() if sequence.alias}
    rotations = [name for name in known if is_rotation(name)]
    notes = []
    if rotations:
        notes.append(f"{', '.join(rotations)}: rotations of the whole puzzle, which are no moves here")
    if aliases:
        notes.append(f"{', '.join(sorted(aliases))}: other names of moves, which are no moves of their own")
    return {name: turn for name, turn in known.items() if name not in {*aliases, *rotations}}, tuple(notes)


def _missing(sequence: MadeOf, known: Mapping[str, Turn]) -> str | None:
    for move in sequence.moves:
        if move not in known:
            match = _POWER.fullmatch(move)
            if not match or match[1] not in known:
                return match[1] if match else move
    return None


def _composed(sequence: MadeOf, known: Mapping[str, Turn], orientations: Numbers) -> Turn:
    whole = Turn(np.arange(len(orientations)), np.zeros_like(orientations))
    for move in sequence.moves:
        turn, count = known.get(move), 1
        if turn is None:
            match = _POWER.fullmatch(move)
            assert match
            turn = known[match[1]]
            if match[3]:
                turn = turn.inverse(orientations)
            count = int(match[2][:4] or 1)
            if count > LONGEST:
                raise Refused(f"the power {move!r}", f"at most {LONGEST:,}", sequence.line)
        for _ in range(count):
            whole = whole.then(turn, orientations)
    return whole


def all_moves(generators: Mapping[str, Turn], orientations: Numbers, *, powers: bool) -> list[NamedTurn]:
    """The moves of a puzzle: each generator with its powers R2, R3, ..., or only with its inverse R'.

    A generator that does what a move before it does, such as R2 beside R, is no move again. Raises Refused
    where two moves would have one name, or where there are too many.
    """
    named: list[NamedTurn] = []
    names: dict[str, str] = {}
    known: set[bytes] = set()
    for generator, once in generators.items():
        if once.key in known:
            continue
        for name, turn in _powers(generator, once, orientations, powers=powers):
            if turn.key in known:
                continue
            if name in names:
                raise Refused(
                    f"{names[name]} and {generator} both have a move {name!r}", "names whose powers differ from others"
                )
            known.add(turn.key)
            names[name] = generator
            named.append(NamedTurn(name, generator, turn))
            if len(named) > MOST_MOVES or len(named) * len(orientations) > MOST_NUMBERS:
                raise Refused(
                    f"there are more than {len(named) - 1:,} moves, with all powers",
                    f"at most {MOST_MOVES:,}, and at most {MOST_NUMBERS:,} numbers in them",
                )
    return named


def _powers(generator: str, once: Turn, orientations: Numbers, *, powers: bool) -> list[tuple[str, Turn]]:
    if once.does_nothing:
        raise Refused(f"the move {generator!r} does nothing", "moves that change something")
    inverse = once.inverse(orientations)
    turns = [once]
    if powers:
        while turns[-1].key != inverse.key:
            turns.append(turns[-1].then(once, orientations))
            if len(turns) > MOST_MOVES or len(turns) * len(orientations) > MOST_NUMBERS:
                raise Refused(
                    f"the move {generator!r} has more than {len(turns) - 1:,} powers",
                    f"at most {MOST_MOVES:,} moves, and {MOST_NUMBERS:,} numbers in them",
                )
    elif once.key != inverse.key:
        turns.append(inverse)
    named = []
    for power, turn in enumerate(turns, 1):
        back = len(turns) + 1 - power
        count, sign = (power, "") if power <= back else (back, "'")
        named.append((f"{generator}{count if count > 1 else ''}{sign}", turn))
    return named

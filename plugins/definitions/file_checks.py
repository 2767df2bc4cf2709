"""Checks of what a definition file says, for readers of all formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from puzzlebase.plugins.definitions.definition import (
    MOST_DIFFERENT,
    MOST_NUMBERS,
    MOST_ORIENTATIONS,
    Numbers,
    PieceSet,
)
from puzzlebase.puzzles.files import FormatError

MOST_PLACES = 4096
MOST_SETS = 500
MOST_NAMES = 4000  # of moves, sequences and aliases in a file
LONGEST_NAME = 40  # of a set or a move


def check_set(sets: Sequence[PieceSet], new: PieceSet) -> PieceSet:
    """Check a file's set that follows others, and return it; raise FormatError beyond the
    limits.
    """
    check_name(new.name, "set")
    if len(sets) == MOST_SETS:
        raise FormatError(f"there are more than {MOST_SETS} sets", f"at most {MOST_SETS}")
    if any(each.name == new.name for each in sets):
        raise FormatError(f"the set {new.name!r} is there twice", "a name of its own for each set")
    if not new.places >= 1 or sum(each.places for each in sets) + new.places > MOST_PLACES:
        raise FormatError(
            f"{new.name} has {new.places:,} places", f"1 to {MOST_PLACES:,} places in all sets"
        )
    if not 1 <= new.orientations <= MOST_ORIENTATIONS:
        raise FormatError(
            f"{new.name} has {new.orientations:,} orientations", f"1 to {MOST_ORIENTATIONS}"
        )
    return new


def check_name(name: str, what: str) -> None:
    """Raise FormatError for a name in a file that cannot be typed."""
    if not (name.isascii() and name.isprintable() and 1 <= len(name) <= LONGEST_NAME) or {*name} & {
        *' ,"<>&\\'
    }:
        raise FormatError(
            f"{name[:LONGEST_NAME]!r} is no name of a {what}",
            f"1 to {LONGEST_NAME} ASCII characters without spaces, commas, quotation marks, "
            "<, > and &",
        )


def check_names(names: int, places: int) -> None:
    """Raise FormatError if a file names too many moves, sequences and aliases."""
    most = min(MOST_NAMES, MOST_NUMBERS // places)
    if names > most:
        raise FormatError(
            "there are very many moves",
            f"at most {most:,} for {places:,} places, sequences included",
        )


def check_pieces(
    name: str, pieces: Sequence[int], moduli: Sequence[int], line: int | None = None
) -> list[int]:
    """Check a file's pieces of a set, and label them in the order of their numbers.

    Raise FormatError above MOST_DIFFERENT labels, and if equal pieces have different moduli.
    """
    if len({*zip(pieces, moduli, strict=True)}) > len({*pieces}):
        raise FormatError(
            f"equal pieces of {name} differ in what can be seen of their orientation",
            "the same ? or orientationMod for all pieces that are equal",
            line,
        )
    known = {piece: label for label, piece in enumerate(sorted({*pieces}))}
    if len(known) > MOST_DIFFERENT:
        raise FormatError(
            f"{name} has {len(known):,} different pieces", f"at most {MOST_DIFFERENT:,}", line
        )
    return [known[piece] for piece in pieces]


def check_permutation(numbers: Sequence[int], where: str, line: int | None = None) -> Numbers:
    """Check that numbers of a file are a permutation of 0, 1, ..., and return it, int64;
    raise FormatError if they are none.
    """
    if {*numbers} != {*range(len(numbers))}:
        twice = sorted(number + 1 for number, times in Counter(numbers).items() if times > 1)[:3]
        raise FormatError(
            f"{where} is no permutation"
            + (f": {', '.join(map(str, twice))} is there twice" if twice else ""),
            f"each of the {len(numbers)} pieces once",
            line,
        )
    return np.array(numbers, np.int64)


def joined(sets: Iterable[Sequence[Sequence[int] | Numbers]]) -> tuple[Numbers, ...]:
    """The numbers of all sets one after another, int64[places]: of each kind that sets have."""
    return tuple(np.concatenate(kind).astype(np.int64) for kind in zip(*sets, strict=True))

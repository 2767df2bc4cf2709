"""The parts of a definition file, checked and put together: for readers of all formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.comments import Line, remarks_of
from puzzlebase.plugins.definitions.definition import (
    MOST_DIFFERENT,
    MOST_NUMBERS,
    MOST_ORIENTATIONS,
    Definition,
    Numbers,
    Pieces,
    PieceSet,
    Transformation,
)
from puzzlebase.plugins.definitions.moves import (
    MOST_DIGITS,
    list_names,
    power_of_word,
    rotations_of,
)
from puzzlebase.plugins.file_texts import title_in_puzzle_file
from puzzlebase.puzzles.files import FormatError

MOST_PLACES = 4096
MOST_SETS = 500
MOST_NAMES = 4000  # of moves, sequences and aliases in a file
LONGEST_NAME = 40  # of a set or a move
LONGEST = 1000  # steps of a sequence
# turns composed times places, for all sequences of a file: a third of a second or so
MOST_WORK = 1 << 24
_EACH = 1000  # the fixed time of composing a turn, in places


class MadeOf(NamedTuple):
    """The words of a sequence, as R2', and its line in the file; an alias is only another name."""

    words: Sequence[str]
    line: int | None
    alias: bool


def definition_with_sequences(
    title: object,
    sets: Sequence[PieceSet],
    solved: tuple[Numbers, ...],
    turns: Mapping[str, Transformation],
    made: Mapping[str, MadeOf],
    lines: Sequence[Line],
    goals: Mapping[str, Sequence[str | Pieces]] | None = None,
) -> Definition:
    """Make the definition of a file with its sequences of moves put together: `solved` are labels,
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
        left -= sum(_work(amount) for _, amount in steps)
        if left < 0:
            raise FormatError(
                f"{name} and the sequences above put together more than {most:,} turns of "
                f"{len(orientations):,} places",
                "fewer or shorter sequences",
                sequence.line,
            )
        turn = Transformation.none(len(orientations))
        for move, amount in steps:
            turn = turn.then(known[move].power(amount, orientations), orientations)
        known[name] = turn
    aliases = {name for name, sequence in made.items() if sequence.alias}
    rotations = rotations_of(known, orientations)
    still = [
        name
        for name, turn in known.items()
        if turn.does_nothing and name not in {*aliases, *rotations}
    ]
    kinds = {
        "rotations of the whole puzzle, which are no moves here": rotations,
        "other names of moves, which are no moves of their own": sorted(aliases),
    }
    notes = tuple(f"{list_names(names)}: {what}" for what, names in kinds.items() if names)
    without_effect = (
        [f"{list_names(still)}: changes nothing, which is no move here"] if still else []
    )
    left_out = {*aliases, *rotations, *still}
    generators = {name: turn for name, turn in known.items() if name not in left_out}
    remarks = remarks_of(lines, {each.name: each.places for each in sets}, generators)
    labels, turned, moduli = solved
    of_file = title_in_puzzle_file(title), tuple(sets), labels, turned, moduli, generators
    unused = (*without_effect, *remarks.unused)
    return Definition(*of_file, notes, unused, remarks, named=known, goals=goals or {})


def _resolved(name: str, sequence: MadeOf, known: Collection[str]) -> list[tuple[str, int]]:
    """The steps of a sequence: known moves and amounts; a negative one takes back.

    Raises FormatError for another move.
    """
    if len(sequence.words) > LONGEST:
        raise FormatError(
            f"{name} has {len(sequence.words):,} moves", f"at most {LONGEST:,}", sequence.line
        )
    steps = [power_of_word(word, known) for word in sequence.words]
    for word, (move, amount) in zip(sequence.words, steps, strict=True):
        if not move:
            raise FormatError(
                f"{name} needs the move {shorten(word)!r}",
                f"moves of {list_names(known)}",
                sequence.line,
            )
        if abs(amount) >= 10**MOST_DIGITS:
            raise FormatError(
                f"the power {shorten(word)!r}",
                f"amounts of at most {MOST_DIGITS} digits",
                sequence.line,
            )
    return steps


def _work(amount: int) -> int:
    return 1 + (2 * abs(amount).bit_length() if amount != 1 else 0)


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

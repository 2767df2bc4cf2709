"""Definitions in KPuzzle JSON, as cubing.js writes them, of the older kinds too.

Orbits are our sets. A transformation gives, for each place, the piece that comes to it and its
turn, as ours does. Derived moves are read if they are sequences of moves and conjugates [A: B];
those with other brackets and signs are left out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.comments import REMARKS, Line
from puzzlebase.plugins.definitions.definition import Definition, PieceSet, Transformation
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
from puzzlebase.plugins.definitions.moves import list_names
from puzzlebase.puzzles.files import FormatError

_SOLVED = "defaultPattern", "startStateData", "startPieces"
_DERIVED = "derivedMoves", "experimentalDerivedMoves"
_TURNED = "orientationDelta", "orientation_delta", "orientation"
_TOO_LARGE = 10**6
_OTHER_NOTATION = set("()[],:/^.+")  # of cubing.js, beside moves with amounts
_CONJUGATE = re.compile(r"\[([^][:,]*):([^][:,]*)\]")  # [A: B], which is A B A'
_REMARKS = "puzzlebase"  # an object that other programs ignore
_FIELDS = {"$schema", "name", "orbits", *_SOLVED, "moves", *_DERIVED, _REMARKS}


def read_kpuzzle(text: str) -> Definition:
    """The definition that a text holds; raises FormatError."""
    try:
        found = json.loads(
            text,
            parse_int=lambda digits: int(digits) if len(digits) < 10 else 10**9,
            parse_float=str,
            parse_constant=str,
            object_pairs_hook=_distinct,
        )
    except json.JSONDecodeError as error:
        raise FormatError(
            f"this is no JSON: {error.msg}", "a KPuzzle definition in JSON", error.lineno
        ) from None
    except RecursionError:
        raise FormatError(
            "the JSON is nested too deep", "a KPuzzle definition, which has five levels"
        ) from None
    whole = _mapping(found, "the file")
    sets: list[PieceSet] = []
    for name, numbers in _orbits(whole.get("orbits")):
        counts = [
            numbers.get("numPieces"),
            numbers.get("numOrientations", numbers.get("orientations")),
        ]
        places, orientations = (_whole(count, f"orbit {name}") for count in counts)
        sets.append(check_set(sets, PieceSet(name, places, orientations)))
    if not sets:
        raise FormatError("there are no orbits", "orbits with numPieces and numOrientations each")
    solved = joined(_solved(sets, _mapping(_first(whole, _SOLVED, {}), _SOLVED[0])))
    moves = _mapping(whole.get("moves"), "moves")
    derived = _mapping(_first(whole, _DERIVED, {}), _DERIVED[0])
    check_names(len(moves) + len(derived), sum(each.places for each in sets))
    for name in (*moves, *derived):
        check_name(name, "move")
    turns = {
        name: _turn(sets, _mapping(move, f"move {name}"), name) for name, move in moves.items()
    }
    sequences = {
        name: _words(name, sequence) for name, sequence in derived.items() if name not in moves
    }
    made = {
        name: MadeOf(words, None, alias=False)
        for name, words in sequences.items()
        if words is not None
    }
    remarks = [*_remarks(whole.get(_REMARKS, {}))]
    definition = definition_with_sequences(whole.get("name"), sets, solved, turns, made, remarks)
    unread: dict[str, Collection[str]] = {
        "no fields that are read": whole.keys() - _FIELDS,
        "no remarks": {key for key, *_ in remarks} - {*REMARKS},
        "no sequences of moves and of [A: B]": sequences.keys() - made.keys(),
        "moves of these names count": derived.keys() & moves.keys(),
        "no orbits of the file": {*chain(*moves.values())} - {each.name for each in sets},
    }
    unused = [
        f"{list_names(sorted(names))}: left out, {why}" for why, names in unread.items() if names
    ]
    return replace(definition, unused=(*definition.unused, *unused))


def _remarks(given: Any) -> Iterator[Line]:
    for key, words in _mapping(given, _REMARKS).items():
        named = words if isinstance(words, dict) else {"": words}
        yield from ((key.lower(), name, str(each), "") for name, each in named.items())


def _words(name: str, sequence: Any) -> list[str] | None:
    """The moves of a derived move; None for another notation. Raises FormatError."""
    if not isinstance(sequence, str):
        raise FormatError(f"the derived move {name!r} is {str(sequence)[:60]!r}", "moves in a text")
    plain = _CONJUGATE.sub(lambda found: f"{found[1]} {found[2]} {_taken_back(found[1])}", sequence)
    words = plain.split()
    other = _OTHER_NOTATION & set(plain) or any(word.endswith("-") for word in words)
    return None if other else words


def _taken_back(sequence: str) -> str:
    words = reversed(sequence.split())
    return " ".join(word[:-1] if word.endswith("'") else f"{word}'" for word in words)


def _orbits(orbits: Any) -> list[tuple[str, dict[str, Any]]]:
    """Orbits by name, or as a list in which each has its orbitName."""
    if isinstance(orbits, list):
        each = [_mapping(orbit, "orbits") for orbit in orbits]
        return [(str(orbit.get("orbitName")), orbit) for orbit in each]
    return [
        (name, _mapping(orbit, f"orbit {name}"))
        for name, orbit in _mapping(orbits, "orbits").items()
    ]


def _solved(sets: Sequence[PieceSet], given: dict[str, Any]) -> Iterator[tuple[list[int], ...]]:
    """The labels, turns and moduli of each set."""
    for each in sets:
        orbit = _mapping(given.get(each.name, {}), f"the solved state of {each.name}")
        pieces = _list(
            _first(orbit, ("pieces", "permutation"), [*range(each.places)]), each, "pieces"
        )
        given_mods = _list(orbit.get("orientationMod", [0] * each.places), each, "orientationMod")
        mods = [mod or each.orientations for mod in given_mods]
        if any(each.orientations % mod for mod in mods):
            raise FormatError(
                f"an orientationMod of {each.name} is wrong",
                f"divisors of {each.orientations}, or 0",
            )
        turns = _list(_first(orbit, _TURNED, [0] * each.places), each, "orientation")
        if any(turn >= mod for turn, mod in zip(turns, mods, strict=True)):
            raise FormatError(
                f"an orientation of {each.name} is too large",
                "orientations below the number of them",
            )
        yield check_pieces(each.name, pieces, mods), turns, mods


def _turn(sets: Sequence[PieceSet], given: dict[str, Any], name: str) -> Transformation:
    parts, first = [], 0
    for each in sets:
        where = f"{each.name} in the move {name}"
        orbit = _mapping(given.get(each.name, {}), where)
        places = _first(orbit, ("permutation", "pieces"), [*range(each.places)])
        source = check_permutation(_list(places, each, f"move {name}"), where)
        turns = _first(orbit, _TURNED, [0] * each.places)
        turned = _list(turns, each, f"move {name}", least=-_TOO_LARGE)
        parts.append((first + source, np.array(turned) % each.orientations))
        first += each.places
    return Transformation(*joined(parts))


def _list(given: Any, each: PieceSet, where: str, least: int = 0) -> list[int]:
    if not isinstance(given, list) or len(given) != each.places:
        size = f"{len(given):,} numbers" if isinstance(given, list) else "no list"
        raise FormatError(f"{where} of {each.name} has {size}", f"a list of {each.places} numbers")
    where = f"{where} of {each.name}"
    return [_whole(number, where, least) for number in given]


def _whole(number: Any, where: str, least: int = 0) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number < _TOO_LARGE:
        raise FormatError(
            f"{where} has {str(number)[:30]!r}", f"a whole number from {least} on, below a million"
        )
    return number


def _mapping(given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise FormatError(
            f"{where} is {type(given).__name__}",
            "an object in braces: a KPuzzle definition has name, orbits and moves",
        )
    return given


def _first(given: dict[str, Any], names: Sequence[str], default: Any) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), default)


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of pairs; raises FormatError if a name is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise FormatError(f"{shorten(twice)!r} is there twice", "each name once")
    return found

"""Definitions as cubing.js writes them: KPuzzle JSON, of the older kinds too.

Orbits are our sets. A transformation says for each place which piece comes to it, and by how much that one is turned on
the way, so nothing has to be rearranged.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from puzzlebase.puzzles.definitions.definition import (
    Definition,
    Numbers,
    PieceSet,
    Refused,
    Turn,
    check_name,
    checked_sets,
    permutation,
    title_of,
)
from puzzlebase.puzzles.definitions.sequences import MadeOf, with_sequences

_SOLVED = "defaultPattern", "startStateData", "startPieces"
_DERIVED = "derivedMoves", "experimentalDerivedMoves"
_TURNED = "orientationDelta", "orientation_delta", "orientation"
_DEEPEST = 30


def read_kpuzzle(text: str) -> Definition:
    """The definition that a text holds; raises Refused."""
    try:
        found = json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise Refused(f"this is no JSON: {error.msg}", "a KPuzzle definition in JSON", error.lineno) from None
    except RecursionError:
        raise Refused("the JSON is nested too deep", f"at most {_DEEPEST} levels") from None
    whole = _mapping(found, "the file")
    sets: list[PieceSet] = []
    for name, numbers in _orbits(whole.get("orbits")):
        counts = [numbers.get("numPieces"), numbers.get("numOrientations", numbers.get("orientations"))]
        places, orientations = (_whole(count, f"orbit {name}") for count in counts)
        sets.append(checked_sets(sets, PieceSet(name, places, orientations)))
    if not sets:
        raise Refused("there are no orbits", "orbits with numPieces and numOrientations each")
    labels, turned, moduli = _solved(sets, _mapping(_first(whole, _SOLVED, {}), _SOLVED[0]))
    turns = {}
    for name, move in _mapping(whole.get("moves"), "moves").items():
        check_name(name, "move")
        turns[name] = _turn(sets, _mapping(move, f"move {name}"), name)
    made = {}
    for name, moves in _mapping(_first(whole, _DERIVED, {}), _DERIVED[0]).items():
        check_name(name, "move")
        if name in turns or not isinstance(moves, str) or not _plain(moves):
            raise Refused(f"the derived move {name!r} is {str(moves)[:60]!r}", "a name of its own, and moves in a line")
        made[name] = MadeOf(moves.split(), None, alias=False)
    orientations_of = np.repeat([each.orientations for each in sets], [each.places for each in sets])
    generators, notes = with_sequences(turns, made, orientations_of)
    return Definition(title_of(whole.get("name")), tuple(sets), labels, turned, moduli, generators, notes)


def _orbits(orbits: Any) -> list[tuple[str, dict[str, Any]]]:
    """Orbits by name, or as a list in which each has its orbitName."""
    if isinstance(orbits, list):
        each = [_mapping(orbit, "orbits") for orbit in orbits]
        return [(str(orbit.get("orbitName")), orbit) for orbit in each]
    return [(name, _mapping(orbit, f"orbit {name}")) for name, orbit in _mapping(orbits, "orbits").items()]


def _solved(sets: Sequence[PieceSet], given: dict[str, Any]) -> tuple[Numbers, Numbers, Numbers]:
    labels, turned, moduli = [], [], []
    for each in sets:
        orbit = _mapping(given.get(each.name, {}), f"the solved state of {each.name}")
        pieces = _list(_first(orbit, ("pieces", "permutation"), [*range(each.places)]), each, "pieces")
        known = {piece: number for number, piece in enumerate(sorted({*pieces}))}
        labels += [known[piece] for piece in pieces]
        mods = [
            mod or each.orientations
            for mod in _list(orbit.get("orientationMod", [0] * each.places), each, "orientationMod")
        ]
        if any(each.orientations % mod for mod in mods):
            raise Refused(f"an orientationMod of {each.name} is wrong", f"divisors of {each.orientations}, or 0")
        if len({*zip(pieces, mods, strict=True)}) > len(known):
            raise Refused(f"equal pieces of {each.name} differ in orientationMod", "one for all pieces that are equal")
        turns = _list(_first(orbit, _TURNED, [0] * each.places), each, "orientation")
        if any(turn >= mod for turn, mod in zip(turns, mods, strict=True)):
            raise Refused(f"an orientation of {each.name} is too large", "orientations below the number of them")
        turned += turns
        moduli += mods
    return np.array(labels), np.array(turned), np.array(moduli)


def _turn(sets: Sequence[PieceSet], given: dict[str, Any], name: str) -> Turn:
    source, turned = [], []
    at = 0
    if unknown := given.keys() - {each.name for each in sets}:
        raise Refused(f"the move {name} moves {min(unknown)[:40]!r}", f"one of {', '.join(each.name for each in sets)}")
    for each in sets:
        orbit = _mapping(given.get(each.name, {}), f"{each.name} in the move {name}")
        from_place = _list(_first(orbit, ("permutation", "pieces"), [*range(each.places)]), each, f"move {name}")
        source.append(at + permutation(from_place, f"{each.name} in the move {name}"))
        turns = np.array(_list(_first(orbit, _TURNED, [0] * each.places), each, f"move {name}"))
        turned.append(turns % each.orientations)
        at += each.places
    return Turn(np.concatenate(source), np.concatenate(turned))


def _list(given: Any, each: PieceSet, where: str) -> list[int]:
    if not isinstance(given, list) or len(given) != each.places:
        size = f"{len(given):,} numbers" if isinstance(given, list) else "no list"
        raise Refused(f"{where} of {each.name} has {size}", f"a list of {each.places} numbers")
    return [_whole(number, f"{where} of {each.name}") for number in given]


def _whole(number: Any, where: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**6:
        raise Refused(f"{where} has {str(number)[:30]!r}", "a whole number from 0 on, below a million")
    return number


def _mapping(given: Any, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Refused(
            f"{where} is {type(given).__name__}", "an object in braces: a KPuzzle definition has name, orbits and moves"
        )
    return given


def _first(given: dict[str, Any], names: Sequence[str], default: Any) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), default)


def _plain(moves: str) -> bool:
    return not {*moves} & {*"()[]:,/*\n"} and bool(moves.split())


def _integer(digits: str) -> int:
    return int(digits) if len(digits) < 10 else 10**9


def _no_constant(name: str) -> None:
    raise Refused(f"{name} is no number here", "whole numbers")

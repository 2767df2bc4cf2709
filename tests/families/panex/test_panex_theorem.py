"""docs/panex-theorem.md: each lemma is watched on positions and paths of the reference implementation.

They are compared with the words, types and edges that research/panex_theorem/graph_checker.py finds.
"""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from types import ModuleType

import pytest

from research.panex_lengths.levels import derive
from research.panex_theorem import checker, graph_checker
from research.panex_theorem.graph_checker import DROP, LIFT, RuleGraph, Type, Word, Words
from tests.naive import panex as naive

Physical = frozenset[tuple[naive.Place, str]]


@cache
def graph() -> RuleGraph:
    return graph_checker.derive()


def tracks_of(state: str) -> list[str]:
    return state.split("|")


layers_of = cache(naive.places)


def open_neighbours(state: str) -> list[str]:
    """The game of three lists: a tile with j above it needs a size of j, in the centre of j + 1."""
    found = []
    for source, target in permutations(range(3), 2):
        tracks = state.split("|")
        if tracks[source]:
            tracks[target] = tracks[source][0] + tracks[target]
            tracks[source] = tracks[source][1:]
            if all(naive.SIZES[tile] >= at + (target == 1) for at, tile in enumerate(tracks[target])):
                found.append("|".join(tracks))
    return found


def distances_from(start: str) -> dict[str, int]:
    """Distances in moves of the game of three lists."""
    moves = {start: 0}
    queue = [start]
    for state in queue:
        for after in open_neighbours(state):
            if after not in moves:
                moves[after] = moves[state] + 1
                queue.append(after)
    return moves


def slides(lying: Physical) -> Iterator[Physical]:
    """Displace one tile to any place that it can slide to, not only as deep as it can."""
    there = dict(lying)
    for place, tile in lying:
        for after in naive.reached(place, there) - {place}:
            yield lying - {(place, tile)} | {(after, tile)}


@pytest.mark.parametrize("start", ["ab||AB", "A|bB|a", "a|AB|b"])
def test_lemma_1_settled_positions_suffice_and_none_that_blocks(start: str) -> None:
    """Distances of towers of two are the same in the game of tiles that may stop at any place."""
    moves = {frozenset(naive.places(start).items()): 0}
    queue = list(moves)
    for lying in queue:
        for after in slides(lying):
            if after not in moves:
                moves[after] = moves[lying] + 1
                queue.append(after)
    known = distances_from(start)
    assert len(known) > 100
    assert {state: moves[frozenset(naive.places(state).items())] for state in known} == known


@cache
def random_walk(n: int, length: int, seed: int) -> tuple[str, ...]:
    draw = random.Random(seed)
    letters = "abcdefgh"[:n]
    walk = [f"{letters}||{letters.upper()}"]
    for _ in range(length):
        walk.append(draw.choice(open_neighbours(walk[-1])))
    return tuple(walk)


def without_loops(walk: tuple[str, ...]) -> tuple[str, ...]:
    """A walk without returns to a position, as a shortest path is."""
    left: dict[str, None] = {}
    for state in walk:
        if state in left:
            while next(reversed(left)) != state:
                left.popitem()
        left[state] = None
    return tuple(left)


def big_piles(state: str, level: int) -> tuple[str, ...]:
    return tuple("".join(tile for tile in track if naive.SIZES[tile] > level) for track in tracks_of(state))


def hand(state: str, level: int) -> list[str]:
    """The big tiles in layers 0 to `level`."""
    return [tile for (_, layer), tile in layers_of(state).items() if naive.SIZES[tile] > level >= layer]


@cache
def shape(state: str, level: int) -> int | None:
    """The shape of a position that is useful on a level, else None."""
    tower = "abcdefgh"[:level]
    shapes = [
        (tower, "", tower),
        ("", tower, tower),
        ("", tower[1:], "a" + tower),
        (tower, tower, ""),
        ("a" + tower, tower[1:], ""),
    ]
    small = tuple("".join(tile for tile in track if naive.SIZES[tile] <= level).lower() for track in tracks_of(state))
    return shapes.index(small) if small in shapes and not hand(state, level) else None


def flips(before: str, after: str, level: int) -> int:
    """The pairs of the level that change their order, as bits."""

    def order(state: str) -> list[bool]:
        return [state.index(letter.upper()) < state.index(letter) for letter in "abcdefgh"[:level]]

    return sum((one != two) << at for at, (one, two) in enumerate(zip(order(before), order(after), strict=True)))


def pieces(walk: tuple[str, ...], level: int) -> Iterator[tuple[str, ...]]:
    """The pieces of a walk, without their loops."""
    cuts = [at for at, state in enumerate(walk) if shape(state, level) is not None]
    for first, last in pairwise(cuts):
        if walk[first] != walk[last]:
            yield without_loops(walk[first : last + 1])


def letters_of(piece: tuple[str, ...], level: int) -> list[tuple[str, str, int]]:
    """The lifts of big tiles from below the level and the drops below it, each with tile and track."""
    found = []
    for before, after in pairwise(piece):
        source = next(at for at in range(3) if len(tracks_of(after)[at]) < len(tracks_of(before)[at]))
        target = next(at for at in range(3) if len(tracks_of(after)[at]) > len(tracks_of(before)[at]))
        tile = tracks_of(before)[source][0]
        layers = [
            next(layer for (_, layer), each in layers_of(state).items() if each == tile) for state in (before, after)
        ]
        if naive.SIZES[tile] > level:
            found += [(LIFT, tile, source)] * (layers[0] > level) + [(DROP, tile, target)] * (layers[1] > level)
    return found


def named(piece: tuple[str, ...], level: int) -> Word:
    """The word of a piece, with tiles named by their track and depth at its start."""
    name = {tile: (track, at) for track, pile in enumerate(big_piles(piece[0], level)) for at, tile in enumerate(pile)}
    return tuple((sign, name[tile], track) for sign, tile, track in letters_of(piece, level))


def reduced(word: Word, words: Words) -> Word | None:
    """A word without the blocks that are erased, None where it comes back to an arrangement."""
    left: Word | None = ()
    for letter in word:
        left = None if left is None else words.then(left, letter)
    return left


@pytest.mark.parametrize("seed", range(4))
def test_lemma_4_and_5_every_piece_of_level_2_has_one_that_is_found_and_no_longer(seed: int) -> None:
    words = Words()
    seen: set[Type] = set()
    for piece in pieces(random_walk(4, 40_000, seed), 2):
        word = reduced(named(piece, 2), words)
        start, end = shape(piece[0], 2), shape(piece[-1], 2)
        if word is not None and start is not None and end is not None:
            seen.add((start, end, word))
            assert graph().lengths[start, end, word][flips(piece[0], piece[-1], 2)] <= len(piece) - 1
    assert len(seen) > 30, len(seen)


def test_lemma_6_the_step_maps_the_types_of_a_level_onto_themselves() -> None:
    found = graph_checker.step(sorted(graph().lengths, key=str), Words())
    assert found.types == set(graph().lengths)
    assert (len(found.types), len(found.places), len(found.edges)) == (330, 1172, 11_185)


def test_the_same_graph_is_derived_by_both_programs() -> None:
    levels = derive()
    texts = {(shape, layer, text(word)) for shape, layer, word in levels.partials}
    assert texts == {graph_checker._place_text(place) for place in graph().step.places}
    assert len(levels.steps) == len(graph().step.edges)
    lengths = {
        (start, end, graph_checker.text_of(word), flipped): moves
        for (start, end, word), of in graph().lengths.items()
        for flipped, moves in of.items()
    }
    assert lengths == {
        (piece.start, piece.end, text(piece.word), piece.flips): len(piece.moves) for piece in levels.base_pieces
    }


def text(word: bytes) -> str:
    return " ".join(f"{letter % 12 // 3}{'^v'[letter // 12]}{letter % 3}" for letter in word)


@pytest.mark.parametrize("program", [graph_checker, checker])
def test_the_checkers_import_nothing_of_the_project(program: ModuleType) -> None:
    assert program.__file__
    tree = ast.parse(Path(program.__file__).read_text("utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names

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
from typing import Any

import pytest

from puzzlebase.puzzles import find
from puzzlebase.puzzles.families.panex.lengths import find_lengths
from puzzlebase.puzzles.families.panex.levels import derive
from puzzlebase.tools.methods.record import Oracle
from research.panex_theorem import checker, graph_checker
from research.panex_theorem.graph_checker import DROP, LIFT, Place, RuleGraph, Type, Word, Words
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


@pytest.mark.parametrize("seed", range(3))
def test_lemma_2_without_its_big_moves_a_path_is_legal(seed: int) -> None:
    """Between two moments with the same piles of big tiles and none in hand, the small tiles can move alone."""
    walk = random_walk(4, 4000, seed)
    shortened = 0
    for level in (1, 2, 3):
        last: dict[tuple[str, ...], int] = {}
        for at, state in enumerate(walk):
            if hand(state, level):
                continue
            first = last.get(big_piles(state, level))
            last[big_piles(state, level)] = at
            if first is None:
                continue
            alone = [walk[first]]
            for before, after in pairwise(walk[first : at + 1]):
                if big_piles(before, level) == big_piles(after, level) and small(before, level) != small(after, level):
                    alone.append(joined(small(after, level), big_piles(walk[first], level)))
            assert alone[-1] == state
            assert all(two in open_neighbours(one) for one, two in pairwise(alone))
            shortened += len(alone) < at - first + 1
    assert shortened > 5, shortened


def small(state: str, level: int) -> tuple[str, ...]:
    return tuple("".join(tile for tile in track if naive.SIZES[tile] <= level) for track in tracks_of(state))


def joined(above: tuple[str, ...], below: tuple[str, ...]) -> str:
    return "|".join(one + two for one, two in zip(above, below, strict=True))


@pytest.mark.parametrize("level", [2, 3, 4])
def test_corollary_side_tracks_give_and_take_at_the_ends_and_two_tiles_are_in_hand_at_most(level: int) -> None:
    """Watch random walks, far from shortest, and every word that is found."""
    asked = 0
    walk = random_walk(5, 20_000, level) if level < 4 else shortest_path("abcdef||ABCDEF")
    for piece in pieces(walk, level):
        found = letters_of(piece, level)
        asked += bool(found)
        assert all(len(hand(state, level)) <= 2 for state in piece)
        for before, after in pairwise(piece):
            for sign, _, track in letters_of((before, after), level):
                if track != graph_checker.CENTRE:
                    assert (before is piece[0]) if sign == LIFT else (after is piece[-1])
    assert asked > 3, asked
    names = {(0, 0), (1, 0), (1, 1), (2, 0)}
    assert {tile for _, _, word in graph().lengths for _, tile, _ in word} == names
    assert max(len(word) for _, _, word in graph().lengths) == 12


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


def steps_of(piece: tuple[str, ...], level: int, words: Words) -> set[Place] | None:
    """The places along a piece of level + 1, with every choice of the step that agrees with that layer of its states.

    None where a word comes back to an arrangement: then the path is not shortest.
    """
    pair = [tile for tile in sorted(set(piece[0])) if tile != "|" and naive.SIZES[tile] == level + 1]
    first = min(pair, key=piece[0].index)
    name = {
        tile: (track, at) for track, pile in enumerate(big_piles(piece[0], level + 1)) for at, tile in enumerate(pile)
    }
    name |= {first: "Z", ({*pair} - {first}).pop(): "z"}  # type: ignore[dict-item]

    def layer(state: str) -> tuple[object, ...]:
        there = layers_of(state)
        return tuple(name.get(there.get((track, level + 1), "")) for track in range(3))

    places: set[Any] = {(layer(piece[0]), ())}
    for part in pieces(piece, level):
        word = reduced(named(part, level), words)
        if word is None:
            return None
        places = {
            after
            for resting, longer in places
            for after in graph_checker.carried_out(word, resting, longer, words)
            if after[0] == layer(part[-1])
        }
    end = shape(piece[-1], level + 1)
    return {(end, *place) for place in places}


def test_lemma_5_every_piece_of_level_3_is_a_path_through_partial_states() -> None:
    """Watch pieces of random walks, and of the shortest solution of towers of five."""
    lengths = find_lengths(3)
    diagrams = lengths.diagrams(1 << 10, 1 << 10)
    number = {each: at for at, each in enumerate(derive().types)}
    words = Words()
    walks = [random_walk(5, 20_000, seed) for seed in range(3)] + [shortest_path("abcde||ABCDE")]
    seen = set()
    for walk in walks:
        for piece in pieces(walk, 3):
            found = steps_of(piece, 2, words)
            if found is None:
                continue
            start, end = shape(piece[0], 3), shape(piece[-1], 3)
            assert start is not None
            assert end is not None
            types = {(start, end, word) for _, _, word in found} & graph().lengths.keys()
            assert types
            seen |= types
            at = [number[start, end, word_number(each[2])] for each in types]
            flipped = flips(piece[0], piece[-1], 3)
            least = [
                int(lengths.offset[3, each]) + diagrams.value((int(lengths.node[3, each]), 0), 3, flipped)
                for each in at
            ]
            assert min(least) <= len(piece) - 1
    assert len(seen) > 20, len(seen)


@cache
def word_number(word: Word) -> int:
    """The number of a word among those of `derive`, whose letters are bytes."""
    bytes_of = bytes(
        (12 if sign == DROP else 0) + 3 * int(graph_checker.NAMES[tile]) + track for sign, tile, track in word
    )
    return derive().words.index(bytes_of)


@cache
def shortest_path(start: str) -> tuple[str, ...]:
    """A solution of the exchange, played by the reference implementation."""
    puzzle = find(f"panex-{start.index('|')}")
    oracle = puzzle.engine(Oracle)
    assert oracle
    states = [start]
    for move in oracle.load(puzzle.goal()).line(start):
        states.append(dict(naive.neighbours(states[-1]))[move])
    return tuple(states)


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

"""The theorem: lemma 1 on positions of the reference implementation, and the graph by two programs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest

from research.panex_lengths.levels import derive
from research.panex_theorem import checker, graph_checker
from research.panex_theorem.graph_checker import RuleGraph, Words
from tests.naive import panex as naive

Physical = frozenset[tuple[naive.Place, str]]


@cache
def graph() -> RuleGraph:
    return graph_checker.derive()


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

"""The Turnstile beside its certificate: the scrambles,
the Avenger, and a search by the rules agree.
"""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np

from puzzlebase.puzzles import Indices
from puzzlebase.service.answers import lookups
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests import naive

SOLVED = ".AAA.BBB.CCC.DDD.EEE."
_RENAMED = 1000
_SEARCHED = 8
_RADIUS = 8


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true;
    needs the table of the Avenger too.
    """
    turnstile, avenger = tables.table("turnstile"), tables.table("avenger")
    scrambles = json.loads(Path(__file__).parents[1].joinpath("golden.json").read_text("utf-8"))[
        "turnstile_scrambles"
    ]
    for scramble in scrambles["solutions"]:
        state = naive.play(SOLVED, naive.undo(scramble["turnstile"]))
        assert lookups.lookup(turnstile, state)["distance"] == scramble["turnstile_optimum"]
    drawn = np.random.default_rng(17).integers(0, turnstile.space.size, _RENAMED).tolist()
    states = [turnstile.puzzle.text(index, turnstile.goal) for index in drawn]
    renamings = [str.maketrans("ABCDE", "".join(names)) for names in permutations("ABCDE")]
    for state in states:
        least = min(turnstile.distances(_indices(turnstile, state, renamings)).tolist())
        assert least == lookups.lookup(avenger, state)["distance"]
    neighbours = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)
    near = naive.distances(SOLVED, neighbours, _RADIUS)
    for state in states[:_SEARCHED]:
        assert (
            naive.distance_to(near, state, neighbours, _RADIUS)
            == lookups.lookup(turnstile, state)["distance"]
        )
    return [
        f"the {len(scrambles['solutions'])} published scrambles are as far as published",
        f"{_RENAMED:,} random states: the least distance over all 120 renamings is the Avenger's",
        f"{_SEARCHED} random states: a search from both ends by the rules alone agrees",
    ]


def _indices(opened: OpenTable, state: str, renamings: list[dict[int, int]]) -> Indices:
    letters = "".join(state.translate(renaming) for renaming in renamings)
    return opened.space.rank(np.frombuffer(letters.encode(), np.uint8).reshape(len(renamings), -1))

"""What must be true of the Puzzler beside the certificates of its patterns: random states, a search without them."""

from __future__ import annotations

import random

from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from tests.proofs.sampled import sample, searchable

_STATES = 1_000
_NEAR = range(1, 17)


def check(tables: Tables) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    known = searchable("puzzler", tables)
    plain = Searchable.of(known.puzzle, known.goal, None)
    chosen = random.Random(24)
    for moves in _NEAR:
        state = known.goal.start
        for _ in range(moves):
            state = known.puzzle.play(state, chosen.choice(known.puzzle.moves).name)
        index = known.puzzle.index(state, known.goal)
        with_patterns, without = (OpenSearch(each, Budget()) for each in (known, plain))
        distance = without.distance(index)
        assert with_patterns.distance(index) == distance
        assert with_patterns.optimal_moves(index, distance) == without.optimal_moves(index, distance)
    return [
        f"states up to {max(_NEAR)} random turns from solved are as far as a search without patterns says",
        *sample(known, _STATES).lines(),
    ]

"""Random states of the Puzzler, beside the certificates of its patterns:
a search without patterns agrees.
"""

from __future__ import annotations

import random

from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from tests.proofs.sampled import lines_of, over_http, sample, searchable

_STATES, _ASKED = 1_000, 20
_NEAR = range(1, 17)


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    known = searchable("puzzler", tables)
    plain = Searchable.of(known.puzzle, known.goal, None)
    chosen = random.Random(24)
    for moves in _NEAR:
        state, wheel = known.goal.start, chosen.choice("LR")
        for _ in range(moves):
            wheel = "RL"[wheel == "R"]
            state = known.puzzle.play(
                state, chosen.choice([m.name for m in known.puzzle.moves if m.name[0] == wheel])
            )
        index = known.puzzle.index(state, known.goal)
        with_patterns, without = (OpenSearch(each, Budget()) for each in (known, plain))
        distance = without.distance(index)
        assert with_patterns.distance(index) == distance
        assert with_patterns.optimal_moves(index, distance) == without.optimal_moves(
            index, distance
        )
    sampled = sample(known, tables.folder.data, _STATES)
    return [
        (
            f"states up to {max(_NEAR)} alternating random turns from solved are as far as a "
            "search without patterns says"
        ),
        *lines_of(sampled),
        over_http(known, tables.folder.data, sampled[:_ASKED]),
    ]

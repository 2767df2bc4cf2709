"""The Turnstile as a definition, examples/turnstile-pieces.tws,
has the distances of our own one.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.service.sources.source import source_indices
from puzzlebase.service.sources.sources import Sources

_STATES = 100_000


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true;
    needs the table of our own Turnstile too.
    """
    pieces, own = tables.table("turnstile-pieces"), tables.table("turnstile")
    assert tuple(pieces.table.info.layers) == tuple(own.table.info.layers)
    drawn = np.random.default_rng(18).integers(0, pieces.space.size, _STATES)
    texts = [pieces.puzzle.text(index, pieces.goal) for index in drawn.tolist()]
    there = source_indices(own, [_own(text) for text in texts])
    assert np.array_equal(pieces.distances(drawn), own.distances(there))
    return [
        f"the layers and the distances of {_STATES:,} random states are those of our own Turnstile"
    ]


def _own(text: str) -> str:
    """The same state in our own letters:
    edges and corners take turns, A is the edge without colour.
    """
    edges, corners = text.split("-")
    edges = edges.translate(str.maketrans("ABCDEF", ".ABCDE"))
    return "".join(edge + corner for edge, corner in zip(edges, corners + " ", strict=True)).strip()

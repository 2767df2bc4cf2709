"""The corners of the 3x3x3, as examples/cube-corners.tws defines them:
the known layers, with symmetries and without.

A 2x2x2 of which no corner is held is the same puzzle.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.plugins.definitions.tests.test_symmetric_rows import numbered
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import enumerated

LAYERS = 1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736
"""As twsearch counts them (its 2x2x2.tws is the same group);
11 moves suffice, as Korf found in 1997.
"""

_STATES_AT_ONCE = 1 << 18


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    opened, plain = tables.table("cube-corners"), numbered("cube-corners", symmetric=False).space()
    assert tuple(opened.table.info.layers) == LAYERS
    distances = enumerated(plain).astype(np.int8)
    for first in range(0, plain.size, _STATES_AT_ONCE):
        some = np.arange(first, min(first + _STATES_AT_ONCE, plain.size))
        assert np.array_equal(
            opened.distances(opened.space.rank(plain.unrank(some))), distances[some]
        )
    return [
        "the layers are those that twsearch counts",
        f"all {plain.size:,} distances are those that a search without symmetries finds",
    ]

"""The corners of the 3x3x3, as examples/cube-corners.tws defines them, have the known layers."""

from __future__ import annotations

from puzzlebase.service.sources.folder import Tables

LAYERS = 1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736
"""As twsearch counts them (its 2x2x2.tws is the same group); 11 moves suffice, as Korf found in 1997."""


def check(tables: Tables) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    assert tuple(tables.get("cube-corners").table.info.layers) == LAYERS
    return ["the layers are those that twsearch counts"]

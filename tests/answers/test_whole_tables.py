"""service/answers/whole_tables.py:
the histogram and the antipodes, held against published numbers.
"""

from __future__ import annotations

from typing import Any

from puzzlebase.service.answers import lookups, whole_tables
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import opened


def test_histogram_and_antipodes(tables: Sources, golden: dict[str, Any]) -> None:
    avenger = opened(tables, "avenger")
    layers = golden["avenger"]["layers"]
    assert whole_tables.histogram(avenger) == {
        "puzzle": "avenger",
        "goal": "solved",
        "layers": layers,
        "states": 52_390_800,
        "gods_number": 15,
        "mean": sum(i * n for i, n in enumerate(layers)) / sum(layers),
    }
    pages: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = whole_tables.antipodes(avenger, offset, 100)
        assert (page["distance"], page["count"]) == (15, 304)
        pages += page["states"]
        offset = page["next"]
    assert len(set(pages)) == len(pages) == 304
    assert all(lookups.lookup(avenger, state)["distance"] == 15 for state in pages[::20])
    beyond = whole_tables.antipodes(avenger, 1000, 10)
    assert (beyond["states"], beyond["next"]) == ([], None)

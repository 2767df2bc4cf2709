"""The distribution of the figures of levels, as tables of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

_QUARTERS = 0, 0.25, 0.5, 0.75, 1
_WIDTHS = {"pushes": 5, "moves": 20}
_HARDEST = 5


def distribution(results: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Lines of tables for each metric: quartiles, the number of levels by par, the largest pars."""
    rows = [*results]
    for counts, width in _WIDTHS.items():
        levels = [row for row in rows if row["counts"] == counts and row["par"]]
        yield f"{len(levels):,} levels in {counts}:\n"
        yield from _quartiles(levels)
        yield from _pars(levels, width)
        yield from _hardest(levels)


def _quartiles(levels: list[Mapping[str, str]]) -> Iterator[str]:
    yield "| | least | quarter | median | three quarters | most | mean |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name in ("par", "states", "lost_share", "best_first_moves"):
        values = np.array([float(level[name]) for level in levels])
        figures = [*np.quantile(values, _QUARTERS, method="inverted_cdf"), values.mean()]
        digits = 4 if name == "lost_share" else 1
        cells = [f"{round(figure, digits):,.9g}" for figure in figures]
        yield f"| {name} | {' | '.join(cells)} |"


def _pars(levels: list[Mapping[str, str]], width: int) -> Iterator[str]:
    yield "\n| par | levels |\n|---|--:|"
    numbers = Counter(int(level["par"]) // width for level in levels)
    for at, number in sorted(numbers.items()):
        yield f"| {at * width} to {(at + 1) * width - 1} | {number:,} |"


def _hardest(levels: list[Mapping[str, str]]) -> Iterator[str]:
    yield "\n| file | level | par | states |\n|---|--:|--:|--:|"
    hardest = sorted(levels, key=lambda level: -int(level["par"]))
    for level in hardest[:_HARDEST]:
        cells = [level["file"], level["level"], level["par"], f"{int(level['states']):,}"]
        yield f"| {' | '.join(cells)} |"
    yield ""

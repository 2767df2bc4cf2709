"""Random boards of the 15-puzzle and the published counts,
beside the certificates of its patterns.
"""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import numpy as np

from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch
from puzzlebase.service.sources.sources import Sources
from tests.proofs.sampled import lines_of, over_http, sample, searchable

_STATES, _ASKED = 1_000, 20
_EXPECTED = 5.0
"""Boards that a class of distances must be expected to have for the test."""


def check(tables: Sources) -> list[str]:
    """Raises AssertionError, or says what was seen to be true."""
    golden = json.loads(Path(__file__).parents[1].joinpath("golden.json").read_text("utf-8"))
    known = golden["fifteen_puzzle_57"]
    source = OpenSearch(searchable("sliding-4x4", tables, "blank-0"), Budget())
    assert source.distance(source.index(known["state"])) == known["distance"]
    corner = searchable("sliding-4x4", tables)
    sampled = sample(corner, tables.folder.data, _STATES)
    layers = np.array(golden["fifteen_puzzle_blank_in_corner"]["layers"], float)
    counts = np.bincount([one.distance for one in sampled], minlength=len(layers))
    deviation = _deviation(counts, layers / layers.sum() * _STATES)
    assert deviation < 3.1, deviation
    return [
        f"the published board of {known['distance']} moves is as far as published",
        *lines_of(sampled),
        over_http(corner, tables.folder.data, sampled[:_ASKED]),
        f"the published distribution fits: {deviation:+.2f} standard deviations of chi-squared",
    ]


def _deviation(found: np.ndarray, expected: np.ndarray) -> float:
    """By how many standard deviations chi-squared is too large (E. B.
    Wilson, M. M. Hilferty, PNAS 17, 1931).
    """
    classes: list[list[float]] = []
    for one, other in zip(found.tolist(), expected.tolist(), strict=True):
        if classes and classes[-1][1] < _EXPECTED:
            classes[-1] = [classes[-1][0] + one, classes[-1][1] + other]
        else:
            classes.append([one, other])
    last = classes.pop()
    classes[-1] = [classes[-1][0] + last[0], classes[-1][1] + last[1]]
    freedom = len(classes) - 1
    chi = sum((one - other) ** 2 / other for one, other in classes)
    ninth = 2 / (9 * freedom)
    return float(((chi / freedom) ** (1 / 3) - (1 - ninth)) / sqrt(ninth))

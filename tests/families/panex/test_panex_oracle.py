"""families/panex/oracle.py and lengths.py: the oracle's data; a solver that threads share, and its refusals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np

from puzzlebase.db.blocks import compress
from puzzlebase.puzzles import ImpossibleState, InvalidState
from puzzlebase.puzzles.families.panex.lengths import find_lengths, from_blobs, to_blobs
from tests.families.panex.panex_states import solver, stored, wander
from tests.puzzles.reading import assert_refused


def test_the_data_are_kilobytes_and_always_the_same() -> None:
    made = stored(26)
    assert sum(len(compress(blob)) for blob in made.values()) < 60_000
    assert made == to_blobs(find_lengths(26))
    again = from_blobs(made)
    for name, value in vars(find_lengths(26)).items():
        assert np.array_equal(getattr(again, name), value), name
    assert len(again.node) == 27


def test_threads_share_a_solver() -> None:
    asked = solver(8)
    texts = [wander(8, 100 * seed, seed) for seed in range(16)]
    alone = [(asked.distance(text), list(islice(asked.line(text, 50), 200))) for text in texts]
    shared = solver(8)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda text: (shared.distance(text), list(islice(shared.line(text, 50), 200))), texts)
        assert list(together) == alone


def test_what_is_no_state_is_refused_as_ever() -> None:
    assert_refused(solver(3), "abc|ABC", InvalidState, "abc||ABC")
    assert_refused(solver(3), "cba||ABC", ImpossibleState, "abc||ABC")

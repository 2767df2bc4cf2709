"""families/panex/oracle.py and lengths.py: the oracle's data; a solver that threads share, and its refusals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np

from puzzlebase.db.blocks import compress
from puzzlebase.db.shared_arrays import ArrayStore
from puzzlebase.puzzles import RANKING_TABLES
from puzzlebase.puzzles.families.panex.lengths import all_lengths, find_lengths
from tests.families.panex.panex_states import solver, wander


def test_the_data_are_kilobytes_and_come_back_from_the_store(tmp_path: Path) -> None:
    made = find_lengths(26)
    all_lengths.cache_clear()
    with RANKING_TABLES.stored_in(ArrayStore(tmp_path)):
        for of_store in (all_lengths(), all_lengths.__wrapped__()):
            for name, value in made._asdict().items():
                assert np.array_equal(getattr(of_store, name), value), name
    [file] = tmp_path.iterdir()
    assert len(compress(file.read_bytes())) < 60_000


def test_threads_share_a_solver() -> None:
    asked = solver(8)
    texts = [wander(8, 100 * seed, seed) for seed in range(16)]
    alone = [(asked.distance(text), list(islice(asked.line(text, 50), 200))) for text in texts]
    shared = solver(8)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda text: (shared.distance(text), list(islice(shared.line(text, 50), 200))), texts)
        assert list(together) == alone

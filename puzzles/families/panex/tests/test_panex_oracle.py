"""families/panex/oracle.py: a solver that threads share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from .panex_states import solver, wander


def test_threads_share_a_solver() -> None:
    asked = solver(8)
    texts = [wander(8, 100 * seed, seed) for seed in range(16)]
    alone = [(asked.distance(text), list(islice(asked.line(text, 50), 200))) for text in texts]
    shared = solver(8)
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda text: (shared.distance(text), list(islice(shared.line(text, 50), 200))), texts)
        assert list(together) == alone

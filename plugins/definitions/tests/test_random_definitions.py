"""Random definitions: 30 of those that `python -m tests.proofs.definitions` compares."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix import one_in

from .random_definitions import check, drawn


@pytest.mark.parametrize("seed", one_in(6, range(30)))
def test_all_distances_are_those_of_a_plain_search(tmp_path: Path, seed: int) -> None:
    check(drawn(seed), tmp_path)

"""`make size`: the limits."""

from __future__ import annotations

import pytest

from tests.size import LIMITS, counted


@pytest.mark.matrix
def test_the_tokens_of_each_kind_are_within_their_limits() -> None:
    sizes = counted()
    assert not {kind: sizes[kind] for kind, limit in LIMITS.items() if sizes[kind] > limit}, (
        "take something away"
    )

"""`make size`: what a token is, and the limits."""

from __future__ import annotations

import pytest

from tests.size import LIMITS, counted, tokens


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("x = 1  # a comment\n\n\n# and one more\n", 3),
        ("if x:\n    y(1)\n", 7),
        ('def f():\n    """A docstring\n\n    of three lines."""\n    return (\n        1\n    )\n', 9),
        (f"x = '{'a' * 94}'", 14),
        ("x = 'one' f'{two}' 'three'", 6),
    ],
)
def test_tokens_of_a_file(source: str, count: int) -> None:
    assert tokens(source) == count


@pytest.mark.slow(4)
def test_the_tokens_of_each_kind_are_within_their_limits() -> None:
    sizes = counted()
    assert not {kind: sizes[kind] for kind, limit in LIMITS.items() if sizes[kind] > limit}, "take something away"

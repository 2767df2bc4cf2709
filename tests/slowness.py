"""The slowness of this machine just now,
for tests that hold a bound of processor time on any machine.
"""

from __future__ import annotations

import time

_ADDITIONS = 1_500_000
_NORMAL = 0.033
"""Processor seconds of so many additions on a machine at normal speed."""


def slowness() -> float:
    """The time that a fixed loop takes,
    as a multiple of the normal one, or 1 where it takes less.
    """
    began = time.process_time()
    total = 0
    for number in range(_ADDITIONS):
        total += number
    return max((time.process_time() - began) / _NORMAL, 1)

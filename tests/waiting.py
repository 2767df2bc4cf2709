"""Waiting with a deadline: no test may wait without one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 600.0
"""Seconds that are far too many for anything tests wait for,
on any machine: kernels may have to be compiled first.
"""


def wait_until(
    condition: Callable[[], T], what: str, seconds: float = PATIENCE, pause: float = 0.05
) -> T:
    """The first true value of a condition,
    which is asked again after each pause. Fails after so many seconds.

    `what` completes the sentence "in vain, we waited until ...".
    """
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"in vain, {seconds:g} seconds were waited until {what}"
        time.sleep(pause)
    return value

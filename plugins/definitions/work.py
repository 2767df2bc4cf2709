"""The work that a definition may cost before it answers,
counted in steps: the same on every machine, however busy.

A step looks at one number of an array, in some nanoseconds. Whatever its arrays, a call takes as
long as CALL steps, and a line of Python as LINE. Who runs out of steps goes on without what they
were for: without symmetries or patterns, or with a bound in place of a number of states.
"""

from __future__ import annotations

CALL = 1000
LINE = 64
SYMMETRIES = 1 << 28  # to look for the symmetries of a definition
# to count the states, to list their parts, and to find what symmetries do to these
NUMBERING = 1 << 32
PATTERNS = 1 << 29  # to choose patterns


class TooMuchWork(Exception):
    """The steps are used up."""


class Work:
    """Steps that are left."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, numbers: int, calls: int = 1) -> None:
        """Count calls that look at so many numbers together,
        before they are made; raise TooMuchWork.
        """
        self.left -= numbers + calls * CALL
        if self.left < 0:
            raise TooMuchWork

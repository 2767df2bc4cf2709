"""Load numba and the types that its first compilation loads:
`kernel_process` forks from a process that has done so.
"""

from __future__ import annotations

from numba import njit

njit(lambda number: number + 1)(1)

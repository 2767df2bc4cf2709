"""What the program says where its process may have too little memory: a sentence in place of a crash."""

from __future__ import annotations

import resource
import sys

ADDRESSES = 3 << 30
"""Bytes of addresses that the program needs, most of which it never touches: libraries, and room for threads."""


def need_addresses() -> None:
    """End the process with a message if `ulimit -v` leaves it fewer addresses than the program itself needs.

    Its libraries do not raise where they run out while they are loaded or start a thread. They abort or crash.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
        sys.exit(
            f"puzzlebase: a process may have {limit >> 10:,} kB of addresses here, and the program itself needs "
            f"{ADDRESSES >> 10:,} kB\n"
            f"  raise the limit with ulimit -v {ADDRESSES >> 10} or more; a control group limits memory in use"
        )

"""Kinds of puzzles, by the way their pieces move."""

from __future__ import annotations

import re

OTHER_KIND = "More puzzles"
KINDS = {
    "Turning": "turn",
    "Sliding": "slid|along",
    "Stacking": "disk|pour",
    "Pushing": "push",
    "Jumping": "jump|over (one|any)",
}
"""The title of each kind, and words that are said of such puzzles. A later kind goes before an
earlier one: disks of Hanoi are turned over, too.
"""


def kind_of(said: str) -> str:
    """The kind of a puzzle of which this is said; OTHER_KIND without such words."""
    small = said.lower()
    return next(
        (title for title, words in reversed(KINDS.items()) if re.search(words, small)), OTHER_KIND
    )

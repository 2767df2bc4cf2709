"""One puzzle of the family: the colours of its posts,
the number of its disks, and its named goals.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from pathlib import Path

from puzzlebase.puzzles import Goal, Published

POSTS = "SID"
COLOURS = "RB"
WORDS = {"R": "red", "B": "blue", "N": "neutral"}
OTHER = {"R": "B", "B": "R"}
SWAPPED = str.maketrans(OTHER)
MOVES = {a + b: (POSTS.index(a), POSTS.index(b)) for a, b in permutations(POSTS, 2)}
"""The moves: the post that the disk leaves, and the one it goes to."""

MIRRORED = {"RRB": "RBB", "NRB": "RBN", "NNB": "RNN", "BNR": "RNB"}
"""Variants that take as many moves as another variant:
played backwards, and some with colours swapped.
"""

MAX_DISKS = 64  # the most disks of a puzzle


@cache
def _totals() -> dict[str, list[int]]:
    """Moves from the start to the default goal for n = 0, 1,
    ...: OEIS A003462, A183112, A183114, A183116, A183118.
    """
    totals: dict[str, list[int]] = json.loads(
        Path(__file__).with_name("totals.json").read_text("utf-8")
    )
    return totals


@dataclass(frozen=True)
class HanoiRules:
    """The colours of the posts, such as `RNB`, and the number of disks."""

    posts: str
    n: int

    @property
    def name(self) -> str:
        """The puzzle's name."""
        return f"hanoi-{self.posts.lower()}-{self.n}"

    @property
    def shown_at_goal(self) -> str:
        """The colour of the default goal: the destination's, or the opposite of the start's."""
        opposite = "R" if self.posts[0] == "B" else "B"
        return opposite if self.posts[2] == "N" else self.posts[2]

    @cached_property
    def disks(self) -> dict[str, int]:
        """The disks by their digits."""
        return {str(disk): disk for disk in range(1, self.n + 1)}

    @property
    def start(self) -> str:
        """The state where play begins: red, unless the source takes only blue."""
        return self.tower(0, "B" if self.posts[0] == "B" else "R")

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The colours that the destination takes, the default first."""
        default = self.shown_at_goal
        totals = _totals().get(MIRRORED.get(self.posts, self.posts), [])[self.n : self.n + 1]
        published = (
            Published("OEIS (Magnetic Tower of Hanoi)", start_distance=totals[0])
            if totals
            else None
        )
        colours = default + OTHER[default] if self.posts[2] == "N" else default
        return tuple(
            Goal(
                WORDS[colour],
                (self.tower(2, colour),),
                self.start,
                published if colour == default else None,
            )
            for colour in colours
        )

    def tower(self, post: int, colour: str) -> str:
        """The state that has all disks on one post."""
        disks = colour + ".".join(str(disk) for disk in range(self.n, 0, -1))
        return "|".join(disks if at == post else "" for at in range(3))

    def takes(self, post: int, colour: str) -> bool:
        """True if a post, when it is empty, takes a disk that shows this colour."""
        return self.posts[post] in ("N", colour)

"""One puzzle of the family: the colours of its posts and the number of its disks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

POSTS = "SID"
COLOURS = "RB"
WORDS = {"R": "red", "B": "blue", "N": "neutral"}
OTHER = {"R": "B", "B": "R"}
SWAPPED = str.maketrans(OTHER)
MOVES = {a + b: (POSTS.index(a), POSTS.index(b)) for a, b in permutations(POSTS, 2)}
"""The moves: the post that the disk leaves, and the one it goes to."""

MIRRORED = {"RRB": "RBB", "NRB": "RBN", "NNB": "RNN", "BNR": "RNB"}
"""Variants that take as many moves as another one: it is played backwards, and where need be with colours swapped."""

MAX_DISKS = 64
"""The most disks of a puzzle."""


@dataclass(frozen=True)
class HanoiRules:
    """The colours of the posts, `RNB` say, and the number of disks."""

    posts: str
    n: int

    @property
    def name(self) -> str:
        """The puzzle's name."""
        return f"hanoi-{self.posts.lower()}-{self.n}"

    @property
    def shown_at_start(self) -> str:
        """Red, unless the source takes only blue."""
        return "B" if self.posts[0] == "B" else "R"

    @property
    def shown_at_goal(self) -> str:
        """The colour of the default goal: the destination's, or the other one than at the start."""
        return OTHER[self.shown_at_start] if self.posts[2] == "N" else self.posts[2]

    @cached_property
    def disks(self) -> dict[str, int]:
        """The disks by what they are called."""
        return {str(disk): disk for disk in range(1, self.n + 1)}

    @property
    def start(self) -> str:
        """The state where play begins."""
        return self.tower(0, self.shown_at_start)

    def tower(self, post: int, colour: str) -> str:
        """The state that has all disks on one post."""
        disks = colour + ".".join(str(disk) for disk in range(self.n, 0, -1))
        return "|".join(disks if at == post else "" for at in range(3))

    def takes(self, post: int, colour: str) -> bool:
        """Whether a post, when it is empty, takes a disk that shows this colour."""
        return self.posts[post] in ("N", colour)

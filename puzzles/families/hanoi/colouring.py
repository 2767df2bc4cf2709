"""One puzzle of the family: the colours of its posts, the number of its disks, and its named goals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from puzzlebase.puzzles import Goal, Published

POSTS = "SID"
COLOURS = "RB"
WORDS = {"R": "red", "B": "blue", "N": "neutral"}
OTHER = {"R": "B", "B": "R"}
SWAPPED = str.maketrans(OTHER)
MOVES = {a + b: (POSTS.index(a), POSTS.index(b)) for a, b in permutations(POSTS, 2)}
"""The moves: the post that the disk leaves, and the one it goes to."""

MIRRORED = {"RRB": "RBB", "NRB": "RBN", "NNB": "RNN", "BNR": "RNB"}
"""Variants that take as many moves as another variant: played backwards, and some with colours swapped."""

MAX_DISKS = 64  # the most disks of a puzzle

# Moves from the start to the default goal for n = 0, 1, 2, ... (OEIS A003462, A183112, A183114, A183116, A183118).
# fmt: off
_TOTALS = {
    "RBB": (
        0, 1, 4, 13, 40, 121, 364, 1093, 3280, 9841, 29524, 88573, 265720, 797161, 2391484, 7174453, 21523360,
        64570081, 193710244, 581130733, 1743392200,
    ),
    "RBN": (
        0, 1, 4, 13, 38, 113, 336, 1001, 2994, 8965, 26868, 80565, 241630, 724793, 2174232, 6522465, 19567050,
        58700621, 176101052, 528301933, 1584903926,
    ),
    "RNB": (
        0, 1, 4, 11, 32, 93, 272, 807, 2404, 7185, 21516, 64483, 193352, 579909, 1739496, 5218143, 15653900,
        46960889, 140881444, 422642459, 1267924528,
    ),
    "RNN": (
        0, 1, 4, 11, 30, 85, 244, 715, 2118, 6309, 18860, 56475, 169262, 507541, 1522244, 4566155, 13697590,
        41091429, 123272252, 369813659, 1109436254,
    ),
    "NNN": (
        0, 1, 4, 11, 30, 83, 236, 687, 2026, 6023, 17984, 53819, 161254, 483451, 1449876, 4348903, 13045602,
        39135119, 117402792, 352204467, 1056607454,
    ),
}
# fmt: on


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
        """Blue and red, the default first. A colour that the destination refuses has no states."""
        default = self.shown_at_goal
        states = {colour: (self.tower(2, colour),) if self.takes(2, colour) else () for colour in COLOURS}
        totals = _TOTALS.get(MIRRORED.get(self.posts, self.posts), ())[self.n : self.n + 1]
        published = Published("OEIS (Magnetic Tower of Hanoi)", start_distance=totals[0]) if totals else None
        return (
            Goal(WORDS[default], states[default], self.start, published),
            Goal(WORDS[OTHER[default]], states[OTHER[default]], self.start),
        )

    def tower(self, post: int, colour: str) -> str:
        """The state that has all disks on one post."""
        disks = colour + ".".join(str(disk) for disk in range(self.n, 0, -1))
        return "|".join(disks if at == post else "" for at in range(3))

    def takes(self, post: int, colour: str) -> bool:
        """True if a post, when it is empty, takes a disk that shows this colour."""
        return self.posts[post] in ("N", colour)

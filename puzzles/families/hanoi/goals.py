"""The named goals: all disks on the destination, in one colour or the other."""

from __future__ import annotations

from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MIRRORED, OTHER, WORDS, HanoiRules

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


def named_goals(rules: HanoiRules) -> tuple[Goal, ...]:
    """Blue and red, the default first. A colour that the destination refuses has no states."""
    default = rules.shown_at_goal
    states = {colour: (rules.tower(2, colour),) if rules.takes(2, colour) else () for colour in COLOURS}
    totals = _TOTALS.get(MIRRORED.get(rules.posts, rules.posts), ())[rules.n : rules.n + 1]
    published = Published("OEIS (Magnetic Tower of Hanoi)", start_distance=totals[0]) if totals else None
    return (
        Goal(WORDS[default], states[default], rules.start, published),
        Goal(WORDS[OTHER[default]], states[OTHER[default]], rules.start),
    )

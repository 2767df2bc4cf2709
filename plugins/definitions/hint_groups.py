"""Groups of moves, which a hint names before it names a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from math import isqrt

_FEW = 4  # moves, from which on a group has two at least


def hint_groups(groups: Mapping[str, str]) -> dict[str, str]:
    """Return the groups of moves, by move, so that no group gives a move away.

    Groups of one move are merged with neighbours in the list of moves; a lone one joins the group
    beside it. A group with the name of a move gets words before it.
    """
    sizes = Counter(groups.values())
    order = [*sizes]
    parts = [[group] for group in order]
    alone = [group for group in order if sizes[group] == 1 and len(groups) >= _FEW]
    if len(alone) == 1:
        at = max(order.index(alone[0]), 1)
        parts.append(order[at - 1 : at + 1])
    elif alone:
        count = len(alone) // max(2, isqrt(len(alone)))
        ends = [len(alone) * part // count for part in range(count + 1)]
        parts += [alone[start:end] for start, end in pairwise(ends)]
    names: dict[str, str] = {}
    for part in parts:
        first, last = part[0], part[-1]
        name = first if first == last else f"{first} {'or' if len(part) == 2 else 'to'} {last}"
        names |= dict.fromkeys(
            part, f"pieces of {name}" if first in groups or last in groups else name
        )
    return {move: names[group] for move, group in groups.items()}

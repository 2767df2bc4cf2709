"""All states that moves lead to from a start: a breadth-first search on keys without numbers.

Threads expand parts of a layer. Meanwhile one enters the successors in a list without repeats.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from puzzlebase.puzzles.contract.puzzle import Report
from puzzlebase.puzzles.machinery.listed import BoardList, TooManyStates
from puzzlebase.threads import in_order
from puzzlebase.tools.levels.states.packed import Keys, PackedRules, boards_of, keys_of, legal

_CHUNK = 1 << 12
"""States expanded at a time: their successors fit into a core's cache."""


def reachable(
    rules: PackedRules, threads: int, most: int | None = None, report: Report = lambda _states, _found: None
) -> Keys:
    """The keys of all states that moves lead to from the start, uint64[n, words], nearest first.

    Raises TooManyStates as soon as more than `most` have been found.
    """

    def successors(keys: Keys) -> Keys:
        after = rules.successors(keys)
        return after[legal(after)]

    found = BoardList(boards_of(rules.start[None, :])[0])
    layers, first = [1], 0
    with ThreadPoolExecutor(threads) as pool:
        while layers[-1]:
            report(layers[-1], found.count)
            last = found.count
            chunks = (np.arange(at, min(at + _CHUNK, last)) for at in range(first, last, _CHUNK))
            for after in in_order(pool, successors, (keys_of(found.boards(each)) for each in chunks), 2 * threads):
                found.enter(boards_of(after), np.ones(len(after), np.bool_))
                if most is not None and found.count > most:
                    raise TooManyStates(most, [*layers, found.count - last])
            layers.append(found.count - last)
            first = last
    return keys_of(found.boards(np.arange(found.count)))

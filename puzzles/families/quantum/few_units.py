"""Paths for boards of few units, where not every place can have room: a beam search, unit by unit.

Each step finds all boards one move away, and keeps the `width` boards nearest home. Paths are short, but not proven
shortest.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.families.quantum.graph import swap
from puzzlebase.puzzles.machinery.listed import enter

_SLOTS = 1 << 20
"""Of the hash table of boards seen: when half of them are taken, the boards are forgotten."""


@kernel
def search(units, home, neighbours, distances, codes, width, depth, path):  # type: ignore[no-untyped-def]
    """Write a path to `path` int64[depth, 4], of tile, from, to, amount; returns its length, -1 if none was found.

    A board's hash is the sum of its units' `codes`, random uint64[places, tiles].
    """
    places = len(units)
    boards, after = np.empty((width, places, places), np.int16), np.empty((width, places, places), np.int16)
    hashes, left = np.zeros(width, np.uint64), np.zeros(width, np.int64)
    parents, moves = np.empty((depth, width), np.int64), np.empty((depth, width), np.int64)
    most = width * 4 * places * places
    found, found_hash = np.empty((most, 3), np.int64), np.empty(most, np.uint64)
    seen, slots, known = np.empty((_SLOTS - 2, 1), np.uint64), np.full(_SLOTS, -1, np.int32), 0
    for place in range(places):
        for tile in range(places):
            boards[0, place, tile] = units[place, tile]
            hashes[0] += np.uint64(units[place, tile]) * codes[place, tile]
            left[0] += units[place, tile] * distances[place, tile] if tile != home else 0
    count = 1
    for step in range(depth):
        if known > _SLOTS // 2:
            slots[:] = -1
            known = 0
        total = _expand(
            boards[:count], hashes, left, home, neighbours, distances, codes, seen, slots, known, found, found_hash
        )
        known += total
        rank = found[:total, 2] * 16 + (found_hash[:total] >> np.uint64(60)).astype(np.int64)
        chosen = np.argsort(rank)[:width]
        count = len(chosen)
        for number in range(count):
            parent, move, to_go = found[chosen[number], 0], found[chosen[number], 1], found[chosen[number], 2]
            _after(boards[parent], move, home, after[number])
            parents[step, number], moves[step, number] = parent, move
            hashes[number], left[number] = found_hash[chosen[number]], to_go
        boards, after = after, boards
        if count == 0:
            return -1
        if left[0] == 0:
            number = 0
            for back in range(step, -1, -1):
                move = moves[back, number]
                path[back, 0], path[back, 1] = move // (places * places), move // places % places
                path[back, 2], path[back, 3] = move % places, 1
                number = parents[back, number]
            return step + 1
    return -1


@kernel
def _expand(boards, hashes, left, home, neighbours, distances, codes, seen, slots, known, found, found_hash):  # type: ignore[no-untyped-def]
    """Find all new boards one move away, each as former board, move, and moves to go; returns how many there are."""
    places = boards.shape[1]
    total = 0
    for board in range(len(boards)):
        for source in range(places):
            for target in neighbours[source]:
                for tile in range(places):
                    if target < 0 or tile == home or not boards[board, target, home] or not boards[board, source, tile]:
                        continue
                    code = hashes[board] + codes[target, tile] - codes[source, tile]
                    code += codes[source, home] - codes[target, home]
                    if known + total == len(seen) or enter((code,), seen, slots, known + total) < known + total:
                        continue
                    found[total, 0], found[total, 1] = board, (tile * places + source) * places + target
                    found[total, 2] = left[board] + distances[target, tile] - distances[source, tile]
                    found_hash[total] = code
                    total += 1
    return total


@kernel
def _after(board, move, home, after):  # type: ignore[no-untyped-def]
    """Write the board after a move. Loops copy it: numba takes seconds to compile `after[:] = board`."""
    places = len(board)
    tile, source, target = move // (places * places), move // places % places, move % places
    for place in range(places):
        for other in range(places):
            after[place, other] = board[place, other]
    swap(after, home, tile, source, target, 1)

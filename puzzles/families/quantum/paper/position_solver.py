"""The paper's position solver: it gathers one tile after another at home, and locks what is solved.

Where there is too little space for a move, space is brought there first, not through locked positions and not by moving
the tile that is being gathered. When nothing can be moved any more, 30 random moves are made and it tries again.
"""

from __future__ import annotations

import numpy as np

from puzzlebase.kernels import kernel

_RANDOM_MOVES = 30


@kernel
def gather(units, home, neighbours, distances, tiles, visit, attempts, seed):  # type: ignore[no-untyped-def]
    """Gather these tiles in turn; changes `units`. Gives the units moved, and the number of tiles gathered.

    Positions and tiles are looked at in the order of `visit`. After `attempts` times 30 random moves for one tile it is
    stuck for good.
    """
    places = units.shape[0]
    locked = np.zeros(places, np.bool_)
    state, moved = np.array([seed], np.uint64), np.zeros(1, np.int64)
    for number in range(len(tiles)):
        tile = tiles[number]
        whole, failed = units[:, tile].sum(), 0
        while units[tile, tile] < whole:
            progress = False
            for place in visit:
                if place != tile and not locked[place] and units[place, tile] > 0:
                    progress |= _step(units, home, neighbours, distances, locked, visit, tile, place, moved)
            if progress:
                continue
            if failed == attempts:
                return moved[0], number
            failed += 1
            for _ in range(_RANDOM_MOVES):
                _random_move(units, home, neighbours, locked, state, moved)
        locked[tile] = True
    return moved[0], len(tiles)


@kernel
def _move(units, home, tile, source, target, amount, moved):  # type: ignore[no-untyped-def]
    units[source, tile] -= amount
    units[target, tile] += amount
    units[target, home] -= amount
    units[source, home] += amount
    moved[0] += amount


@kernel
def _step(units, home, neighbours, distances, locked, visit, tile, place, moved):  # type: ignore[no-untyped-def]
    """Move all units that a place holds of a tile one step nearer home; whether there came to be space enough."""
    amount, best = units[place, tile], -1
    for other in neighbours[place]:
        if other < 0 or locked[other] or distances[other, tile] > distances[place, tile]:
            continue
        if best < 0 or units[other, home] > units[best, home]:
            best = other
    if best < 0 or not _bring_space(units, home, neighbours, distances, locked, visit, tile, best, amount, moved):
        return False
    _move(units, home, tile, place, best, amount, moved)
    return True


@kernel
def _bring_space(units, home, neighbours, distances, locked, visit, tile, target, amount, moved):  # type: ignore[no-untyped-def]
    """Bring space to a place until it has so much; whether it has."""
    while units[target, home] < amount:
        before = moved[0]
        for place in visit:
            if place == target or locked[place]:
                continue
            for step in neighbours[place]:
                if step < 0 or locked[step] or distances[step, target] >= distances[place, target]:
                    continue
                for other in visit:
                    most = min(units[place, home], units[step, other], amount - units[target, home])
                    if other not in (home, tile) and most > 0:
                        _move(units, home, other, step, place, most, moved)
        if moved[0] == before:
            return False
    return True


@kernel
def _random_move(units, home, neighbours, locked, state, moved):  # type: ignore[no-untyped-def]
    """Move as many units as can be of a random tile between random places that are adjacent and not locked."""
    places = np.uint64(units.shape[0])
    chosen = np.zeros(3, np.int64)
    for _ in range(1000):
        for number, most in enumerate((places, np.uint64(neighbours.shape[1]), places)):
            state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            chosen[number] = np.int64((state[0] >> np.uint64(33)) % most)
        source, target, tile = chosen[0], neighbours[chosen[0], chosen[1]], chosen[2]
        if target < 0 or locked[source] or locked[target] or tile == home:
            continue
        amount = min(units[source, tile], units[target, home])
        if amount > 0:
            _move(units, home, tile, source, target, amount, moved)
            return


@kernel
def distribute(units, home, neighbours, distances):  # type: ignore[no-untyped-def]
    """Spread the space evenly, each time from the nearest place with more than its part; gives the units moved."""
    places = units.shape[0]
    part, moved = units[:, home].sum() // places, np.zeros(1, np.int64)
    for target in range(places):
        while units[target, home] < part:
            source = -1
            for place in range(places):
                nearer = source < 0 or distances[place, target] < distances[source, target]
                if units[place, home] > part and nearer:
                    source = place
            amount = min(units[source, home] - part, part - units[target, home])
            while source != target and amount > 0:
                step = -1
                for other in neighbours[source]:
                    if other >= 0 and distances[other, target] < distances[source, target] and step < 0:
                        step = other
                amount = _pass_on(units, home, source, step, amount, moved)
                source = step
    return moved[0]


@kernel
def _pass_on(units, home, source, target, amount, moved):  # type: ignore[no-untyped-def]
    """Move space to an adjacent place, so much of it as tiles there can make way for; how much."""
    left = amount
    for tile in range(units.shape[0]):
        most = min(left, units[target, tile])
        if tile != home and most > 0:
            _move(units, home, tile, target, source, most, moved)
            left -= most
    return amount - left

"""Paths by carrying units home along shortest paths: once every place has room, no unit makes a detour.

`_spread` gives each place room, and `_fetch_keys` fetches the keys: only these two may cost more moves than the bound.
`_level` brings units nearer home where that evens out the room. `_carry_home` does the rest. docs/quantum.md proves
that `_carry_home` never gets stuck if there is room enough.

Glossary
    units       int64[places, tiles]: the units of each tile in each place. The column of the space's home is the space;
                the space in a place is its room.
    carry       take units of a tile along a shortest path. They take up room in the last place, and leave as much in
                the first. The places between have the same room afterwards as before.
    link        q -> p if units of tile q are in place p. When these are carried home, room walks from q to p.
    cycle       links that lead back to their beginning. When all their units are carried home, the room is back too.
    key         a unit of tile q in the space's home, held back for each place q that paths need. The keys are carried
                last, the farthest first, so that the nearer places have room until then.
    held        int64[places, tiles]: the units held back, which are keys or become keys.
    path, made  the moves made, int64[moves, 4]: tile, from, to, amount; made[0] counts them, and made[1] is 1 if the
                path was too short for all moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph, swap

_PLENTY = 1 << 40
_NONE: Any = np.int64(-1)  # not a literal: numba would compile the kernels that take it once more
_ONE: Any = np.int64(1)
_TWO: Any = np.int64(2)


def carry_all(units: Ints, graph: PositionGraph, noise: Ints, slack: int, least: int, path: Ints, made: Ints) -> bool:
    """Bring all units home; true if that was possible. Changes `units`; the moves are path[: made[0]].

    `noise` int64[tries, places, places, tiles] chooses among paths of one cost on which room spreads. `slack` is the
    room that each place gets, `least` the smallest amount that `_level` moves.
    """
    home, neighbours, distances, bypassed = graph.home, graph.neighbours, graph.distances, graph.bypassed
    places, whole = len(units), int(units[0].sum())
    width, previous, key_from = (np.empty(places, np.int64) for _ in range(3))
    held = np.zeros((places, places), np.int64)
    needs = np.where((neighbours[:, 0] < 0) | (bypassed & (units.diagonal() == whole)), 0, slack)
    return bool(
        _give_room(units, home, neighbours, distances, bypassed, noise, needs, held, key_from, path, made)
        and _fetch_keys(units, home, neighbours, distances, held, key_from, previous, width, path, made)
        and _level(units, home, neighbours, distances, held, least, path, made)
        and _carry_home(
            units, home, neighbours, distances, bypassed, whole // places, held, previous, width, path, made
        )
        and _carry_keys(units, home, neighbours, distances, width, path, made)
    )


@kernel
def _give_room(units, home, neighbours, distances, bypassed, noise, needs, held, key_from, path, made):  # type: ignore[no-untyped-def]
    """Spread room, with the keys, as the cheapest `noise` makes it; true if there is room enough.

    Loops copy and fill arrays: numba takes 8 seconds to compile `units[:] = start`.
    """
    places = units.shape[0]
    start, cheapest, chosen = units.copy(), _PLENTY, 0
    for attempt in range(noise.shape[0] + 1):
        number = attempt if attempt < noise.shape[0] else chosen
        for p in range(places):
            for tile in range(places):
                units[p, tile] = start[p, tile]
        made[0] = made[1] = 0
        if not _spread(units, home, neighbours, distances, needs, noise[number], path, made):
            return False
        cost = _find_keys(units, home, distances, bypassed, needs, held, key_from)
        for move in range(made[0]):
            tile, source, target = path[move, 0], path[move, 1], path[move, 2]
            cost += path[move, 3] * (1 + distances[target, tile] - distances[source, tile])
        if cost < cheapest:
            cheapest, chosen = cost, number
        if cheapest == 0:
            break
    return True


@kernel
def _move(units, home, tile, source, target, amount, path, made):  # type: ignore[no-untyped-def]
    """Move units to an adjacent place. After a move of the tile between the same places, this changes that one."""
    swap(units, home, tile, source, target, amount)
    last = made[0] - 1
    if last >= 0 and path[last, 0] == tile:
        if path[last, 1] == source and path[last, 2] == target:
            path[last, 3] += amount
            return
        if path[last, 1] == target and path[last, 2] == source:
            path[last, 3] -= amount
            if path[last, 3] < 0:
                path[last, 1], path[last, 2], path[last, 3] = source, target, -path[last, 3]
            if path[last, 3] == 0:
                made[0] = last
            return
    if made[0] == path.shape[0]:
        made[1] = 1
        return
    path[made[0], 0], path[made[0], 1], path[made[0], 2], path[made[0], 3] = tile, source, target, amount
    made[0] += 1


@kernel
def _widths(units, home, neighbours, distances, source, target, width):  # type: ignore[no-untyped-def]
    """Find, for each place on shortest paths to the target, the room of the narrowest place on the widest path."""
    for place in range(units.shape[0]):
        width[place] = 0
    width[target] = _PLENTY
    length = distances[source, target]
    for far in range(1, length + 1):
        for place in range(units.shape[0]):
            if distances[place, target] != far or distances[source, place] != length - far:
                continue
            for number in range(neighbours.shape[1]):
                other = neighbours[place, number]
                if other >= 0 and distances[other, target] == far - 1:
                    slack = _PLENTY if other == target else units[other, home]
                    width[place] = max(width[place], min(width[other], slack))
    return width[source]


@kernel
def _carry(units, home, neighbours, distances, tile, source, target, amount, width, path, made):  # type: ignore[no-untyped-def]
    """Carry units of a tile, as many at a time as there is room for; true if all could be carried."""
    left = amount
    while left > 0:
        portion = min(_widths(units, home, neighbours, distances, source, target, width), units[target, home], left)
        if portion <= 0:
            return False
        place = source
        while place != target:
            best, widest = _NONE, _NONE
            for number in range(neighbours.shape[1]):
                other = neighbours[place, number]
                if other >= 0 and distances[other, target] == distances[place, target] - 1:
                    slack = _PLENTY if other == target else min(width[other], units[other, home])
                    if slack > widest:
                        best, widest = other, slack
            _move(units, home, tile, place, best, portion, path, made)
            place = best
        left -= portion
    return True


@kernel
def _spread(units, home, neighbours, distances, needs, noise, path, made):  # type: ignore[no-untyped-def]
    """Give each place the room it needs, by the cheapest paths from places that have more; true if there is enough.

    Room goes to an adjacent place when units come back. That is free if they come nearer home, and else costs two
    moves: this one and another that makes up for it.
    """
    places = units.shape[0]
    cost, previous = np.empty(places, np.int64), np.empty(places, np.int64)
    tiles, back = np.empty(places, np.int64), np.empty(places, np.int64)
    while True:
        lacking = 0
        for place in range(places):
            lacking += units[place, home] < needs[place]
        if lacking == 0:
            return True
        target = _room_path(units, home, neighbours, distances, needs, noise, cost, previous, tiles)
        if target < 0:
            return False
        steps, place = 0, target
        amount = needs[target] - units[target, home]
        while previous[place] >= 0:
            amount = min(amount, units[place, tiles[place]])
            back[steps] = place
            steps, place = steps + 1, previous[place]
        amount = min(amount, units[place, home] - needs[place])
        for step in range(steps - 1, -1, -1):
            place = back[step]
            _move(units, home, tiles[place], place, previous[place], amount, path, made)


@kernel
def _room_path(units, home, neighbours, distances, needs, noise, cost, previous, tiles):  # type: ignore[no-untyped-def]
    """Find the place lacking room with the cheapest path from a place with more, -1 if there is none (Dijkstra).

    `previous` leads back, and units of `tiles` make way on each step.
    """
    places = units.shape[0]
    known = np.zeros(places, np.bool_)
    for place in range(places):
        previous[place] = -1
        cost[place] = 0 if units[place, home] > needs[place] else _PLENTY
    while True:
        place = -1
        for other in range(places):
            if not known[other] and cost[other] < _PLENTY and (place < 0 or cost[other] < cost[place]):
                place = other
        if place < 0 or units[place, home] < needs[place]:
            return place
        known[place] = True
        for number in range(neighbours.shape[1]):
            other = neighbours[place, number]
            for tile in range(places):
                if other < 0 or tile == home or units[other, tile] == 0:
                    continue
                detour = 1 + distances[place, tile] - distances[other, tile]
                total = cost[place] + 1000 * detour + 16 + noise[place, other, tile]
                if total < cost[other]:
                    cost[other], previous[other], tiles[other] = total, place, tile


@kernel
def _find_keys(units, home, distances, bypassed, needs, held, key_from):  # type: ignore[no-untyped-def]
    """Hold back a key for each place that paths need; returns the moves. `key_from` is -1 for a key in place."""
    cost = np.int64(0)
    for q in range(units.shape[0]):
        for p in range(units.shape[0]):
            held[p, q] = 0
    for q in range(units.shape[0]):
        key_from[q] = -1
        if q == home or bypassed[q] or needs[q] == 0:
            continue
        if units[home, q] > 0:
            held[home, q] = 1
            continue
        cheapest = _PLENTY
        for p in range(units.shape[0]):
            if p != home and units[p, q] > 0:
                detour = distances[p, home] + distances[home, q] - distances[p, q]
                if detour < cheapest:
                    cheapest, key_from[q] = detour, p
        held[key_from[q], q] = 1
        cost += cheapest
    return cost


@kernel
def _fetch_keys(units, home, neighbours, distances, held, key_from, previous, width, path, made):  # type: ignore[no-untyped-def]
    """Carry the missing keys to the space's home, after making room for them; true if that was possible."""
    places = units.shape[0]
    missing = 0
    for q in range(places):
        missing += key_from[q] >= 0
    every = np.ones(places, np.bool_)
    while units[home, home] < 1 + missing:
        if not _walk_home(units, home, neighbours, distances, every, _TWO, held, previous, width, path, made):
            return False
    for q in range(places):
        if key_from[q] >= 0:
            if not _carry(units, home, neighbours, distances, q, key_from[q], home, _ONE, width, path, made):
                return False
            held[key_from[q], q] = 0
            held[home, q] = 1
    return True


@kernel
def _links(units, home, held, start, end, previous):  # type: ignore[no-untyped-def]
    """True if links lead from start to end; a cycle if these are equal. `previous` leads back along the fewest links.

    Links to the space's home count only if that is the end.
    """
    places = units.shape[0]
    queue = np.empty(places + 1, np.int64)
    for place in range(places):
        previous[place] = -1
    queue[0] = start
    first, last = 0, 1
    while first < last:
        q = queue[first]
        first += 1
        if q == home:
            continue
        for p in range(places):
            if units[p, q] <= held[p, q] or p == q or (p == home and end != home):
                continue
            if p == end:
                previous[p] = q
                return True
            if previous[p] < 0 and p != start:
                previous[p] = q
                queue[last] = p
                last += 1
    return False


@kernel
def _walk(units, home, neighbours, distances, previous, start, end, amount, width, path, made):  # type: ignore[no-untyped-def]
    """Let room walk along the links from start to end: the units of each are carried home."""
    places = units.shape[0]
    back = np.empty(places + 2, np.int64)
    back[0], back[1], steps = end, previous[end], 1
    while back[steps] != start:
        back[steps + 1] = previous[back[steps]]
        steps += 1
    for step in range(steps, 0, -1):
        q, p = back[step], back[step - 1]
        if not _carry(units, home, neighbours, distances, q, p, q, amount, width, path, made):
            return False
    return True


@kernel
def _level(units, home, neighbours, distances, held, least, path, made):  # type: ignore[no-untyped-def]
    """Bring units nearer home where there is more room, in amounts of half the difference; always true."""
    places = units.shape[0]
    while True:
        best, tile_moved, source, target = least - 1, _NONE, _NONE, _NONE
        for p in range(places):
            for number in range(neighbours.shape[1]):
                q = neighbours[p, number]
                if q < 0:
                    break
                slack = min((units[q, home] - units[p, home] + 1) // 2, units[q, home] - 1)
                if slack <= best:
                    continue
                for tile in range(places):
                    amount = min(slack, units[p, tile] - held[p, tile])
                    if tile != home and amount > best and distances[q, tile] < distances[p, tile]:
                        best, tile_moved, source, target = amount, tile, p, q
        if tile_moved < 0:
            return True
        _move(units, home, tile_moved, source, target, best, path, made)


@kernel
def _carry_home(units, home, neighbours, distances, bypassed, even, held, previous, width, path, made):  # type: ignore[no-untyped-def]
    """Carry all units to their home or the space's. Each place that paths need keeps a unit of room."""
    while _any_elsewhere(units, home):
        amount, q, p = _inner_link(units, home, neighbours, distances, bypassed, even, width)
        if amount == 0:
            amount, q = _cycle(units, home, neighbours, distances, bypassed, held, previous, width)
            p = q
        if amount == 0:
            amount, q, p = _outer_link(units, home, bypassed, held)
        if amount == 0:
            if not _walk_home(units, home, neighbours, distances, bypassed, _ONE, held, previous, width, path, made):
                return False
        elif p == q:
            if not _go_round(units, home, neighbours, distances, held, previous, q, amount, width, path, made):
                return False
        elif not _carry(units, home, neighbours, distances, q, p, q, amount, width, path, made):
            return False
    return True


@kernel
def _carry_keys(units, home, neighbours, distances, width, path, made):  # type: ignore[no-untyped-def]
    """Carry home all that lies in the space's home, to the farthest places first."""
    for far in range(units.shape[0], 0, -1):
        for q in range(units.shape[0]):
            if distances[home, q] != far:
                continue
            if not _carry(units, home, neighbours, distances, q, home, q, units[q, home], width, path, made):
                return False
    return True


@kernel
def _go_round(units, home, neighbours, distances, held, previous, start, amount, width, path, made):  # type: ignore[no-untyped-def]
    """Let room walk round a cycle as long as each of its links has the amount."""
    while True:
        place = start
        while True:
            link, place = place, previous[place]
            if units[link, place] - held[link, place] < amount:
                return True
            if place == start:
                break
        if not _walk(units, home, neighbours, distances, previous, start, start, amount, width, path, made):
            return False


@kernel
def _walk_home(units, home, neighbours, distances, chosen, least, held, previous, width, path, made):  # type: ignore[no-untyped-def]
    """Let a unit of room walk to the space's home, from the first chosen place with enough; true if it could."""
    for q in range(units.shape[0]):
        if q != home and chosen[q] and units[q, home] >= least and _links(units, home, held, q, home, previous):
            return _walk(units, home, neighbours, distances, previous, q, home, _ONE, width, path, made)
    return False


@kernel
def _any_elsewhere(units, home):  # type: ignore[no-untyped-def]
    """True if units are neither at home nor in the space's home."""
    for q in range(units.shape[0]):
        for p in range(units.shape[0]):
            if q != home and p not in (q, home) and units[p, q] > 0:
                return True
    return False


@kernel
def _inner_link(units, home, neighbours, distances, bypassed, even, width):  # type: ignore[no-untyped-def]
    """Find the link q -> p, not to the space's home, that carries most at a time; returns its whole amount, q, p.

    A place keeps the room for its units in the space's home. For paths it keeps half of its room, and at most `even`.
    """
    widest, amount, first, second = 0, 0, -1, -1
    for q in range(units.shape[0]):
        if q == home:
            continue
        least = 1 if bypassed[q] else max(1, min(even, units[q, home] // 2))
        spare = units[q, home] - max(least, units[home, q])
        for p in range(units.shape[0]):
            most = min(spare, units[p, q])
            if p not in (q, home) and most > widest:
                portion = min(most, _widths(units, home, neighbours, distances, p, q, width))
                if portion > widest:
                    widest, amount, first, second = portion, most, q, p
    return amount, first, second


@kernel
def _cycle(units, home, neighbours, distances, bypassed, held, previous, width):  # type: ignore[no-untyped-def]
    """Find the cycle that the most room can walk round: returns the amount and a start; `previous` leads round.

    It begins where there is room to spare. If there is no such place, a place's last unit of room walks. The paths of
    its cycle may then not pass that place.
    """
    for last_unit in (False, True):
        most, start = 0, _NONE
        for q in range(units.shape[0]):
            if q == home or units[q, home] < 1 or (units[q, home] == 1) != last_unit:
                continue
            if not _links(units, home, held, q, q, previous):
                continue
            amount = 1 if last_unit else units[q, home] - 1 if bypassed[q] else units[q, home] // 2
            possible = True
            walks, place = amount, q
            units[q, home] -= walks  # the paths may not use the room that walks
            while True:
                link, place = place, previous[place]
                amount = min(amount, units[link, place] - held[link, place])
                if q not in (link, place):
                    possible &= _widths(units, home, neighbours, distances, link, place, width) > 0
                if place == q:
                    break
            units[q, home] += walks
            if possible and amount > most:
                most, start = amount, q
        if most > 0:
            _links(units, home, held, start, start, previous)
            return most, start
    return 0, -1


@kernel
def _outer_link(units, home, bypassed, held):  # type: ignore[no-untyped-def]
    """Find the link q -> p with the most to carry, from a place with more room than paths need: amount, q, p.

    No cycles are left, so room walks on. It goes to the space's home only if it can go nowhere else.
    """
    amount, first, second = 0, -1, -1
    for to_home in (False, True):
        for q in range(units.shape[0]):
            if q == home or units[q, home] < 2:
                continue
            spare = units[q, home] - 1 if bypassed[q] else units[q, home] // 2
            for p in range(units.shape[0]):
                most = min(spare, units[p, q] - held[p, q])
                if p != q and (p == home) == to_home and most > amount:
                    amount, first, second = most, q, p
        if amount > 0:
            break
    return amount, first, second

"""Paths by carrying units home along shortest paths:
once every place has room, no unit makes a detour.

`_spread` gives each place room, and `_fetch_keys` fetches the keys: only these two may cost more
moves than the bound. `_level` brings units nearer home where that evens out the room.
`_carry_links` does the rest. README.md proves that it never gets stuck if there is room enough.

Glossary
    units       int64[places, tiles]: the units of each tile in each place. The column of the
                space's home is the space; the space in a place is its room.
    carry       take units of a tile along a shortest path. They take up room in the last place, and
                leave as much in the first. The places between have the same room afterwards as
                before.
    link        q -> p if units of tile q are in place p. When these are carried home, room walks
                from q to p.
    cycle       links that lead back to their beginning. When all their units are carried home, the
                room is back too.
    key         a unit of tile q in the space's home, held back for each place q that paths need.
                The keys are carried last, the farthest first, so that the nearer places have room
                until then.
    held        int64[places, tiles]: the units held back, which are keys or become keys.
    path, made  the moves made, int64[moves, 4]: tile, from, to, amount; made[0] counts them, and
                made[1] is 1 if the path was too short for all moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph
from puzzlebase.puzzles.families.quantum.swaps import swap_units

# moves that a construction may make beside twice those that any path needs
_MOST_TO_SPREAD = 1 << 16

_PLENTY = 1 << 40
_LEVELLED = 60  # the part of a tile that is the least amount to level room with
_NONE: Any = np.int64(-1)  # not a literal: numba would compile the kernels that take it once more
_ONE: Any = np.int64(1)
_TWO: Any = np.int64(2)


class Carrying(NamedTuple):
    """A board whose units are carried, as in the glossary;
    `width` and `previous` are memory for its kernels.
    """

    units: Ints
    home: int
    neighbours: Ints
    distances: Ints
    bypassed: npt.NDArray[np.bool_]
    held: Ints
    width: Ints
    previous: Ints
    path: Ints
    made: Ints


def carry_home(graph: PositionGraph, begin: Ints) -> Ints | None:
    """Carry all units of a board home: int64[moves, 4] of tile, from, to, amount;
    None if there is too little room.
    """
    units, places, whole = begin.copy(), len(begin), int(begin[0].sum())
    width, previous = np.empty((2, places), np.int64)
    most = 2 * graph.distance_home(units) + _MOST_TO_SPREAD
    board = Carrying(
        units,
        *graph.tables,
        graph.bypassed,
        np.zeros_like(units),
        width,
        previous,
        np.empty((most, 4), np.int64),
        np.zeros(2, np.int64),
    )
    needs = np.where(
        (graph.neighbours[:, 0] < 0) | (graph.bypassed & (units.diagonal() == whole)), 0, 1
    )
    solved = (
        _spread(board, needs)
        and _fetch_keys(board, needs)
        and _level(board, max(1, whole // _LEVELLED))
        and _carry_links(board)
        and _carry_keys(board)
        and (units.diagonal() == whole).all()
    )
    count, cut = board.made
    return board.path[:count].copy() if solved and not cut else None


@kernel
def _move(board, tile, source, target, amount):  # type: ignore[no-untyped-def]
    """Move units to an adjacent place.
    After a move of the tile between the same places, this changes that one.
    """
    path, made = board.path, board.made
    swap_units(board.units, board.home, tile, source, target, amount)
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
    if made[0] == len(path):
        made[1] = 1
        return
    path[made[0]] = tile, source, target, amount
    made[0] += 1


@kernel
def _widths(board, source, target):  # type: ignore[no-untyped-def]
    """Find, for each place on shortest paths to the target,
    the room of the narrowest place on the widest path.
    """
    units, neighbours, distances, width = (
        board.units,
        board.neighbours,
        board.distances,
        board.width,
    )
    for place in range(len(units)):
        width[place] = 0
    width[target] = _PLENTY
    length = distances[source, target]
    for far in range(1, length + 1):
        for place in range(len(units)):
            if distances[place, target] != far or distances[source, place] != length - far:
                continue
            for number in range(neighbours.shape[1]):
                other = neighbours[place, number]
                if other >= 0 and distances[other, target] == far - 1:
                    slack = _PLENTY if other == target else units[other, board.home]
                    width[place] = max(width[place], min(width[other], slack))
    return width[source]


@kernel
def _carry(board, tile, source, target, amount):  # type: ignore[no-untyped-def]
    """Carry units of a tile, as many at a time as there is room for;
    true if all could be carried.
    """
    units, home, neighbours, distances = board.units, board.home, board.neighbours, board.distances
    left = amount
    while left > 0:
        portion = min(_widths(board, source, target), units[target, home], left)
        if portion <= 0:
            return False
        place = source
        while place != target:
            best, widest = _NONE, _NONE
            for number in range(neighbours.shape[1]):
                other = neighbours[place, number]
                if other >= 0 and distances[other, target] == distances[place, target] - 1:
                    slack = (
                        _PLENTY if other == target else min(board.width[other], units[other, home])
                    )
                    if slack > widest:
                        best, widest = other, slack
            _move(board, tile, place, best, portion)
            place = best
        left -= portion
    return True


@kernel
def _spread(board, needs):  # type: ignore[no-untyped-def]
    """Give each place the room it needs,
    by the cheapest paths from places that have more; true if there is enough.

    Room goes to an adjacent place when units come back. That is free if they come nearer home, and
    else costs two moves: this one and another that makes up for it.
    """
    units, home, previous = board.units, board.home, board.previous
    places = len(units)
    tiles, back = np.empty(places, np.int64), np.empty(places, np.int64)
    while True:
        lacking = 0
        for place in range(places):
            lacking += units[place, home] < needs[place]
        if lacking == 0:
            return True
        target = _room_path(board, needs, tiles)
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
            _move(board, tiles[place], place, previous[place], amount)


@kernel
def _room_path(board, needs, tiles):  # type: ignore[no-untyped-def]
    """Find the place lacking room with the cheapest path from a place with more,
    -1 if there is none (Dijkstra).

    `previous` leads back, and units of `tiles` make way on each step.
    """
    units, home, neighbours, distances = board.units, board.home, board.neighbours, board.distances
    places, cost, previous = len(units), board.width, board.previous
    known = np.zeros(places, np.bool_)
    for place in range(places):
        previous[place] = -1
        cost[place] = 0 if units[place, home] > needs[place] else _PLENTY
    while True:
        place = -1
        for other in range(places):
            if (
                not known[other]
                and cost[other] < _PLENTY
                and (place < 0 or cost[other] < cost[place])
            ):
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
                # of paths with equal detours the one with the fewest steps
                total = cost[place] + 1000 * detour + 1
                if total < cost[other]:
                    cost[other], previous[other], tiles[other] = total, place, tile


@kernel
def _fetch_keys(board, needs):  # type: ignore[no-untyped-def]
    """Hold back a key for each place that paths need,
    and carry the missing ones to the space's home; true if possible.

    The space's home gets room for these first.
    """
    units, home, held = board.units, board.home, board.held
    places = len(units)
    key_from = np.full(places, -1)
    for q in range(places):
        if q != home and not board.bypassed[q] and needs[q] > 0:
            place = _nearest_key(board, q)
            held[place, q] = 1
            key_from[q] = place if place != home else -1
    every = np.ones(places, np.bool_)
    while units[home, home] < 1 + (key_from >= 0).sum():
        if not _walk_home(board, every, _TWO):
            return False
    for q in range(places):
        if key_from[q] >= 0:
            if not _carry(board, q, key_from[q], home, _ONE):
                return False
            held[key_from[q], q] = 0
            held[home, q] = 1
    return True


@kernel
def _nearest_key(board, q):  # type: ignore[no-untyped-def]
    """Find the place with units of a tile that has the shortest detour by the space's home,
    which has none itself.
    """
    units, home, distances = board.units, board.home, board.distances
    shortest, nearest = _PLENTY, _NONE
    for p in range(len(units)):
        detour = distances[p, home] + distances[home, q] - distances[p, q]
        if units[p, q] > 0 and detour < shortest:
            shortest, nearest = detour, p
    return home if units[home, q] > 0 else nearest


@kernel
def _links(board, start, end):  # type: ignore[no-untyped-def]
    """True if links lead from start to end; a cycle if these are equal.
    `previous` leads back along the fewest links.

    Links to the space's home count only if that is the end.
    """
    units, home, previous = board.units, board.home, board.previous
    places = len(units)
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
            if units[p, q] <= board.held[p, q] or p == q or (p == home and end != home):
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
def _walk(board, start, end, amount):  # type: ignore[no-untyped-def]
    """Let room walk along the links from start to end: the units of each are carried home."""
    previous = board.previous
    places = len(board.units)
    back = np.empty(places + 2, np.int64)
    back[0], back[1], steps = end, previous[end], 1
    while back[steps] != start:
        back[steps + 1] = previous[back[steps]]
        steps += 1
    for step in range(steps, 0, -1):
        q, p = back[step], back[step - 1]
        if not _carry(board, q, p, q, amount):
            return False
    return True


@kernel
def _level(board, least):  # type: ignore[no-untyped-def]
    """Bring units nearer home where there is more room,
    half the difference or `least` at a time; always true.
    """
    units, home, neighbours, distances = board.units, board.home, board.neighbours, board.distances
    places = len(units)
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
                    amount = min(slack, units[p, tile] - board.held[p, tile])
                    if tile != home and amount > best and distances[q, tile] < distances[p, tile]:
                        best, tile_moved, source, target = amount, tile, p, q
        if tile_moved < 0:
            return True
        _move(board, tile_moved, source, target, best)


@kernel
def _carry_links(board):  # type: ignore[no-untyped-def]
    """Carry units to their homes as long as possible.
    Each place that paths need keeps a unit of room.
    """
    while True:
        amount, q, p = _link(board)
        if amount > 0:
            if not _carry(board, q, p, q, amount):
                return False
            continue
        q = _cycle(board)
        if q >= 0:
            if not _walk(board, q, q, _ONE):
                return False
        elif not _walk_home(board, board.bypassed, _ONE):
            return True


@kernel
def _carry_keys(board):  # type: ignore[no-untyped-def]
    """Carry home all that lies in the space's home, to the farthest places first."""
    units, home = board.units, board.home
    for far in range(len(units), 0, -1):
        for q in range(len(units)):
            if board.distances[home, q] != far:
                continue
            if not _carry(board, q, home, q, units[q, home]):
                return False
    return True


@kernel
def _walk_home(board, chosen, least):  # type: ignore[no-untyped-def]
    """Let a unit of room walk to the space's home,
    from the first chosen place with enough; true if it could.
    """
    units, home = board.units, board.home
    for q in range(len(units)):
        if q != home and chosen[q] and units[q, home] >= least and _links(board, q, home):
            return _walk(board, q, home, _ONE)
    return False


@kernel
def _cycle(board):  # type: ignore[no-untyped-def]
    """Find a place whose last unit of room can walk round a cycle,
    -1 if there is none; `previous` leads round.

    The paths of the cycle may not pass that place.
    """
    units, home = board.units, board.home
    for q in range(len(units)):
        if q == home or units[q, home] != 1 or not _links(board, q, q):
            continue
        possible, place = True, q
        units[q, home] = 0  # the paths may not use the room that walks
        while True:
            link, place = place, board.previous[place]
            if q not in (link, place):
                possible &= _widths(board, link, place) > 0
            if place == q:
                break
        units[q, home] = 1
        if possible:
            return q
    return _NONE


@kernel
def _link(board):  # type: ignore[no-untyped-def]
    """Find the link q -> p with the most to carry,
    from a place with more room than paths need: amount, q, p.

    Room goes to the space's home only if it can go nowhere else: it stays there.
    """
    units, home = board.units, board.home
    amount, first, second = 0, -1, -1
    for to_home in (False, True):
        for q in range(len(units)):
            if q == home or units[q, home] < 2:
                continue
            spare = units[q, home] - 1 if board.bypassed[q] else units[q, home] // 2
            for p in range(len(units)):
                most = min(spare, units[p, q] - board.held[p, q])
                if p != q and (p == home) == to_home and most > amount:
                    amount, first, second = most, q, p
        if amount > 0:
            break
    return amount, first, second

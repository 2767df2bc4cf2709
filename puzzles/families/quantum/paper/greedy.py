"""The paper's search by one measure: always the best move, none taken back, until one of three rules stops it."""

from __future__ import annotations

from puzzlebase.kernels import kernel

_SINGLES = 25
_IDLE = 1000


@kernel
def improve(units, home, neighbours, counted, order, whole):  # type: ignore[no-untyped-def]
    """Make the move that lowers the measure most until the search stops; changes `units` and gives the units moved.

    `counted` int64[places, tiles] is what a unit counts, less is better. A move brings as many units as it can if that
    lowers the measure, or, with `whole`, leaves it as it is; else it brings one. Of equally good moves the least
    `order`, int64[places, neighbours, tiles], counts. The search stops, as the paper says, after a move that undoes the
    one before, before a second move in a row of as many units of a tile from the same place, and after 25 moves of one
    unit in a row; and, since with `whole` it may go round without end, after a thousand that do not lower the measure.
    """
    moved, singles, idle = 0, 0, 0
    last_tile, last_source, last_target, last_amount = -1, -1, -1, -1
    while True:
        best, tile, source, target, amount = _best_move(units, home, neighbours, counted, order, whole)
        if amount == 0:
            return moved
        undone = (tile, source, target, amount) == (last_tile, last_target, last_source, last_amount)
        if (tile, source, amount) == (last_tile, last_source, last_amount):
            return moved
        units[source, tile] -= amount
        units[target, tile] += amount
        units[target, home] -= amount
        units[source, home] += amount
        moved += amount
        singles = singles + 1 if amount == 1 else 0
        idle = idle + 1 if best <= 0 else 0
        if undone or singles == _SINGLES or idle == _IDLE:
            return moved
        last_tile, last_source, last_target, last_amount = tile, source, target, amount


@kernel
def _best_move(units, home, neighbours, counted, order, whole):  # type: ignore[no-untyped-def]
    """By how much the best move lowers the measure; its tile, from, to and amount, 0 where there is no move."""
    places = units.shape[0]
    best, rank, tile, source, target, amount = 0, -1, -1, -1, -1, 0
    for p in range(places):
        for number in range(neighbours.shape[1]):
            q = neighbours[p, number]
            for t in range(places):
                most = min(units[p, t], units[q, home]) if q >= 0 and t != home else 0
                if most == 0:
                    continue
                gain = counted[p, t] - counted[q, t]
                most = most if gain > 0 or (gain == 0 and whole) else 1
                better = gain * most - best if rank >= 0 else 1
                if better > 0 or (better == 0 and order[p, number, t] < rank):
                    best, rank, tile, source, target, amount = gain * most, order[p, number, t], t, p, q, most
    return best, tile, source, target, amount

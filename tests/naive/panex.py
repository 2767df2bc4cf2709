"""Reference implementation of Panex:
tiles slide from place to place on the board, as the rules describe it.

Nothing here imports anything of the project. A place is (track, layer); tracks count from the left,
and layer 0 joins them. A tile of size i may be in layers 0 to i, and slides through free places.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_letters

Place = tuple[int, int]


SIZES = {letter: at % 26 + 1 for at, letter in enumerate(ascii_letters)}
"""The size of a tile: 1 for a and A."""


def places(state: str) -> dict[Place, str]:
    """The places of the tiles of a settled state."""
    lying: dict[Place, str] = {}
    for track, tiles in enumerate(state.split("|")):
        below = 1000
        for tile in reversed(tiles):
            below = min(SIZES[tile], below - 1)
            lying[track, below] = tile
    return lying


def beside(place: Place) -> list[Place]:
    """The places next to a place."""
    track, layer = place
    sideways = [(track - 1, 0), (track + 1, 0)] if layer == 0 else [(track, layer - 1)]
    return [*(there for there in sideways if 0 <= there[0] <= 2), (track, layer + 1)]


def reached(start: Place, lying: dict[Place, str]) -> set[Place]:
    """Every place within reach of the tile at `start`."""
    most = SIZES[lying[start]]
    found = {start}
    ahead = [start]
    while ahead:
        for there in beside(ahead.pop()):
            if there not in found and there not in lying and there[1] <= most:
                found.add(there)
                ahead.append(there)
    return found


def legal(state: str) -> bool:
    """True where every tile lies on the board."""
    return all(layer >= 0 for _, layer in places(state))


def neighbours(state: str) -> Iterable[tuple[str, str]]:
    """Every state one move away, with the move:
    a track's top tile as deep in another track as possible.
    """
    lying = places(state)
    for source, tiles in enumerate(state.split("|")):
        if not tiles:
            continue
        top = min(layer for track, layer in lying if track == source)
        targets = {track for track, _ in reached((source, top), lying)} - {source}
        for target in sorted(targets):
            tracks = state.split("|")
            tracks[source] = tiles[1:]
            tracks[target] = tiles[0] + tracks[target]
            yield "LCR"[source] + "LCR"[target], "|".join(tracks)


def mirrored(state: str, *, colours: bool = True) -> str:
    """The state in a mirror, which exchanges left and right,
    with the colours exchanged as well or not.
    """
    image = "|".join(reversed(state.split("|")))
    return image.swapcase() if colours else image

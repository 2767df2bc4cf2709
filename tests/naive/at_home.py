"""The number of pieces at home, from the texts alone."""

from __future__ import annotations


def letters(solved: str, state: str) -> int:
    """Count places that hold their piece of the solved state;
    `.`, `-`, `:` and `|` are no pieces.
    """
    return sum(
        here == there and there not in ".-:|" for here, there in zip(state, solved, strict=True)
    )


def turned_pieces(solved: str, state: str, *, characters: int) -> int:
    """Count pieces of a definition at home, with some characters each; sets have a dash between."""
    sets = zip(solved.split("-"), state.split("-"), strict=True)
    places = [
        (home[at : at + characters], here[at : at + characters])
        for home, here in sets
        for at in range(0, len(home), characters)
    ]
    return sum(home == here for home, here in places)


def tiles(solved: str, state: str) -> int:
    """Count tiles of a sliding puzzle at home; 0 is the blank."""
    return sum(here == there != "0" for here, there in zip(state, solved, strict=True))


def panex(solved: str, state: str) -> int:
    """Count tiles in their track of the solved state, with as many tiles below."""

    def places(text: str) -> dict[str, tuple[int, int]]:
        return {
            tile: (track, below)
            for track, tower in enumerate(text.split("|"))
            for below, tile in enumerate(reversed(tower))
        }

    home = places(solved)
    return sum(home[tile] == place for tile, place in places(state).items())


def hanoi(solved: str, state: str) -> int:
    """Count disks on their post of the solved state, the same side up."""

    def places(text: str) -> dict[str, tuple[int, str]]:
        return {
            disk: (post, tower[:1])
            for post, tower in enumerate(text.split("|"))
            for disk in tower[1:].split(".")
        }

    home = places(solved)
    return sum(home[disk] == place for disk, place in places(state).items() if disk)


def quantum(solved: str, state: str) -> int:
    """Count units of tiles at home; the last tile is the space."""
    pairs = [
        list(zip(map(int, here.split(",")), map(int, there.split(",")), strict=True))[:-1]
        for here, there in zip(state.split("/"), solved.split("/"), strict=True)
    ]
    return sum(min(here, there) for position in pairs for here, there in position)

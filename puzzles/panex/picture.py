"""The pictures of Panex: three tracks joined by layer 0, and the tiles in them."""

from __future__ import annotations

from puzzlebase.puzzles._puzzle import Cell, Picture
from puzzlebase.puzzles.panex.board import TRACKS, layers_of, parse, size_of

_TILE = (52.0, 22.0)
_STEP = (74.0, 26.0)
_MARGIN = 14.0
_RIM = 6.0
_BOARD = "#e9e6df"
_SILVER = ("#2f6fde", "#d8433b")
_GOLD = ("#d9a520", "#6b5840")


def silver(n: int, text: str) -> Picture:
    """A state with the size of each tile written on it; raises what `parse` raises."""
    return _picture(n, text, _SILVER, sized=True)


def gold(n: int, text: str) -> Picture:
    """A state in which all tiles of a tower look alike; raises what `parse` raises."""
    return _picture(n, text, _GOLD, sized=False)


def _picture(n: int, text: str, paint: tuple[str, str], *, sized: bool) -> Picture:
    parse(n, text)
    (wide, high), (across, down) = _TILE, _STEP
    width, height = 2 * (across + _MARGIN) + wide, 2 * _MARGIN + n * down + high
    cells = [Cell("board", _channels(n), _BOARD, "", width / 2, _MARGIN)]
    for number, (name, track) in enumerate(zip(TRACKS, text.split("|"), strict=True)):
        for letter, layer in zip(track, layers_of(track), strict=True):
            x, y = _MARGIN + number * across, _MARGIN + layer * down
            outline = f"M{x:g} {y:g}h{wide:g}v{high:g}h{-wide:g}Z"
            label = str(size_of(letter)) if sized else ""
            place = f"{name}, layer {layer}"
            cells.append(Cell(place, outline, paint[letter.isupper()], label, x + wide / 2, y + high / 2))
    return Picture(width, height, tuple(cells))


def _channels(n: int) -> str:
    """The outline of the channels in which the tiles lie, with a rim around them."""
    (wide, high), (across, down) = _TILE, _STEP
    deep, gap = n * down, across - wide - 2 * _RIM
    track = f"v{deep:g}h{-(wide + 2 * _RIM):g}v{-deep:g}"
    top = f"M{_MARGIN - _RIM:g} {_MARGIN - _RIM:g}h{2 * across + wide + 2 * _RIM:g}v{high + 2 * _RIM:g}"
    return f"{top}{track}h{-gap:g}{track}h{-gap:g}{track}Z"

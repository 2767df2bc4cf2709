"""Panex as data: three tracks joined by layer 0, and the tiles in them."""

from __future__ import annotations

from functools import partial
from itertools import chain

from puzzlebase.puzzles import Goal
from puzzlebase.puzzles.contract.layout import (
    Effect,
    Layout,
    Piece,
    Place,
    Shape,
    moved_to,
    piece_in,
    polygon,
    rectangle,
)
from puzzlebase.puzzles.families.panex.board import MOVES, board_layers, parse, play

_TRACKS = "LCR"
_TILE, _STEP = (52.0, 22.0), (74.0, 26.0)
_MARGIN, _ABOVE, _SIGN, _RIM, _LETTER = 14.0, 22.0, 16.0, 6.0, 13.0
_BOARD, _SIGNS = "#e9e6df", "#8b8478"
_SILVER = ("#2f6fde", "#d8433b")
_GOLD = ("#d9a520", "#6b5840")


def effect(text: str, move: str) -> Effect:
    """Slide the top tile of a track up to layer 0, across, and down as deep as it can."""
    after = play(text, move)
    (left, *_), (entered, *_) = (
        _tiles(state.split("|")[track], track, _SILVER, lettered=True)
        for state, track in zip((text, after), MOVES[move], strict=True)
    )
    top = _y(0)
    return Effect((left.id,), (moved_to(left, entered, via=((left.x, top), (entered.x, top))),))


def _layout(n: int, text: str, _goal: Goal, paint: tuple[str, str], *, lettered: bool) -> Layout:
    """A state, with or without the letter on each tile; raises what `parse` raises."""
    parse(n, text)
    (wide, high), (across, down) = _TILE, _STEP
    width, height = 2 * (across + _MARGIN) + wide, 2 * _MARGIN + _ABOVE + n * down + high
    marks = [Shape(id="board", outline=_channels(n), colour=_BOARD, x=width / 2, y=height / 2)]
    for track, name in enumerate(_TRACKS):
        x = _x(track)
        sign = rectangle(x - wide / 2, _MARGIN - _SIGN / 2, wide, _SIGN)
        marks.append(
            Shape(
                id=f"track-{name}",
                outline=sign,
                colour=_SIGNS,
                x=x,
                y=_MARGIN,
                label=name,
                size=_LETTER,
            )
        )
    places = tuple(
        Place(f"{name}{layer}", _x(track), _y(layer))
        for track, name in enumerate(_TRACKS)
        for layer in range(n + 1)
    )
    tracks = [
        _tiles(letters, track, paint, lettered=lettered)
        for track, letters in enumerate(text.split("|"))
    ]
    return Layout(width, height, places, tuple(marks), tuple(chain.from_iterable(tracks)))


silver = partial(_layout, paint=_SILVER, lettered=True)
gold = partial(_layout, paint=_GOLD, lettered=False)


def _tiles(letters: str, track: int, paint: tuple[str, str], *, lettered: bool) -> list[Piece]:
    """The tiles of a track, from the top."""
    x, (wide, high) = _x(track), _TILE
    return [
        piece_in(
            Place(f"{_TRACKS[track]}{layer}", x, _y(layer)),
            f"tile-{letter}",
            rectangle(x - wide / 2, _y(layer) - high / 2, wide, high),
            paint[letter.isupper()],
            letter if lettered else "",
            _LETTER,
        )
        for letter, layer in zip(letters, board_layers(letters), strict=True)
    ]


def _x(track: int) -> float:
    return _MARGIN + _TILE[0] / 2 + track * _STEP[0]


def _y(layer: int) -> float:
    return _MARGIN + _ABOVE + _TILE[1] / 2 + layer * _STEP[1]


def _channels(n: int) -> str:
    """The outline of the channels in which the tiles lie, with a rim around them."""
    aside, level = _TILE[0] / 2 + _RIM, _TILE[1] / 2 + _RIM
    top, fork, deep = _y(0) - level, _y(0) + level, _y(n) + level
    corners = [(_x(0) - aside, top), (_x(2) + aside, top)]
    for track in (2, 1, 0):
        right, left = _x(track) + aside, _x(track) - aside
        corners += [(right, deep), (left, deep)]
        if track:
            corners += [(left, fork), (_x(track - 1) + aside, fork)]
    return polygon(corners)

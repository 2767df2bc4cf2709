"""The board side of Panex: states are text left|centre|right,
boards its characters, uint8[2 n + 2].
"""

from __future__ import annotations

from itertools import accumulate, permutations
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from puzzlebase.puzzles import (
    Board,
    Boards,
    IllegalMove,
    ImpossibleState,
    Indices,
    InvalidState,
    Signed,
    check_move,
    shorten,
)

MAX_SIZE = 26
TRACKS = ("left track", "centre track", "right track")
CENTRE = 1
MOVES = {
    "LCR"[source] + "LCR"[target]: (source, target) for source, target in permutations(range(3), 2)
}
"""Moves by name, LC LR CL CR RL RC,
with the numbers of the tracks they leave and enter; numbered in this order.
"""


def start_state(n: int) -> str:
    """The state where play of Panex begins, with both towers on their tracks."""
    return f"{ascii_lowercase[:n]}||{ascii_uppercase[:n]}"


def parse(n: int, text: str) -> Board:
    """The board of a state; raises InvalidState or ImpossibleState."""
    letters = ascii_lowercase[:n] + ascii_uppercase[:n]
    example = (
        f"a state of panex-{n} looks like {start_state(n)!r}: three tracks, each from the "
        "top, tile i the i-th letter"
    )
    wrong = next((letter for letter in text if letter not in letters and letter != "|"), None)
    if wrong is not None:
        raise InvalidState(
            f"{shorten(text)!r} has {wrong!r}, which is not a tile of panex-{n}", example
        )
    if text.count("|") != 2:
        raise InvalidState(
            f"{shorten(text)!r} does not have three tracks with '|' between them", example
        )
    for letter in letters:
        if (copies := text.count(letter)) != 1:
            raise ImpossibleState(
                f"{shorten(text)!r} has tile {letter!r} {copies} times, not once", example
            )
    for name, track in zip(TRACKS, text.split("|"), strict=True):
        for above, letter in enumerate(track):
            if above > (size := size_of(letter)):
                raise ImpossibleState(
                    f"{shorten(text)!r} has tile {letter!r} too deep: {above} tiles lie above it "
                    f"in the {name}, and it goes no deeper than layer {size}",
                    f"at most {size} {'tile' if size == 1 else 'tiles'} can lie above a tile "
                    f"{letter!r}; {example}",
                )
    return np.frombuffer(text.encode("ascii"), np.uint8)


def format_board(board: Board) -> str:
    """The state of a board: the inverse of `parse`."""
    return board.tobytes().decode("ascii")


def play(text: str, move: str) -> str:
    """The state after a move; raises IllegalMove."""
    check_move(move, MOVES)
    source, target = MOVES[move]
    tracks = text.split("|")
    reason = ""
    if not tracks[source]:
        reason = f"the {TRACKS[source]} is empty"
    elif 0 in board_layers(tracks[target]):
        reason = f"the {TRACKS[target]} is full"
    elif CENTRE not in (source, target) and 0 in board_layers(tracks[CENTRE]):
        reason = "a tile in layer 0 of the centre track is in the way"
    if reason:
        raise IllegalMove(
            f"{move} is not legal in {shorten(text)!r}: {reason}", "a lookup lists the legal moves"
        )
    tracks[target] = tracks[source][0] + tracks[target]
    tracks[source] = tracks[source][1:]
    return "|".join(tracks)


def size_of(letter: str) -> int:
    """The size of a tile of Panex, 1 for a and A."""
    return ord(letter.lower()) - ord("a") + 1


def tiles_at_home(solved: Boards, boards: Boards) -> Signed:
    """The number of tiles of Panex with the track and height of the solved board:
    uint8[L], uint8[m, L] -> int64[m].
    """
    at_home: Signed = (_places(boards) == _places(solved[None, :])).sum(axis=1)
    return at_home


def _places(boards: Boards) -> Indices:
    """The place of each tile, its track and height, in the order of the letters: int64[m, 2 n]."""
    between = boards == ord("|")
    tracks = between.cumsum(axis=1)
    ends = np.stack([(tracks <= track).sum(axis=1) for track in range(3)], axis=1)
    height = np.take_along_axis(ends, tracks, axis=1) - np.arange(boards.shape[1])
    order = np.argsort(boards, axis=1)[:, :-2]  # "|" comes behind all letters
    return np.take_along_axis(tracks * boards.shape[1] + height, order, axis=1)


def board_layers(track: str) -> list[int]:
    """The layer on a board of Panex of each tile of a track, from the top."""
    sizes = map(size_of, reversed(track))
    return list(accumulate(sizes, lambda below, size: min(size, below - 1)))[::-1]

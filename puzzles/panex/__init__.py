"""Panex (Toshio Akanuma): two towers change places on three tracks that are joined at the top.

Glossary
    track       left, centre or right; its places are layers 0 (the top, where the tracks join) to n.
    tile i      one of the two tiles of size i, 1 to n; it goes no deeper than layer i.
    twins       the two tiles of one size, one from each tower.
    settled     every tile lies as deep as it can: in its own layer i, or just above the tile below.
                No shortest solution between settled states needs others, so a state is three stacks,
                and a stack is legal where every tile's layer is at least 0.
    row         an arrangement of the sizes, twins not told apart, that can be reached from the start.
    column      one bit a size: whether the capital twin comes first, reading the tracks from left to
                right and each from the top.
    key         a row as an integer: its sizes, three bits each in reading order, and two heights.

Twins move alike, and every combination of bits is reached, so index = row * 2^n + column numbers the
reachable states without a gap. A move flips the bit of its tile's size if it takes the tile past its
twin, and no other. Rows are in breadth-first order from the start, and the largest tiles have the
lowest bits: neighbours in the table then have like distances. Rows sorted by key would take three
times the space, bits in the other order a fifth more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from string import ascii_lowercase, ascii_uppercase

import numpy as np
import numpy.typing as npt

from kernels import kernel
from puzzles._puzzle import (
    Board,
    Cell,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Letters,
    Move,
    Notation,
    Oracle,
    Picture,
    Published,
    Puzzle,
    no_space,
    shorten,
)
from puzzles._space import Boards, Indices, ProductForm, Space
from puzzles.panex.oracle import PanexSolver, certify
from puzzles.panex.oracle import make as make_oracle

_LARGEST = 26
_TRACKS = ("left track", "centre track", "right track")
_MOVES = {a + b: ("LCR".index(a), "LCR".index(b)) for a in "LCR" for b in "LCR" if a != b}
_CENTRE = 1


# The board side: text.


def _parse(n: int, text: str) -> Board:
    """The characters of a state, uint8[2 n + 2]."""
    letters = ascii_lowercase[:n] + ascii_uppercase[:n]
    example = f"a state of panex-{n} looks like {_start(n)!r}: three tracks, each from the top, tile i the i-th letter"
    wrong = next((letter for letter in text if letter not in letters and letter != "|"), None)
    if wrong is not None:
        raise InvalidState(f"{shorten(text)!r} has {wrong!r}, which is no tile of panex-{n}", example)
    if text.count("|") != 2:
        raise InvalidState(f"{shorten(text)!r} does not have three tracks with '|' between them", example)
    for letter in letters:
        if (copies := text.count(letter)) != 1:
            raise ImpossibleState(f"{shorten(text)!r} has tile {letter!r} {copies} times, not once", example)
    for name, track in zip(_TRACKS, text.split("|"), strict=True):
        for above, letter in enumerate(track):
            if above > (size := _size(letter)):
                raise ImpossibleState(
                    f"{shorten(text)!r} has tile {letter!r} too deep: {above} tiles lie above it in the {name}, and "
                    f"it goes no deeper than layer {size}",
                    f"at most {size} {'tile' if size == 1 else 'tiles'} can lie above a tile {letter!r}; {example}",
                )
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _format(board: Board) -> str:
    return board.tobytes().decode("ascii")


def _play(text: str, move: str) -> str:
    if move not in _MOVES:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(_MOVES)}")
    source, target = _MOVES[move]
    tracks = text.split("|")
    reason = ""
    if not tracks[source]:
        reason = f"the {_TRACKS[source]} is empty"
    elif _free(tracks[target]) == 0:
        reason = f"the {_TRACKS[target]} is full"
    elif _CENTRE not in (source, target) and _free(tracks[_CENTRE]) == 0:
        reason = "a tile in layer 0 of the centre track is in the way"
    if reason:
        raise IllegalMove(f"{move} is not legal in {shorten(text)!r}: {reason}", "a lookup lists the legal moves")
    tracks[target] = tracks[source][0] + tracks[target]
    tracks[source] = tracks[source][1:]
    return "|".join(tracks)


def _start(n: int) -> str:
    return f"{ascii_lowercase[:n]}||{ascii_uppercase[:n]}"


def _size(letter: str) -> int:
    return ord(letter.lower()) - ord("a") + 1


def _free(track: str) -> int:
    """How many layers are free above a track's top tile, which is that tile's layer."""
    return min((_size(letter) - above for above, letter in enumerate(track)), default=_LARGEST)


def _layers(track: str) -> list[int]:
    """The layer of each tile of a track, from the top."""
    layers: list[int] = []
    for letter in reversed(track):
        layers.append(min(_size(letter), layers[-1] - 1) if layers else _size(letter))
    return layers[::-1]


# Goals. Published distances are those from the goal's start, for n = 1, 2, ...

_FOUR = "M. Manasse, D. Sleator, V. K. Wei, N. Baxter, The Panex Puzzle"
_X = (3, 13, 42, 128, 343, 881, 2189, 5359, 13023, 31537, 76245, 184191, 444807)
_T = (1, 3, 9, 24, 58, 143, 345, 836, 2018, 4875, 11769, 28416, 68602, 165623, 399849)
_T_BAR = (1, 2, 9, 23, 58, 142, 345, 835, 2018, 4874, 11769, 28415, 68602, 165622, 399849)
_S = (None, 3, 8, 22, 57, 141, 344, 834, 2017, 4873)
_S_BAR = (None, 2, 8, 22, 57, 141, 344, 834, 2017, 4873)


def _goals(n: int) -> tuple[Goal, ...]:
    small, capital = ascii_lowercase[:n], ascii_uppercase[:n]
    goals = [
        _goal("exchange", _start(n), f"{capital}||{small}", _published("OEIS A109224", _X, n)),
        _goal("centre", _start(n), f"|{small}|{capital}", _published("OEIS A109175", _T, n)),
        _goal("centre-corner", _start(n), f"|{small[1:]}|a{capital}", _published("OEIS A115185", _T_BAR, n)),
    ]
    if n > 1:
        sunk, last = f"{small[:-1]}|{small[-1]}|{capital}", small[-1]
        corner = f"{last}|{small[1:-1]}|a{capital}"
        goals += [
            _goal("sink", f"{last}|{small[:-1]}|{capital}", sunk, _published(_FOUR, _S, n)),
            _goal("sink-corner", corner, sunk, _published(_FOUR, _S_BAR, n), key="sink"),
        ]
    return tuple(goals)


def _goal(name: str, start: str, state: str, published: Published | None, key: str = "") -> Goal:
    return Goal(name, (state,), start, published, key)


def _published(source: str, distances: tuple[int | None, ...], n: int) -> Published | None:
    return Published(source, start_distance=distances[n - 1]) if n <= len(distances) else None


def _goal_of(n: int, text: str) -> Goal | None:
    """The goal of being in a state, given as its text or as such a goal's key; None if it is meant as neither.

    Where the states are quickly numbered, one that cannot be reached is refused here, else with the space.
    """
    state = text
    if "|" not in text:
        state = re.sub("([a-z])2", lambda tile: tile[1].upper(), text).replace("-", "|")
        if text.count("-") != 2 or _key(state) != text:
            return None
    board = _parse(n, state)
    for goal in _goals(n):
        if goal.states == (state,):
            return goal
    if n <= len(_ROWS):
        _zeros(n, board[None, :])
    start = _start(n)
    return Goal(state, (state,), start if state != start else _goals(n)[0].states[0], key=_key(state))


def _key(state: str) -> str:
    """A state as part of a file's name, on disks that hold A and a alike too: abc||ABC is abc--a2b2c2."""
    return re.sub("[A-Z]", lambda tile: tile[0].lower() + "2", state).replace("|", "-")


# The picture: three tracks joined by layer 0. Silver shows each tile's size, in Gold a tower's tiles look alike.

_TILE = (52.0, 22.0)
_STEP = (74.0, 26.0)
_MARGIN = 14.0
_BOARD = "#e9e6df"
_SILVER = ("#2f6fde", "#d8433b")
_GOLD = ("#d9a520", "#6b5840")


def _picture(n: int, paint: tuple[str, str], *, sized: bool, text: str) -> Picture:
    _parse(n, text)
    (wide, high), (across, down) = _TILE, _STEP
    width, height = 2 * (across + _MARGIN) + wide, 2 * _MARGIN + n * down + high
    cells = [Cell("board", _board(n), _BOARD, "", width / 2, _MARGIN)]
    for number, (name, track) in enumerate(zip(_TRACKS, text.split("|"), strict=True)):
        for letter, layer in zip(track, _layers(track), strict=True):
            x, y = _MARGIN + number * across, _MARGIN + layer * down
            outline = f"M{x:g} {y:g}h{wide:g}v{high:g}h{-wide:g}Z"
            label = str(_size(letter)) if sized else ""
            place = f"{name}, layer {layer}"
            cells.append(Cell(place, outline, paint[letter.isupper()], label, x + wide / 2, y + high / 2))
    return Picture(width, height, tuple(cells))


def _board(n: int) -> str:
    """The channels the tiles lie in, with a rim of a few units."""
    (wide, high), (across, down), rim = _TILE, _STEP, 6.0
    deep, gap = n * down, across - wide - 2 * rim
    track = f"v{deep:g}h{-(wide + 2 * rim):g}v{-deep:g}"
    top = f"M{_MARGIN - rim:g} {_MARGIN - rim:g}h{2 * across + wide + 2 * rim:g}v{high + 2 * rim:g}"
    return f"{top}{track}h{-gap:g}{track}h{-gap:g}{track}Z"


# The index side. A key has the sizes, from 0, at bits 0, 3, 6, ... and the heights of two tracks above them.

_ROWS = (6, 54, 609, 6132, 58956, 558363, 5263044)
"""Rows for n = 1, 2, ...; beyond them keys do not fit 64 bits, nor tables most machines."""

_BAR = ord("|")
_LEFT_AT = 48
_CENTRE_AT = 53


@kernel
def _layers_free(key, begin, end, n):  # type: ignore[no-untyped-def]
    """How many layers are free above the top tile of the track with these symbols of a key."""
    free = n + 1
    for j in range(begin, end):
        free = min(free, (key >> (3 * j) & 7) + 1 - (j - begin))
    return free


@kernel
def _links(key, n, to, kinds):  # type: ignore[no-untyped-def]
    """Keys each move leads to, -1 for an illegal one, and the column bit it flips, counted from 1, or 0."""
    left = key >> _LEFT_AT & 31
    right = left + (key >> _CENTRE_AT & 31)
    begin = (0, left, right)
    end = (left, right, 2 * n)
    free = (
        _layers_free(key, 0, left, n),
        _layers_free(key, left, right, n),
        _layers_free(key, right, 2 * n, n),
    )
    height = (1 << _LEFT_AT, 1 << _CENTRE_AT, 0)
    for m in range(6):
        source = m // 2
        target = m % 2 + (m % 2 >= source)
        to[m] = -1
        if begin[source] == end[source] or free[target] == 0 or (m in (1, 4) and free[1] == 0):
            continue
        at = begin[source]
        tile = key >> (3 * at) & 7
        # The tile goes past `passed`, the symbols between the two tops.
        if at < begin[target]:
            count = begin[target] - at - 1
            passed = key >> (3 * at + 3) & ((1 << 3 * count) - 1)
            change = (passed << 3 | tile) ^ (passed | tile << 3 * count)
        else:
            count = at - begin[target]
            at = begin[target]
            passed = key >> (3 * at) & ((1 << 3 * count) - 1)
            change = (passed | tile << 3 * count) ^ (passed << 3 | tile)
        to[m] = (key ^ change << 3 * at) - height[source] + height[target]
        kinds[m] = 0
        for j in range(count):
            if passed >> (3 * j) & 7 == tile:
                kinds[m] = n - tile


@kernel
def _slot(key, keys, slots):  # type: ignore[no-untyped-def]
    """The slot of the hash table that holds the row of a key, or the empty one where it would be."""
    mask = slots.shape[0] - 1
    at = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while slots[at] >= 0 and keys[slots[at]] != key:
        at = (at + 1) & mask
    return at


@kernel
def _find_rows(n, keys, slots):  # type: ignore[no-untyped-def]
    """Breadth-first search from keys[0]: fills the keys in order and the slots, -1 before, with rows; how many rows."""
    to = np.empty(6, np.int64)
    kinds = np.empty(6, np.int64)
    slots[_slot(keys[0], keys, slots)] = 0
    count = 1
    row = 0
    while row < count:
        _links(keys[row], n, to, kinds)
        for m in range(6):
            if to[m] >= 0:
                at = _slot(to[m], keys, slots)
                if slots[at] < 0:
                    keys[count] = to[m]
                    slots[at] = count
                    count += 1
        row += 1
    return count


@kernel
def _expand(indices, n, keys, slots, successors):  # type: ignore[no-untyped-def]
    to = np.empty(6, np.int64)
    kinds = np.empty(6, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        column = indices[i] & ((1 << n) - 1)
        _links(keys[indices[i] >> n], n, to, kinds)
        for m in range(6):
            if to[m] >= 0:
                row = np.int64(slots[_slot(to[m], keys, slots)])
                successors[i, m] = row << n | (column ^ (1 << kinds[m] >> 1))


@kernel
def _tabulate(n, keys, slots, row_move, kind):  # type: ignore[no-untyped-def]
    """The moves of all rows: int32[6, rows] each, zeros in `kind` before."""
    to = np.empty(6, np.int64)
    kinds = np.empty(6, np.int64)
    for row in range(keys.shape[0]):
        _links(keys[row], n, to, kinds)
        for m in range(6):
            row_move[m, row] = -1
            if to[m] >= 0:
                row_move[m, row] = slots[_slot(to[m], keys, slots)]
                kind[m, row] = kinds[m]


@kernel
def _pack(board, n):  # type: ignore[no-untyped-def]
    """Key and column of a board; the key is -1 where tiles or tracks are wrong."""
    key = column = seen = tiles = bars = height = 0
    for letter in board:
        size = (letter | 32) - ord("a")
        if letter == _BAR and bars < 2:
            key |= height << (_CENTRE_AT if bars else _LEFT_AT)
            bars += 1
            height = 0
            continue
        capital = 1 - (letter >> 5 & 1)
        if not 0 <= size < n or seen >> (2 * size + capital) & 1:
            return -1, 0
        if not seen >> 2 * size & 3:
            column |= capital << (n - 1 - size)
        seen |= 1 << (2 * size + capital)
        key |= size << 3 * tiles
        tiles += 1
        height += 1
    return (key if bars == 2 and tiles == 2 * n else -1), column


@kernel
def _rank(boards, n, keys, slots, indices):  # type: ignore[no-untyped-def]
    for i in range(boards.shape[0]):
        key, column = _pack(boards[i], n)
        row = np.int64(slots[_slot(key, keys, slots)]) if key >= 0 else -1
        indices[i] = row << n | column if row >= 0 else -1


@kernel
def _unrank(indices, n, keys, boards):  # type: ignore[no-untyped-def]
    for i in range(indices.shape[0]):
        key = keys[indices[i] >> n]
        left = key >> _LEFT_AT & 31
        right = left + (key >> _CENTRE_AT & 31)
        at = seen = 0
        for j in range(2 * n + 1):
            for end in (left, right):
                if j == end:
                    boards[i, at] = _BAR
                    at += 1
            if j < 2 * n:
                size = key >> (3 * j) & 7
                capital = (indices[i] >> (n - 1 - size) ^ seen >> size) & 1
                seen |= 1 << size
                boards[i, at] = ord("a") + size - 32 * capital
                at += 1


@kernel
def _play_letters(boards, played):  # type: ignore[no-untyped-def]
    """The top tile of one track goes before the top of another; boards without three tracks stay as they are."""
    length = boards.shape[1]
    top = np.zeros(3, np.int64)
    for i in range(boards.shape[0]):
        track = 0
        for j in range(length):
            if boards[i, j] == _BAR and track < 2:
                track += 1
                top[track] = j + 1
        for m in range(6):
            at = top[m // 2]
            to = top[m % 2 + (m % 2 >= m // 2)]
            played[i, m] = boards[i]
            if track < 2 or at == length:
                continue
            if at < to:
                played[i, m, at : to - 1] = boards[i, at + 1 : to]
                played[i, m, to - 1] = boards[i, at]
            else:
                played[i, m, to + 1 : at + 1] = boards[i, to:at]
                played[i, m, to] = boards[i, at]


def _letters_played(boards: Boards) -> Boards:
    played = np.empty((len(boards), len(_MOVES), boards.shape[1]), np.uint8)
    _play_letters(boards, played)
    return played


class _Index:
    """The rows of one n and the hash table that finds them; all goals of that n share it."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.keys = np.empty(_ROWS[n - 1], np.int64)
        self.slots = np.full(1 << (_ROWS[n - 1] * 4 // 3).bit_length(), -1, np.int32)
        self.keys[0] = _pack(np.frombuffer(_start(n).encode("ascii"), np.uint8), n)[0]
        _find_rows(n, self.keys, self.slots)

    @property
    def size(self) -> int:
        return len(self.keys) << self.n

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.n, self.keys, self.slots, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        boards = np.empty((len(indices), 2 * self.n + 2), np.uint8)
        _unrank(indices, self.n, self.keys, boards)
        return boards

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(_MOVES)), np.int64)
        _expand(indices, self.n, self.keys, self.slots, successors)
        return successors

    def product(self) -> ProductForm:
        """Kind 0 leaves the column, kind k flips its bit k - 1."""
        row_move = np.empty((len(_MOVES), len(self.keys)), np.int32)
        kind = np.zeros_like(row_move)
        _tabulate(self.n, self.keys, self.slots, row_move, kind)
        flips: npt.NDArray[np.uint32] = np.uint32(1) << np.arange(self.n, dtype=np.uint32)
        flips = np.append(np.uint32(0), flips)
        return ProductForm(row_move, kind, flips[:, None] ^ np.arange(1 << self.n, dtype=np.uint32))


_index = cache(_Index)


def _zeros(n: int, boards: Boards) -> Indices:
    """The indices of a goal's states; raises ImpossibleState where one cannot be reached."""
    goal_states = _index(n).rank(boards)
    for board in boards[goal_states < 0]:
        raise ImpossibleState(
            f"{_format(board)!r} is a legal state that cannot be reached from {_start(n)!r}, so it is no goal",
            "take as a goal a state that moves from the start lead to",
        )
    return np.sort(goal_states)


def _space(n: int, goal: Goal) -> Space:
    if n > len(_ROWS):
        raise no_space(f"panex-{n}")
    index = _index(n)
    return Space(
        size=index.size,
        expand=index.expand,
        goal_states=_zeros(n, np.array([_parse(n, state) for state in goal.states])),
        product=index.product,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
    )


# The family.

_SPACES_KEPT = 64


@cache
def _puzzle(name: str) -> Puzzle:
    n = int(name.removeprefix("panex-"))
    start = _start(n)
    silver: Callable[[str], Picture] = lambda text: _picture(n, _SILVER, sized=True, text=text)  # noqa: E731
    gold: Callable[[str], Picture] = lambda text: _picture(n, _GOLD, sized=False, text=text)  # noqa: E731
    moved = _play(start, "LC")
    return Puzzle(
        name=name,
        title=f"Panex with towers of {n}",
        family="panex",
        moves=tuple(Move(move, _TRACKS[source]) for move, (source, _) in _MOVES.items()),
        goals=_goals(n),
        notation=Notation(
            state=f"left|centre|right, each track from the top; tile i is the i-th letter, small for the tower that "
            f"starts left, capital for the other. Tile i goes no deeper than layer i, of layers 0 to {n}",
            moves="LC LR CL CR RL RC: the top tile of the first track (left, centre, right) goes to the second",
            examples=(start, moved, _play(moved, "RL")),
        ),
        parse=partial(_parse, n),
        format=_format,
        play=_play,
        picture=silver,
        styles={"silver": silver, "gold": gold},
        space=lru_cache(_SPACES_KEPT)(partial(_space, n)),
        letters=Letters(2 * n + 2, _letters_played) if n <= len(_ROWS) else None,
        goal_of=partial(_goal_of, n),
        enumerable=n <= len(_ROWS),
        oracle=Oracle(
            make=partial(make_oracle, n),
            load=lambda stored, goal: PanexSolver(n, stored, goal.states, partial(_parse, n)),
            certify=certify,
        ),
    )


FAMILY = Family(
    name="panex",
    title="Panex",
    template="panex-1 to panex-26",
    pattern=re.compile("panex-([1-9]|1[0-9]|2[0-6])"),
    members=tuple(f"panex-{n}" for n in range(1, len(_ROWS) + 1)),
    make=_puzzle,
)

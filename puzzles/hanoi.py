"""Magnetic Tower of Hanoi (Uri Levy): disks with a red and a blue side, turned over by every move.

Glossary
    post        S, I or D: source, intermediate, destination. A coloured post (R or B) takes only
                disks that show its colour, a neutral one (N) takes both.
    disk        numbered from the largest, 1, to the smallest, n. Touching sides differ in colour, so
                all disks of a post show the same colour up: the post's colour while it holds any.
    choice      where a disk lies and what it shows, 2 * post + colour, red 0 and blue 1.
    holding     what the posts show together, 0 (empty), 1 (red) or 2 (blue) for each: a node of
                the automaton that places disks from the largest to the smallest.
    frozen      a state without a legal move: all disks show one colour, and every empty post
                refuses the other.

A state is a path through the automaton, one choice a disk, and its index the sum of the offsets of
the links it takes. Paths that end in a frozen state are left out, as no other state is joined to
one; what remains has no gaps and is of one piece, so every index can reach the goal. Two goals
differ. One that is itself frozen is kept as a state that nothing leads to. One on a destination of
the other colour is met by no state: its space has all states, and none is solved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import permutations, product

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
    Move,
    Notation,
    Picture,
    Published,
    Puzzle,
    played,
    shorten,
)
from puzzles._space import Boards, Indices, Space

_POSTS = "SID"
_COLOURS = "RB"
_WORDS = {"R": "red", "B": "blue", "N": "neutral"}
_OTHER = {"R": "B", "B": "R"}
_MOVES = {a + b: (_POSTS.index(a), _POSTS.index(b)) for a, b in permutations(_POSTS, 2)}

_Holding = tuple[int, int, int]
_HOLDINGS: tuple[_Holding, ...] = tuple(product(range(3), repeat=3))  # type: ignore[arg-type]


# Moves from the start to the default goal for n = 0, 1, 2, ... (OEIS A003462, A183112, A183114, A183116, A183118).
# fmt: off
_TOTALS = {
    "RBB": (0, 1, 4, 13, 40, 121, 364, 1093, 3280, 9841, 29524, 88573, 265720, 797161),
    "RBN": (0, 1, 4, 13, 38, 113, 336, 1001, 2994, 8965, 26868, 80565, 241630, 724793),
    "RNB": (0, 1, 4, 11, 32, 93, 272, 807, 2404, 7185, 21516, 64483, 193352, 579909),
    "RNN": (0, 1, 4, 11, 30, 85, 244, 715, 2118, 6309, 18860, 56475, 169262, 507541),
    "NNN": (0, 1, 4, 11, 30, 83, 236, 687, 2026, 6023, 17984, 53819, 161254, 483451),
}
# fmt: on
_SAME_TOTALS = {"RRB": "RBB", "NRB": "RBN", "NNB": "RNN", "BNR": "RNB"}
"""Variants that take as long as another: played backwards, and with the colours swapped where need be."""


@dataclass(frozen=True)
class _Variant:
    """The posts' colours, `RNB` say, and the number of disks."""

    posts: str
    n: int

    @property
    def name(self) -> str:
        return f"hanoi-{self.posts.lower()}-{self.n}"

    @property
    def shown_at_start(self) -> str:
        """Red, unless the source takes only blue."""
        return "B" if self.posts[0] == "B" else "R"

    @property
    def shown_at_goal(self) -> str:
        """The default goal's colour: the destination's, or the other than at the start."""
        return _OTHER[self.shown_at_start] if self.posts[2] == "N" else self.posts[2]

    def tower(self, post: int, colour: str) -> str:
        """All disks on one post."""
        disks = colour + ".".join(str(disk) for disk in range(self.n, 0, -1))
        return "|".join(disks if at == post else "" for at in range(3))

    def takes(self, post: int, colour: str) -> bool:
        return self.posts[post] in ("N", colour)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Blue and red, the default first; one that the destination refuses has no states."""
        default = self.shown_at_goal
        start = self.tower(0, self.shown_at_start)
        states = {colour: (self.tower(2, colour),) if self.takes(2, colour) else () for colour in _COLOURS}
        return (
            Goal(_WORDS[default], states[default], start, self.published),
            Goal(_WORDS[_OTHER[default]], states[_OTHER[default]], start),
        )

    @property
    def published(self) -> Published | None:
        totals = _TOTALS.get(_SAME_TOTALS.get(self.posts, self.posts))
        return Published("OEIS (Magnetic Tower of Hanoi)", start_distance=totals[self.n]) if totals else None

    @cached_property
    def disks(self) -> dict[str, int]:
        """Disks by what they are called."""
        return {str(disk): disk for disk in range(1, self.n + 1)}


# The board side: text. A board is uint8[n], the choice of each disk, the largest first.


def _parse(variant: _Variant, text: str) -> Board:
    example = (
        f"a state of {variant.name} looks like {variant.tower(0, variant.shown_at_start)!r}: the posts S|I|D, each the "
        f"colour its disks show, R or B, and its disks from top to bottom, 1 the largest, {variant.n} the smallest"
    )
    short = repr(shorten(text))
    parts = text.split("|")
    if len(parts) != 3:
        raise InvalidState(f"{short} has {len(parts)} posts, not 3", example)
    choices = [-1] * variant.n
    for post, part in enumerate(parts):
        if not part:
            continue
        colour = part[0]
        if colour not in _COLOURS:
            raise InvalidState(f"post {_POSTS[post]} of {short} does not begin with R or B", example)
        above = variant.n + 1
        for word in part[1:].split("."):
            disk = _disk(variant, word, colour, short, example)
            if choices[disk - 1] >= 0:
                raise ImpossibleState(f"{short} has disk {disk} twice", example)
            if disk > above:
                raise ImpossibleState(f"{short} has the larger disk {above} on the smaller disk {disk}", example)
            choices[disk - 1] = 2 * post + _COLOURS.index(colour)
            above = disk
        if not variant.takes(post, colour):
            own = _WORDS[variant.posts[post]]
            raise ImpossibleState(f"{short} shows {_WORDS[colour]} on post {_POSTS[post]}, which is {own}", example)
    if -1 in choices:
        raise ImpossibleState(f"{short} lacks disk {choices.index(-1) + 1}", example)
    return np.array(choices, np.uint8)


def _disk(variant: _Variant, word: str, colour: str, short: str, example: str) -> int:
    """The disk of that number; its digits are never made an integer, however many there are."""
    disk = variant.disks.get(word)
    if disk is not None:
        return disk
    if word[:1] and word[0] == _OTHER[colour] and word[1:] in variant.disks:
        raise ImpossibleState(
            f"{short} has disks of both colours on one post, so that sides of one colour touch", example
        )
    if word.isascii() and word.isdigit() and word[0] != "0":
        raise ImpossibleState(f"{short} has a disk {shorten(word, 20)}, and there are {variant.n}", example)
    raise InvalidState(f"{short} has {shorten(word, 20)!r} where the number of a disk belongs", example)


def _format(board: Board) -> str:
    posts = ["", "", ""]
    for disk in range(len(board), 0, -1):
        post, colour = divmod(int(board[disk - 1]), 2)
        posts[post] += f".{disk}" if posts[post] else f"{_COLOURS[colour]}{disk}"
    return "|".join(posts)


def _play(variant: _Variant, text: str, move: str) -> str:
    if move not in _MOVES:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(_MOVES)}")
    source, target = _MOVES[move]
    posts = text.split("|")
    left, right = posts[source], posts[target]
    why = "a move takes the top disk of one post to another and turns it over"
    illegal = f"{move} is not legal in {text!r}"
    if not left:
        raise IllegalMove(f"{illegal}: post {move[0]} is empty", why)
    disk, _, rest = left[1:].partition(".")
    colour = _OTHER[left[0]]
    if not variant.takes(target, colour):
        own = _WORDS[variant.posts[target]]
        raise IllegalMove(f"{illegal}: disk {disk} would show {_WORDS[colour]} on a {own} post", why)
    if right:
        below = right[1:].partition(".")[0]
        if int(below) > int(disk):
            raise IllegalMove(f"{illegal}: disk {disk} is larger than disk {below}", why)
        if right[0] != colour:
            raise IllegalMove(f"{illegal}: equal sides of disks {disk} and {below} would touch", why)
    posts[source] = left[0] + rest if rest else ""
    posts[target] = colour + disk + ("." + right[1:] if right else "")
    return "|".join(posts)


# The picture: posts side by side on bases of their colour. A disk shows the side that is up, and
# below it, thinner, the other.

_PAINT = {"R": "#d8433b", "B": "#2f6fde", "N": "#8b8478"}
_WIDEST, _NARROWEST = 150.0, 34.0
_UP, _DOWN = 16.0, 6.0
_MARGIN, _ROD, _BASE = 10.0, 10.0, 18.0


def _picture(variant: _Variant, text: str) -> Picture:
    board = _parse(variant, text)
    floor = _MARGIN + _ROD + (_UP + _DOWN) * variant.n
    apart = _WIDEST + _MARGIN
    cells = []
    for post, letter in enumerate(_POSTS):
        middle = _MARGIN + _WIDEST / 2 + post * apart
        colour = variant.posts[post]
        cells.append(_bar(f"rod {letter}", _PAINT["N"], middle, _ROD, _MARGIN, floor - _MARGIN))
        cells.append(_bar(f"post {letter}, {_WORDS[colour]}", _PAINT[colour], middle, _WIDEST, floor, _BASE, letter))
        top = floor
        for disk in range(1, variant.n + 1):
            at, shown = divmod(int(board[disk - 1]), 2)
            if at == post:
                width = _WIDEST - (_WIDEST - _NARROWEST) * (disk - 1) / max(variant.n - 1, 1)
                up = _COLOURS[shown]
                top -= _UP + _DOWN
                cells.append(_bar(f"disk {disk}, below", _PAINT[_OTHER[up]], middle, width, top + _UP, _DOWN))
                cells.append(_bar(f"disk {disk}", _PAINT[up], middle, width, top, _UP, str(disk)))
    return Picture(2 * _MARGIN + _WIDEST + 2 * apart, floor + _BASE + _MARGIN, tuple(cells))


def _bar(place: str, colour: str, middle: float, width: float, top: float, height: float, label: str = "") -> Cell:
    outline = f"M{middle - width / 2:.2f} {top:.2f}h{width:.2f}v{height:.2f}h{-width:.2f}Z"
    return Cell(place, outline, colour, label, middle, top + height / 2)


# The index side.


def _can_move(variant: _Variant, holding: _Holding) -> bool:
    """Whether a state of this holding has a legal move.

    Between two posts of different colours the smaller of the top disks goes to the other; to an
    empty post that takes the other colour any top disk goes.
    """
    for source, target in _MOVES.values():
        shown, there = holding[source], holding[target]
        if shown and there and shown != there:
            return True
        if shown and not there and variant.takes(target, _COLOURS[2 - shown]):
            return True
    return False


def _placed(variant: _Variant, holding: _Holding, choice: int) -> _Holding | None:
    """What the posts show with one more, smaller disk; None where it may not lie."""
    post, colour = divmod(choice, 2)
    if holding[post] != colour + 1 and (holding[post] or not variant.takes(post, _COLOURS[colour])):
        return None
    changed = list(holding)
    changed[post] = colour + 1
    return changed[0], changed[1], changed[2]


def _automaton(variant: _Variant, goal: Goal) -> tuple[int, npt.NDArray[np.int32]]:
    """How many states there are, and the links: int32[disks, holdings, choices, (follow, offset)].

    `follow` is the next holding, -1 where no state goes on from there; `offset` counts the states
    that go through the links before.
    """
    solved: _Holding = (0, 0, 1 + [_WORDS[colour] for colour in _COLOURS].index(goal.name))
    states = [int(not goal.states or holding == solved or _can_move(variant, holding)) for holding in _HOLDINGS]
    links = np.full((variant.n, len(_HOLDINGS), 6, 2), -1, np.int32)
    for disk in range(variant.n - 1, -1, -1):
        after, states = states, []
        for at, holding in enumerate(_HOLDINGS):
            passed = 0
            for choice in range(6):
                follow = _placed(variant, holding, choice)
                if follow and after[_HOLDINGS.index(follow)]:
                    links[disk, at, choice] = _HOLDINGS.index(follow), passed
                    passed += after[_HOLDINGS.index(follow)]
            states.append(passed)
    return states[0], links


def _space(variant: _Variant, goal: Goal) -> Space:
    size, links = _automaton(variant, goal)

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(_MOVES)), np.int64)
        _expand(indices, links, successors)
        return successors

    def rank(boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, links, indices)
        return indices

    def unrank(indices: Indices) -> Boards:
        boards = np.empty((len(indices), variant.n), np.uint8)
        _unrank(indices, links, boards)
        return boards

    solved = [_parse(variant, state) for state in goal.states]
    goal_states = rank(np.array(solved, np.uint8).reshape(-1, variant.n))
    return Space(size=size, expand=expand, goal_states=goal_states, rank=rank, unrank=unrank)


@kernel
def _rank(boards, links, indices):  # type: ignore[no-untyped-def]
    for i in range(boards.shape[0]):
        indices[i] = node = 0
        for disk in range(boards.shape[1]):
            choice = boards[i, disk]
            follow = links[disk, node, choice, 0] if choice < 6 else -1
            if follow < 0:
                indices[i] = -1
                break
            indices[i] += links[disk, node, choice, 1]
            node = follow


@kernel
def _unrank(indices, links, boards):  # type: ignore[no-untyped-def]
    n = links.shape[0]
    choices, nodes, ranks = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(indices.shape[0]):
        _walk(indices[i], links, choices, nodes, ranks)
        for disk in range(n):
            boards[i, disk] = choices[disk]


@kernel
def _walk(index, links, choices, nodes, ranks):  # type: ignore[no-untyped-def]
    """The path of an index: each disk's choice, and the node and the sum of offsets before it."""
    node, rank = np.int64(0), np.int64(0)
    for disk in range(links.shape[0]):
        nodes[disk] = node
        ranks[disk] = rank
        choice = 5
        while links[disk, node, choice, 0] < 0 or rank + links[disk, node, choice, 1] > index:
            choice -= 1
        choices[disk] = choice
        rank += links[disk, node, choice, 1]
        node = np.int64(links[disk, node, choice, 0])


@kernel
def _expand(indices, links, successors):  # type: ignore[no-untyped-def]
    n = links.shape[0]
    choices, nodes, ranks = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    top = np.empty(3, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        _walk(indices[i], links, choices, nodes, ranks)
        top[:] = -1
        for disk in range(n):
            top[choices[disk] // 2] = disk
        move = 0
        for source in range(3):
            for target in range(3):
                if source != target:
                    disk = top[source]
                    if disk > top[target]:
                        choice = 2 * target + 1 - choices[disk] % 2
                        successors[i, move] = _moved(disk, choice, links, choices, nodes[disk], ranks[disk])
                    move += 1


@kernel
def _moved(disk, choice, links, choices, node, rank):  # type: ignore[no-untyped-def]
    """The index with one disk's choice another, the larger disks' path being known; -1 where it may not lie."""
    for smaller in range(disk, links.shape[0]):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(links[smaller, node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += links[smaller, node, choice, 1]
        node = follow
    return rank


# The family.


@cache
def _puzzle(name: str) -> Puzzle:
    _, posts, n = name.split("-")
    variant = _Variant(posts.upper(), int(n))
    goals = variant.goals
    swapped = variant.posts.translate(str.maketrans("RB", "BR"))
    twin = f", {swapped} with the colours swapped" if variant.posts[0] == "B" else ""
    start = goals[0].start
    play = partial(_play, variant)
    first = [start, *played(play, start, _MOVES).values(), *(state for goal in goals for state in goal.states)]
    return Puzzle(
        name=name,
        title=f"Magnetic Tower of Hanoi {variant.posts}{twin}, {n} disk{'s' if variant.n > 1 else ''}",
        family="hanoi",
        moves=tuple(Move(move, f"post {move[0]}") for move in _MOVES),
        goals=goals,
        notation=Notation(
            state=f"The posts S|I|D ({', '.join(_WORDS[post] for post in variant.posts)}), each as the colour its "
            "disks show, R or B, and the disks from top to bottom by number, 1 the largest, separated by dots; an "
            f"empty post is empty{twin}",
            moves="The top disk of the first post goes to the second and is turned over: SI SD IS ID DS DI",
            examples=tuple(first),
        ),
        parse=partial(_parse, variant),
        format=_format,
        play=play,
        picture=partial(_picture, variant),
        space=cache(partial(_space, variant)),
    )


FAMILY = Family(
    name="hanoi",
    title="Magnetic Tower of Hanoi",
    template="hanoi-SID-1 to hanoi-SID-13, each of the posts S, I, D being r (red), b (blue) or n (neutral)",
    pattern=re.compile("hanoi-[rbn]{3}-([1-9]|1[0-3])"),
    members=(
        "hanoi-nnn-3",
        "hanoi-nnn-8",
        *(f"hanoi-{posts}-5" for posts in "rbb rrb rbn nrb rnb rnn nnb nnr nbr rrn bnr".split()),  # noqa: SIM905
    ),
    make=_puzzle,
)

"""Magnetic Tower of Hanoi (Uri Levy): disks with a red and a blue side, turned over by every move.

Glossary
    post        S, I or D: source, intermediate, destination. A coloured post (R or B) takes only
                disks that show its colour, a neutral one (N) takes both.
    disk        numbered from the largest, 1, to the smallest, n. Touching sides differ in colour, so
                all disks of a post show the same colour up: the post's colour while it holds any.
    choice      where a disk lies and what it shows, 2 * post + colour, red 0 and blue 1.
    holding     what each post shows, 0 (empty), 1 (red) or 2 (blue).
    frozen      a state without a legal move: all disks show one colour, and every empty post
                refuses the other.

A state is a sequence of choices, from the largest disk to the smallest, and an automaton ranks it.
What a disk may choose depends on the holding alone. Frozen states have no index, since no move
joins them to another state. All other states are joined, so every index can reach the goal. Two
kinds of goals are exceptions. A goal that is itself frozen has an index, and no move leads to it. A
goal that the destination's colour refuses is no state: every state has an index then, and no
distance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations

import numpy as np

from puzzlebase.kernels import kernel
from puzzlebase.puzzles._automaton import Flags, States, make_automaton
from puzzlebase.puzzles._layout import Effect, Layout, Piece, Place, Shape, moved_to, rectangle
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Drawing,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Move,
    Notation,
    Published,
    Puzzle,
    played,
    shorten,
)
from puzzlebase.puzzles._space import Boards, Indices, Space
from puzzlebase.puzzles._spaces import SPACES

_POSTS = "SID"
_COLOURS = "RB"
_WORDS = {"R": "red", "B": "blue", "N": "neutral"}
_OTHER = {"R": "B", "B": "R"}
_SWAPPED = str.maketrans(_OTHER)
_MOVES = {a + b: (_POSTS.index(a), _POSTS.index(b)) for a, b in permutations(_POSTS, 2)}


@dataclass(frozen=True)
class _Rules:
    """One puzzle of the family: the posts' colours, `RNB` say, and the number of disks."""

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
        """The colour of the default goal: the destination's, or the other one than at the start."""
        return _OTHER[self.shown_at_start] if self.posts[2] == "N" else self.posts[2]

    @cached_property
    def disks(self) -> dict[str, int]:
        """The disks by what they are called."""
        return {str(disk): disk for disk in range(1, self.n + 1)}

    @property
    def start(self) -> str:
        return self.tower(0, self.shown_at_start)

    def tower(self, post: int, colour: str) -> str:
        """The state that has all disks on one post."""
        disks = colour + ".".join(str(disk) for disk in range(self.n, 0, -1))
        return "|".join(disks if at == post else "" for at in range(3))

    def takes(self, post: int, colour: str) -> bool:
        """Whether a post, when it is empty, takes a disk that shows this colour."""
        return self.posts[post] in ("N", colour)


# The board side: text. A board is uint8[n], the choice of each disk, the largest first.


def _parse(rules: _Rules, text: str) -> Board:
    example = (
        f"a state of {rules.name} looks like {rules.start!r}: the posts S|I|D, each the "
        f"colour its disks show, R or B, and its disks from top to bottom, 1 the largest, {rules.n} the smallest"
    )
    short = repr(shorten(text))
    parts = text.split("|")
    if len(parts) != 3:
        raise InvalidState(f"{short} has {len(parts)} posts, not 3", example)
    choices = [-1] * rules.n
    for post, part in enumerate(parts):
        if not part:
            continue
        colour = part[0]
        if colour not in _COLOURS:
            raise InvalidState(f"post {_POSTS[post]} of {short} does not begin with R or B", example)
        above = rules.n + 1
        for word in part[1:].split("."):
            disk = _disk(rules, word, colour, short, example)
            if choices[disk - 1] >= 0:
                raise ImpossibleState(f"{short} has disk {disk} twice", example)
            if disk > above:
                raise ImpossibleState(f"{short} has the larger disk {above} on the smaller disk {disk}", example)
            choices[disk - 1] = 2 * post + _COLOURS.index(colour)
            above = disk
        if not rules.takes(post, colour):
            own = _WORDS[rules.posts[post]]
            raise ImpossibleState(f"{short} shows {_WORDS[colour]} on post {_POSTS[post]}, which is {own}", example)
    if -1 in choices:
        raise ImpossibleState(f"{short} lacks disk {choices.index(-1) + 1}", example)
    return np.array(choices, np.uint8)


def _disk(rules: _Rules, word: str, colour: str, short: str, example: str) -> int:
    """The disk that a word names. Digits are compared as text: there may be too many for an integer."""
    disk = rules.disks.get(word)
    if disk is not None:
        return disk
    if word[:1] and word[0] == _OTHER[colour] and word[1:] in rules.disks:
        raise ImpossibleState(
            f"{short} has disks of both colours on one post, so that sides of one colour touch", example
        )
    if word.isascii() and word.isdigit() and word[0] != "0":
        raise ImpossibleState(f"{short} has a disk {shorten(word, 20)}, and there are {rules.n}", example)
    raise InvalidState(f"{short} has {shorten(word, 20)!r} where the number of a disk belongs", example)


def _format(board: Board) -> str:
    posts = ["", "", ""]
    for disk in range(len(board), 0, -1):
        post, colour = divmod(int(board[disk - 1]), 2)
        posts[post] += f".{disk}" if posts[post] else f"{_COLOURS[colour]}{disk}"
    return "|".join(posts)


def _play(rules: _Rules, text: str, move: str) -> str:
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
    if not rules.takes(target, colour):
        own = _WORDS[rules.posts[target]]
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


# Goals: all disks on the destination.

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
"""Variants that take as many moves as another one: it is played backwards, and where need be with colours swapped."""


def _goals(rules: _Rules) -> tuple[Goal, ...]:
    """Blue and red, the default first. A colour that the destination refuses has no states."""
    default = rules.shown_at_goal
    states = {colour: (rules.tower(2, colour),) if rules.takes(2, colour) else () for colour in _COLOURS}
    return (
        Goal(_WORDS[default], states[default], rules.start, _published(rules)),
        Goal(_WORDS[_OTHER[default]], states[_OTHER[default]], rules.start),
    )


def _published(rules: _Rules) -> Published | None:
    totals = _TOTALS.get(_SAME_TOTALS.get(rules.posts, rules.posts))
    return Published("OEIS (Magnetic Tower of Hanoi)", start_distance=totals[rules.n]) if totals else None


# The board as data: three posts side by side, each on a base of its colour. A disk is two bars: the upper one has the
# colour that is up, the thinner one below has the other colour. A place is a height on a post.

_PAINT = {"R": "#d8433b", "B": "#2f6fde", "N": "#8b8478"}
_WIDEST, _NARROWEST = 150.0, 34.0
_UP, _DOWN = 16.0, 6.0
_MARGIN, _ROD, _BASE, _LETTER = 10.0, 10.0, 18.0, 12.0
_APART = _WIDEST + _MARGIN


def _layout(rules: _Rules, text: str, _goal: Goal) -> Layout:
    board = _parse(rules, text)
    floor = _floor(rules)
    marks = []
    for post, letter in enumerate(_POSTS):
        colour, middle = rules.posts[post], _middle(post)
        top = _MARGIN + _UP + _DOWN  # room for a disk to pass above
        rod = rectangle(middle - _ROD / 2, top, _ROD, floor - top)
        base = rectangle(middle - _WIDEST / 2, floor, _WIDEST, _BASE)
        marks += [
            Shape(id=f"rod-{letter}", outline=rod, colour=_PAINT["N"], x=middle, y=(top + floor) / 2),
            Shape(
                id=f"post-{letter}",
                outline=base,
                colour=_PAINT[colour],
                x=middle,
                y=floor + _BASE / 2,
                label=letter,
                size=_LETTER,
            ),
        ]
    heights = [0, 0, 0]
    pieces: list[Piece] = []
    for disk, choice in enumerate(board.tolist(), 1):
        post, shown = divmod(choice, 2)
        heights[post] += 1
        pieces += _disk_at(rules, disk, post, heights[post], _COLOURS[shown])
    places = tuple(
        Place(f"{letter}{height}", _middle(post), floor - (height - 0.5) * (_UP + _DOWN))
        for post, letter in enumerate(_POSTS)
        for height in range(1, rules.n + 1)
    )
    return Layout(2 * _MARGIN + _WIDEST + 2 * _APART, floor + _BASE + _MARGIN, places, tuple(marks), tuple(pieces))


def _effect(rules: _Rules, text: str, move: str) -> Effect:
    """The top disk goes up over its post, across, and down, and is turned over."""
    after = _play(rules, text, move)
    lifted, landed = (_top(rules, state, post) for state, post in zip((text, after), _MOVES[move], strict=True))
    rise = lifted[1].y - _MARGIN - _UP / 2
    motions = tuple(
        moved_to(old, new, via=((old.x, old.y - rise), (new.x, old.y - rise)), lift=True, flip=True)
        for old, new in zip(lifted, landed, strict=True)
    )
    return Effect(tuple(motion.piece for motion in motions), motions)


def _top(rules: _Rules, text: str, post: int) -> tuple[Piece, Piece]:
    """The bars of the top disk of a post."""
    part = text.split("|")[post]
    disk, *below = part[1:].split(".")
    return _disk_at(rules, int(disk), post, len(below) + 1, part[0])


def _disk_at(rules: _Rules, disk: int, post: int, height: int, up: str) -> tuple[Piece, Piece]:
    """The bars of a disk that lies at a height, 1 the lowest: the lower bar has the colour that is down."""
    width = _WIDEST - (_WIDEST - _NARROWEST) * (disk - 1) / max(rules.n - 1, 1)
    middle, place = _middle(post), f"{_POSTS[post]}{height}"
    top = _floor(rules) - height * (_UP + _DOWN)

    def bar(name: str, colour: str, label: str, top: float, height: float) -> Piece:
        outline = rectangle(middle - width / 2, top, width, height)
        y = round(top + height / 2, 2)
        return Piece(
            id=name, outline=outline, colour=_PAINT[colour], x=middle, y=y, label=label, size=_LETTER, place=place
        )

    below = bar(f"disk-{disk}-below", _OTHER[up], "", top + _UP, _DOWN)
    return below, bar(f"disk-{disk}", up, str(disk), top, _UP)


def _floor(rules: _Rules) -> float:
    return _MARGIN + _ROD + (_UP + _DOWN) * (rules.n + 1)


def _middle(post: int) -> float:
    return _MARGIN + _WIDEST / 2 + post * _APART


# The index side.


class _Index:
    """The indices of the states that one goal has, and the moves between them."""

    def __init__(self, rules: _Rules, goal: Goal) -> None:
        self.automaton = make_automaton((0, 0, 0), rules.n, partial(_choose, rules), partial(_has_index, rules, goal))

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(_MOVES)), np.int64)
        _expand(indices, self.automaton.links, self.automaton.length, successors)
        return successors

    def rank(self, boards: Boards) -> Indices:
        return self.automaton.rank(boards)

    def unrank(self, indices: Indices) -> Boards:
        return self.automaton.unrank(indices)


def _choose(rules: _Rules, holdings: States) -> tuple[States, Flags]:
    """The holdings after each choice of the next disk, and whether it may make that choice."""
    choices = np.arange(6)
    posts, shown = choices // 2, choices % 2 + 1
    after = np.repeat(holdings[:, None], len(choices), axis=1)
    after[:, choices, posts] = shown
    empty_takes = [rules.takes(post, colour) for post in range(3) for colour in _COLOURS]
    held = holdings[:, posts]
    return after, (held == shown) | ((held == 0) & empty_takes)


def _has_index(rules: _Rules, goal: Goal, holdings: States) -> Flags:
    """Whether states of these holdings have an index: the goal has one, and all states that are not frozen."""
    solved = [0, 0, 1 + [_WORDS[colour] for colour in _COLOURS].index(goal.name)]
    kept = [not goal.states or holding == solved or _can_move(rules, holding) for holding in holdings.tolist()]
    return np.array(kept, np.bool_)


def _can_move(rules: _Rules, holding: list[int]) -> bool:
    """Whether a state of this holding has a legal move.

    Between two posts of different colours the smaller of the top disks goes to the other; to an
    empty post that takes the other colour any top disk goes.
    """
    for source, target in _MOVES.values():
        shown, there = holding[source], holding[target]
        if shown and there and shown != there:
            return True
        if shown and not there and rules.takes(target, _COLOURS[2 - shown]):
            return True
    return False


def _space(rules: _Rules, goal: Goal) -> Space:
    index = _Index(rules, goal)
    solved = [_parse(rules, state) for state in goal.states]
    return Space(
        size=index.automaton.size,
        expand=index.expand,
        goal_states=index.rank(np.array(solved, np.uint8).reshape(-1, rules.n)),
        rank=index.rank,
        unrank=index.unrank,
    )


@kernel
def _walk(rank, links, choices, nodes, sums):  # type: ignore[no-untyped-def]
    """The path of a rank: its symbols, the node before each of them, and the sums of offsets before and behind each.

    As in the automaton, whose kernels another file's may not call. To walk a batch there first cost a lookup, which
    expands one state, 4 to 7 microseconds more.
    """
    node, total = np.int64(0), np.int64(0)
    for at in range(choices.shape[0]):
        symbol = links.shape[1] - 1
        while links[node, symbol, 1] > rank - total:
            symbol -= 1
        choices[at], nodes[at], sums[at] = symbol, node, total
        total += links[node, symbol, 1]
        node = np.int64(links[node, symbol, 0])
    sums[choices.shape[0]] = total


@kernel
def _expand(indices, links, n, successors):  # type: ignore[no-untyped-def]
    choices, nodes, sums = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    top = np.empty(3, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        _walk(indices[i], links, choices, nodes, sums)
        top[:] = -1
        for disk in range(choices.shape[0]):
            top[choices[disk] // 2] = disk
        move = 0
        for source in range(3):
            for target in range(3):
                if source != target:
                    disk = top[source]
                    if disk > top[target]:
                        choice = 2 * target + 1 - choices[disk] % 2
                        successors[i, move] = _moved(disk, choice, choices, nodes[disk], sums[disk], links)
                    move += 1


@kernel
def _moved(disk, choice, choices, node, rank, links):  # type: ignore[no-untyped-def]
    """The index when one disk makes another choice; -1 where it may not. `node` and `rank` are those before it."""
    for smaller in range(disk, choices.shape[0]):
        if smaller > disk:
            choice = choices[smaller]
        follow = np.int64(links[node, choice, 0])
        if follow < 0:
            return np.int64(-1)
        rank += links[node, choice, 1]
        node = follow
    return rank


# The family.


def _puzzle(name: str) -> Puzzle:
    _, posts, n = name.split("-")
    rules = _Rules(posts.upper(), int(n))
    goals = _goals(rules)
    twin = f", {rules.posts.translate(_SWAPPED)} with the colours swapped" if rules.posts[0] == "B" else ""
    play = partial(_play, rules)
    after = played(play, rules.start, _MOVES).values()
    return Puzzle(
        name=name,
        title=f"Magnetic Tower of Hanoi {rules.posts}{twin}, {n} disk{'s' if rules.n > 1 else ''}",
        family="hanoi",
        moves=tuple(Move(move, f"post {move[0]}") for move in _MOVES),
        goals=goals,
        notation=Notation(
            state=f"The posts S|I|D ({', '.join(_WORDS[post] for post in rules.posts)}), each as the colour its "
            "disks show, R or B, and the disks from top to bottom by number, 1 the largest, separated by dots; an "
            f"empty post is empty{twin}",
            moves="The top disk of the first post goes to the second and is turned over: SI SD IS ID DS DI",
            examples=(rules.start, *after, *(state for goal in goals for state in goal.states)),
        ),
        about=About(
            inventor="Uri Levy",
            link="https://arxiv.org/abs/1003.0225",
            sentence="A Tower of Hanoi whose disks have a red and a blue side and are turned over by every move.",
            instructions="Move the top disk of a post to another one, onto no smaller disk and onto no side of the "
            f"colour that it then has below. It is solved when all disks are on post D and show {goals[0].name}.",
        ),
        parse=partial(_parse, rules),
        format=_format,
        play=play,
        drawing=Drawing(layout=partial(_layout, rules), effect=partial(_effect, rules)),
        space=SPACES.remember(partial(_space, rules)),
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
    example="hanoi-nnn-3",
    larger=("hanoi-nnn-13",),
    place=2,
    make=_puzzle,
)

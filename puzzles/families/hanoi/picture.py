"""The board as data: three posts side by side,
each on a base of its colour; a place is a height on a post.

A disk is two bars: the upper one has the colour that is up,
the thinner one below has the other colour.
"""

from __future__ import annotations

from puzzlebase.puzzles import Effect, Goal, Layout, Piece, Place, Shape, moved_to, rectangle
from puzzlebase.puzzles.contract.layout import piece_in
from puzzlebase.puzzles.families.hanoi.board import parse, play
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MOVES, OTHER, POSTS, HanoiRules

_PAINT = {"R": "#d8433b", "B": "#2f6fde", "N": "#8b8478"}
_WIDEST, _NARROWEST = 150.0, 34.0
_UP, _DOWN = 16.0, 6.0
_MARGIN, _ROD, _BASE, _LETTER = 10.0, 10.0, 18.0, 12.0
_APART = _WIDEST + _MARGIN


def layout(rules: HanoiRules, text: str, _goal: Goal) -> Layout:
    """Draw a state; raises what `parse` raises."""
    board = parse(rules, text)
    floor = _floor(rules)
    marks = []
    for post, letter in enumerate(POSTS):
        x, top = _middle(post), _MARGIN + _UP + _DOWN  # below it a disk can pass
        rod = rectangle(x - _ROD / 2, top, _ROD, floor - top)
        base = rectangle(x - _WIDEST / 2, floor, _WIDEST, _BASE)
        y, colour = floor + _BASE / 2, _PAINT[rules.posts[post]]
        marks += [
            Shape(id=f"rod-{letter}", outline=rod, colour=_PAINT["N"], x=x, y=(top + floor) / 2),
            Shape(
                id=f"post-{letter}",
                outline=base,
                colour=colour,
                x=x,
                y=y,
                label=letter,
                size=_LETTER,
            ),
        ]
    heights = [0, 0, 0]
    pieces: list[Piece] = []
    for disk, choice in enumerate(board.tolist(), 1):
        post, shown = divmod(choice, 2)
        heights[post] += 1
        pieces += _disk_at(rules, disk, post, heights[post], COLOURS[shown])
    places = tuple(
        Place(f"{letter}{height}", _middle(post), floor - (height - 0.5) * (_UP + _DOWN))
        for post, letter in enumerate(POSTS)
        for height in range(1, rules.n + 1)
    )
    return Layout(
        2 * _MARGIN + _WIDEST + 2 * _APART,
        floor + _BASE + _MARGIN,
        places,
        tuple(marks),
        tuple(pieces),
    )


def effect(rules: HanoiRules, text: str, move: str) -> Effect:
    """Move the top disk up over its post, across, and down, turned over."""
    after = play(rules, text, move)
    lifted, landed = (
        _top(rules, state, post) for state, post in zip((text, after), MOVES[move], strict=True)
    )
    rise = lifted[1].y - _MARGIN - _UP / 2
    motions = tuple(
        moved_to(old, new, via=((old.x, old.y - rise), (new.x, old.y - rise)), lift=True, flip=True)
        for old, new in zip(lifted, landed, strict=True)
    )
    return Effect(tuple(motion.piece for motion in motions), motions)


def _top(rules: HanoiRules, text: str, post: int) -> tuple[Piece, Piece]:
    """The bars of the top disk of a post."""
    part = text.split("|")[post]
    disk, *below = part[1:].split(".")
    return _disk_at(rules, int(disk), post, len(below) + 1, part[0])


def _disk_at(rules: HanoiRules, disk: int, post: int, height: int, up: str) -> tuple[Piece, Piece]:
    """The bars of a disk at a height, 1 the lowest: the lower bar has the colour that is down."""
    width = _WIDEST - (_WIDEST - _NARROWEST) * (disk - 1) / max(rules.n - 1, 1)
    middle, place = _middle(post), f"{POSTS[post]}{height}"
    top = _floor(rules) - height * (_UP + _DOWN)

    def bar(name: str, colour: str, label: str, top: float, height: float) -> Piece:
        outline = rectangle(middle - width / 2, top, width, height)
        at = Place(place, middle, round(top + height / 2, 2))
        return piece_in(at, name, outline, _PAINT[colour], label, _LETTER)

    below = bar(f"disk-{disk}-below", OTHER[up], "", top + _UP, _DOWN)
    return below, bar(f"disk-{disk}", up, str(disk), top, _UP)


def _floor(rules: HanoiRules) -> float:
    return _MARGIN + _ROD + (_UP + _DOWN) * (rules.n + 1)


def _middle(post: int) -> float:
    return _MARGIN + _WIDEST / 2 + post * _APART

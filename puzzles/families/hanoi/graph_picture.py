"""The graph of all states as a picture of nested hexagons, a corner for each choice of a disk, as in Sierpinski's.

States that agree in the largest disks are a group. A group is drawn once for each context, then turned or mirrored so
that moves between groups are short. A state's colour is its distance to the goal, and a shortest path is marked.
"""

from __future__ import annotations

from cmath import pi, rect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise, product

import numpy as np

from puzzlebase.puzzles import UNREACHED, Goal, Layout, Shape, circle, played
from puzzlebase.puzzles.families.hanoi.board import format_board, parse, play
from puzzlebase.puzzles.families.hanoi.colouring import COLOURS, MOVES, POSTS, HanoiRules
from puzzlebase.puzzles.families.hanoi.distances import (
    CHOICES,
    Choice,
    Context,
    State,
    context_of,
    stacks,
    turned_to,
    under,
)
from puzzlebase.puzzles.families.hanoi.oracle import HanoiSolver

MAX_DRAWN = 4  # disks: of more, a picture does not tell states apart

_AROUND: tuple[Choice, ...] = (0, 3, 4, 1, 2, 5)
"""The choices around a hexagon: a move of a single disk leads from each to the next."""

_SHRINK = 0.34  # the size of a group relative to that of the group around it

_RADIUS, _MARGIN, _LEGEND = 400.0, 24.0, 64.0
_DISC, _LINE, _MARKED = (15.0, 10.0, 6.5, 4.2), 3.6, 8.0
_PATH, _LINES, _LOST = "#d8433b", "#b9b2a5", "#d6d1c7"
_NEAR_TO_FAR = ("#fde725", "#5ec962", "#21918c", "#3b528b", "#440154")
"""Colours of distances, from light to dark for people who cannot tell hues apart (viridis)."""


def graph_picture(rules: HanoiRules, text: str, _goal: Goal) -> Layout:
    """Draw all states, of at most MAX_DRAWN disks, and the shortest path of one; raises what `parse` raises."""
    parse(rules, text)
    points = {
        format_board(np.array(state, np.uint8)): point
        for state, point in _layout(context_of(rules.posts), rules.n).items()
    }
    goal = rules.tower(2, rules.shown_at_goal)
    solver = HanoiSolver(rules, (goal,))
    distances = dict(zip(points, solver.distances([*points]), strict=True))
    passed = [solver.state_at(text, number) for number in range(max(distances[text], 0) + 1)]

    def named(state: str) -> str:
        return " ".join(POSTS[choice // 2] + COLOURS[choice % 2].lower() for choice in parse(rules, state))

    def after(state: str) -> Iterable[str]:
        return played(partial(play, rules), state, MOVES).values()

    return drawn_graph(points, after, distances, passed, goal, named, rules.n)


def drawn_graph(
    points: Mapping[str, complex],
    after: Callable[[str], Iterable[str]],
    distances: Mapping[str, int],
    passed: Sequence[str],
    goal: str,
    named: Callable[[str], str],
    disks: int,
) -> Layout:
    """Draw a graph: its states at points of the unit circle or so, the moves, distances to the goal, and one path."""
    farthest = max(distances.values())
    margins = complex(_MARGIN, _MARGIN)
    low, high = (
        _RADIUS * complex(choose(at.real for at in points.values()), choose(at.imag for at in points.values()))
        for choose in (min, max)
    )
    placed = {state: _RADIUS * point + margins - low for state, point in points.items()}
    shapes = [_line("a move", placed[one], placed[two], _LINE, _LINES) for one, two in _moves(after, points)]
    shapes += [_line("the path", placed[one], placed[two], _MARKED, _PATH) for one, two in pairwise(passed)]
    radius = _DISC[disks - 1]
    for state, point in placed.items():
        distance = distances[state]
        what = "cannot reach the goal" if distance == UNREACHED else f"distance {distance}"
        wide = 1.5 * radius if state in (passed[0], goal) else radius
        label = str(distance) if distance != UNREACHED and (disks <= 2 or wide > radius) else ""
        shapes.append(_disc(f"{named(state)}, {what}", point, wide, _shade(distance, farthest), label))
    size = high - low + 2 * margins
    shapes += _legend(size.imag, farthest)
    numbered = tuple(replace(shape, id=f"shape-{number}") for number, shape in enumerate(shapes))
    return Layout(size.real, size.imag + _LEGEND, (), numbered, ())


def _moves(after: Callable[[str], Iterable[str]], states: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every move between two states, once."""
    drawn = set()
    for state in states:
        drawn.add(state)
        yield from ((state, to) for to in after(state) if to not in drawn)


@cache
def _layout(context: Context, disks: int) -> dict[State, complex]:
    """The places of all states of some disks, within a hexagon of radius 1 or little more."""
    if disks == 0:
        return {(): 0j}
    corners = {choice: _turned(_AROUND.index(choice)) for choice in stacks(context)}
    groups = {largest: _layout(under(context, largest), disks - 1) for largest in corners}
    joins = [
        (largest, to, (stack,) * (disks - 1))
        for largest, source in product(corners, CHOICES[::2])
        for to in [turned_to(largest, source // 2)]
        if largest < to and to in corners and largest // 2 != to // 2
        for stack in stacks(under(context, largest))
        if stack // 2 not in (largest // 2, to // 2)
    ]
    turns = dict.fromkeys(corners, 0)

    def place(largest: Choice, turn: int, rest: State) -> complex:
        point = groups[largest][rest]
        return corners[largest] + _SHRINK * (point.conjugate() if turn >= len(_AROUND) else point) * _turned(turn % 6)

    def length(largest: Choice, turn: int) -> float:
        tried = turns | {largest: turn}
        return sum(
            abs(place(one, tried[one], rest) - place(two, tried[two], rest))
            for one, two, rest in joins
            if largest in (one, two)
        )

    for largest in [*corners] * 3:  # one group after another: later turns then keep earlier moves short
        turns[largest] = min(range(2 * len(_AROUND)), key=lambda turn: round(length(largest, turn), 9))
    return {(largest, *rest): place(largest, turns[largest], rest) for largest in corners for rest in groups[largest]}


def _turned(sixths: int) -> complex:
    return rect(1, pi * sixths / 3)


def _line(title: str, one: complex, two: complex, width: float, colour: str) -> Shape:
    along = two - one
    aside = along * 1j / abs(along) * width / 2
    corners = (one + aside, two + aside, two - aside, one - aside)
    outline = "M" + "L".join(f"{corner.real:.1f} {corner.imag:.1f}" for corner in corners) + "Z"
    return Shape(id="", title=title, outline=outline, colour=colour, x=one.real, y=one.imag)


def _disc(title: str, at: complex, radius: float, colour: str, label: str) -> Shape:
    return Shape(
        id="", title=title, outline=circle(at.real, at.imag, radius), colour=colour, x=at.real, y=at.imag, label=label
    )


def _shade(distance: int, farthest: int) -> str:
    """The colour of a distance."""
    if distance == UNREACHED:
        return _LOST
    at = distance / max(farthest, 1) * (len(_NEAR_TO_FAR) - 1)
    low = min(int(at), len(_NEAR_TO_FAR) - 2)
    one, two = (bytes.fromhex(colour[1:]) for colour in _NEAR_TO_FAR[low : low + 2])
    return "#" + bytes(round(a + (b - a) * (at - low)) for a, b in zip(one, two, strict=True)).hex()


def _legend(top: float, farthest: int) -> Iterator[Shape]:
    """Discs of some distances, from 0 to the farthest."""
    shown = sorted({round(farthest * step / 8) for step in range(9)}) if farthest >= 0 else []
    for at, distance in enumerate(shown):
        point = complex(_MARGIN + 18 + 44 * at, top + _LEGEND / 2)
        yield _disc(f"distance {distance}", point, 15, _shade(distance, farthest), str(distance))

"""The graph of all states as a picture: nested hexagons, a corner for each choice of a disk, as in Sierpinski's.

The states that agree in the largest disks lie together. Such a group is drawn once for each context and then turned or
mirrored, so that the moves that join groups are short. A state's colour is its distance to the goal, and the first
shortest path from the state asked for is marked.
"""

from __future__ import annotations

from cmath import pi, rect
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from itertools import pairwise, product

import numpy as np

from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.layout import Layout, Shape, circle
from puzzlebase.puzzles.contract.space import UNREACHED
from puzzlebase.puzzles.families.hanoi.board import format_board, parse
from puzzlebase.puzzles.families.hanoi.distances import State
from puzzlebase.puzzles.families.hanoi.oracle import HanoiSolver
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MOVES, POSTS, HanoiRules
from puzzlebase.puzzles.families.hanoi.stacks import (
    CHOICES,
    Choice,
    Context,
    context_of,
    stacks,
    takes,
    turned_to,
    under,
)

MAX_DRAWN = 4
"""The most disks whose states can be told apart in a picture."""

Points = dict[State, complex]

_AROUND: tuple[Choice, ...] = (0, 3, 4, 1, 2, 5)
"""The choices around a hexagon: a move of a single disk leads from each to the next."""

_SHRINK = 0.34  # the size of a group relative to that of the group around it

_RADIUS, _MARGIN, _LEGEND = 400.0, 24.0, 64.0
_DISC, _LINE, _MARKED = (15.0, 10.0, 6.5, 4.2), 3.6, 8.0
_PATH, _LINES, _LOST = "#d8433b", "#b9b2a5", "#d6d1c7"
_NEAR_TO_FAR = ("#fde725", "#5ec962", "#21918c", "#3b528b", "#440154")
"""Colours of distances, which people who cannot tell hues apart see from light to dark (viridis)."""


def graph_picture(rules: HanoiRules, text: str, _goal: Goal) -> Layout:
    """All states of a puzzle of at most MAX_DRAWN disks, and the shortest path of one; raises what `parse` raises."""
    begin = _read(rules, text)
    context = context_of(rules.posts)
    points = {state: _RADIUS * point for state, point in _layout(context, rules.n).items()}
    goal = rules.tower(2, rules.shown_at_goal)
    solver = HanoiSolver(rules, (goal,))
    texts = [format_board(np.array(state, np.uint8)) for state in points]
    distances = dict(zip(points, solver.distances(texts), strict=True))
    passed = [_read(rules, solver.state_at(text, number)) for number in range(max(distances[begin], 0) + 1)]
    farthest = max(distances.values())
    low = complex(min(point.real for point in points.values()), min(point.imag for point in points.values()))
    high = complex(max(point.real for point in points.values()), max(point.imag for point in points.values()))
    margins = complex(_MARGIN, _MARGIN)
    placed = {state: point + margins - low for state, point in points.items()}
    shapes = [_line("a move", placed[one], placed[two], _LINE, _LINES) for one, two in _moves(context, points)]
    shapes += [_line("the path", placed[one], placed[two], _MARKED, _PATH) for one, two in pairwise(passed)]
    radius = _DISC[rules.n - 1]
    for state, point in placed.items():
        distance = distances[state]
        what = "cannot reach the goal" if distance == UNREACHED else f"distance {distance}"
        wide = 1.5 * radius if state in (begin, _read(rules, goal)) else radius
        label = str(distance) if distance != UNREACHED and (rules.n <= 2 or wide > radius) else ""
        named = " ".join(POSTS[choice // 2] + COLOURS[choice % 2].lower() for choice in state)
        shapes.append(_disc(f"{named}, {what}", point, wide, _shade(distance, farthest), label))
    size = high - low + 2 * margins
    shapes += _legend(size.imag, farthest)
    numbered = tuple(replace(shape, id=f"shape-{number}") for number, shape in enumerate(shapes))
    return Layout(size.real, size.imag + _LEGEND, (), numbered, ())


def _read(rules: HanoiRules, text: str) -> State:
    return tuple(parse(rules, text).tolist())


def _moves(context: Context, states: Points) -> Iterator[tuple[State, State]]:
    """Every move between two states, once."""
    for state in states:
        for source, target in MOVES.values():
            after = _moved(context, state, source, target)
            if after is not None and state < after:
                yield state, after


def _moved(context: Context, state: State, source: int, target: int) -> State | None:
    """The state after a move, None where it is not legal."""
    tops = {choice // 2: disk for disk, choice in enumerate(state)}
    disk = tops.get(source, -1)
    if disk <= tops.get(target, -1):
        return None
    asked, to = reduce(under, state[:disk], context), turned_to(state[disk], target)
    return (*state[:disk], to, *state[disk + 1 :]) if takes(asked, to) else None


@cache
def _layout(context: Context, disks: int) -> Points:
    """Where the states of so many disks are drawn, within a hexagon of radius 1 or little more."""
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

    for largest in [*corners] * 3:  # one group after another, until no turn of one makes its moves shorter
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

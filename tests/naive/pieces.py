"""Motions of pieces, from their description alone:
outlines are read, and each of their points is moved.
"""

from __future__ import annotations

import re
from math import cos, radians, sin
from typing import Any, NamedTuple

Point = tuple[float, float]


class Arc(NamedTuple):
    """An edge of an outline: its ends, its radius (0 for a line), and its flags in SVG."""

    start: Point
    end: Point
    radius: float
    large: int
    sweep: int


def edges(outline: str) -> list[Arc]:
    """The edges of SVG path data of M, L, A and Z, all absolute; arcs are of circles."""
    assert re.fullmatch(r"(?:M[^A-Z]+(?:[LA][^A-Z]+)*Z)*", outline), outline
    found: list[Arc] = []
    at = begin = (0.0, 0.0)
    for step, written in re.findall(r"([MLAZ])([^MLAZ]*)", outline):
        numbers = [float(word) for word in written.split()]
        if step == "Z":
            if at != begin:
                found.append(Arc(at, begin, 0, 0, 0))
            continue
        to = numbers[-2], numbers[-1]
        if step == "M":
            assert len(numbers) == 2
            begin = to
        elif step == "L":
            assert len(numbers) == 2
            found.append(Arc(at, to, 0, 0, 0))
        else:
            radius, same, rotation, large, sweep = numbers[:5]
            assert len(numbers) == 7
            assert radius == same
            assert rotation == 0
            found.append(Arc(at, to, radius, int(large), int(sweep)))
        at = to
    return found


def moved_point(point: Point, motion: Any) -> Point:
    """Move a point by a motion of the board's JSON."""
    x, y = point
    if motion["turn"]:
        about, angle = motion["turn"], radians(motion["turn"]["degrees"])
        dx, dy = x - about["x"], y - about["y"]
        # y goes downwards, so a turn that is clockwise to the eye goes from the x axis to the y
        # axis.
        x, y = (
            about["x"] + dx * cos(angle) - dy * sin(angle),
            about["y"] + dx * sin(angle) + dy * cos(angle),
        )
    if motion["slide"]:
        assert len(motion["slide"]) % 2 == 0
        x, y = x + sum(motion["slide"][::2]), y + sum(motion["slide"][1::2])
    return x, y


class Seen(NamedTuple):
    """The visible part of a piece."""

    colour: str
    label: str
    ink: str
    size: float
    middle: Point
    edges: list[Arc]


def seen(piece: Any) -> Seen:
    """The visible part of a piece of the board's JSON."""
    middle = piece["x"], piece["y"]
    return Seen(
        piece["colour"],
        piece["label"],
        piece["ink"],
        piece["size"],
        middle,
        edges(piece["outline"]),
    )


def moved(piece: Seen, motion: Any) -> Seen:
    """A piece after a motion."""
    look = motion["becomes"] or piece._asdict()
    return Seen(
        look["colour"],
        look["label"],
        look["ink"],
        piece.size,
        moved_point(piece.middle, motion),
        [
            edge._replace(start=moved_point(edge.start, motion), end=moved_point(edge.end, motion))
            for edge in piece.edges
        ],
    )


def close(a: Point, b: Point, within: float) -> bool:
    """True for two points that are equal but for rounding."""
    return abs(a[0] - b[0]) <= within and abs(a[1] - b[1]) <= within


def same(a: Seen, b: Seen, within: float) -> bool:
    """True for two pieces that look alike but for rounding; an outline may begin anywhere."""
    if a[:4] != b[:4] or not close(a.middle, b.middle, within) or len(a.edges) != len(b.edges):
        return False
    turns = (b.edges[at:] + b.edges[:at] for at in range(max(len(b.edges), 1)))
    return any(
        all(
            one[2:] == other[2:]
            and close(one.start, other.start, within)
            and close(one.end, other.end, within)
            for one, other in zip(a.edges, turned, strict=True)
        )
        for turned in turns
    )

"""The first page's puzzles: a card for each, in groups by family."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from puzzlebase.service.answers.catalog import PuzzleSummary

_AT_ONCE = 4  # puzzles of a family that are shown unfolded
_FEW = 2  # puzzles of a family that has no part of its own
_TURNS = 3  # random turns at the beginning of a game, where no distances are known


class Card(NamedTuple):
    """A puzzle on the first page; a browser stores its games under `name`."""

    name: str
    summary: PuzzleSummary
    kin: str  # the title of its family
    text: str  # what it is, or how it is played
    inventor: str | None
    link: str | None
    page: str  # its address, as that of the picture
    picture: str
    played: bool = True  # patterns are not

    @property
    def at_once(self) -> bool:
        """True if it is answered without a search."""
        return self.summary["coverage"] in ("table", "oracle", "construction")


class Group(NamedTuple):
    """A family on the first page, or all small ones: the puzzles shown at once, and the rest."""

    title: str
    flag: Card | None  # one of them, for the inventor
    first: list[Card]
    rest: list[Card]


def puzzle_groups(cards: Iterable[Card]) -> list[Group]:
    """Group every puzzle by family: those without a search first,
    and patterns, which nobody plays, last.

    Families follow the largest puzzle that needs no search; those without one come in the usual
    order. Families of few puzzles stand together at the end.
    """
    members: dict[str, list[Card]] = {}
    for card in cards:
        members.setdefault(card.summary["family"], []).append(card)
    found: list[Group] = []
    few: list[Card] = []
    rest: list[Card] = []
    for kin in members.values():
        ordered = sorted(kin, key=lambda each: (not each.played, not each.at_once))
        if len(ordered) > _FEW:
            found.append(Group(ordered[0].kin, ordered[0], ordered[:_AT_ONCE], ordered[_AT_ONCE:]))
        else:
            few += ordered[:1]
            rest += ordered[1:]
    found.sort(key=_states, reverse=True)
    return [*found, Group("More puzzles", None, few, rest)] if few else found


def _states(group: Group) -> int:
    return max((each.summary["states"] or 0 for each in group.first if each.at_once), default=0)


def beginnings(difficulties: list[Any], *, at_start: bool) -> tuple[str, str]:
    """The beginnings of games, to which the first page leads: fields of `random`,
    none for the goal's start; and those for a daily game.

    Daily games are medium.
    """
    first, daily = (
        ("difficulty=first", "&difficulty=medium") if difficulties else (f"turns={_TURNS}", "")
    )
    return "" if at_start else first, daily

"""The first page's puzzles: a card for each, in groups by the kind of their moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from puzzlebase.plugins.kinds import KINDS, OTHER_KIND, kind_of
from puzzlebase.service.answers.catalog import PuzzleSummary

_LARGE = 4  # puzzles of a group with a large picture, each of another family
_TURNS = 3  # random turns at the beginning of a game, where no distances are known
_NEAR = 15  # levels of a file before and after one


class Card(NamedTuple):
    """A puzzle on the first page; a browser stores its games under `name`."""

    name: str
    summary: PuzzleSummary
    kin: str  # the title of its family
    text: str  # what it is, or how it is played
    instructions: str
    inventor: str | None
    page: str  # its address, as that of the picture
    picture: str
    played: bool = True  # patterns are not
    example: bool = False  # if it stands for its family

    @property
    def at_once(self) -> bool:
        """True if it is answered without a search."""
        return self.summary["coverage"] in ("table", "oracle", "construction")

    @property
    def kind(self) -> str:
        """The title of its group: the way its pieces move."""
        return kind_of(f"{self.text} {self.instructions}")


class Group(NamedTuple):
    """A kind on the first page: the puzzles with a large picture, and the rest by family."""

    title: str
    large: list[Card]
    rest: list[tuple[str, list[Card]]]  # the title of a family, and its others


def puzzle_groups(cards: Iterable[Card]) -> list[Group]:
    """Group every puzzle by its kind.

    The puzzle that stands for its family has a large picture. Those without a search are first,
    and among them the families of the largest puzzles; patterns, which nobody plays, are last.
    """
    families: dict[str, list[Card]] = {}
    for card in cards:
        families.setdefault(card.summary["family"], []).append(card)
    kinds: dict[str, list[list[Card]]] = {title: [] for title in (*KINDS, OTHER_KIND)}
    for family in sorted(families.values(), key=_states, reverse=True):
        ordered = sorted(
            family, key=lambda each: (not each.played, not each.at_once, not each.example)
        )
        kinds[ordered[0].kind].append(ordered)
    return [_group(title, members) for title, members in kinds.items() if members]


def _group(title: str, families: list[list[Card]]) -> Group:
    large = families[:_LARGE]
    folded = [family[1:] for family in large] + families[_LARGE:]
    rest = [(family[0].kin, family) for family in folded if family]
    return Group(title, [family[0] for family in large], rest)


def _states(family: list[Card]) -> int:
    return max((each.summary["states"] or 0 for each in family if each.at_once), default=0)


def level_path(name: str, members: Iterable[str]) -> list[str]:
    """The nearest levels of a file, in order, with that of this name."""
    path = sorted({name, *members}, key=lambda each: (len(each), each))
    place = path.index(name)
    return path[max(0, place - _NEAR) : place + _NEAR + 1]


def beginnings(difficulties: list[Any], *, at_start: bool) -> tuple[str, str]:
    """The beginnings of games, to which the first page leads: fields of `random`,
    none for the goal's start; and those for a daily game.

    Daily games are medium.
    """
    first, daily = (
        ("difficulty=first", "&difficulty=medium") if difficulties else (f"turns={_TURNS}", "")
    )
    return "" if at_start else first, daily

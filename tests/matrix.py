"""Cases of which `make test` runs some,
and `make test-all` all: the rest have the mark `matrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from puzzlebase.puzzles import all_families
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, UnknownPuzzle
from puzzlebase.puzzles.discovery import find

FIRST = {name for family in all_families() for name in family.members[:2]}
"""The first two members of each family."""


def present(*names: str) -> list[str]:
    """Those of these puzzles whose family is there: its folder can be taken away."""
    return [name for name in names if _is_present(name)]


def _is_present(name: str) -> bool:
    try:
        find(name)
    except BrokenPuzzle:
        raise
    except UnknownPuzzle:
        return False
    return True


def only(some: Callable[[Any], bool], cases: Iterable[Any]) -> list[Any]:
    """All cases, of which `make test` runs only `some`."""
    return [
        case if some(case) else pytest.param(*_values(case), marks=pytest.mark.matrix)
        for case in cases
    ]


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """All cases, of which `make test` runs the first and each that comes `step` later."""
    listed = list(cases)
    chosen = {id(case) for case in listed[::step]}
    return only(lambda case: id(case) in chosen, listed)


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)

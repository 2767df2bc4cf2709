"""Discovery: the families of the modules in puzzles/families, and those of definition files."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from puzzlebase.puzzles import definitions, families
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, PuzzleError, UnknownPuzzle, did_you_mean, shorten
from puzzlebase.puzzles.contract.puzzle import Family, Puzzle
from puzzlebase.puzzles.machinery.any_goal import with_any_goal


class _Modules(NamedTuple):
    """The families of the modules in families/, and by its name what is wrong with each module that is none."""

    families: list[Family]
    broken: dict[str, BrokenPuzzle]


@cache
def all_families() -> tuple[Family, ...]:
    """Every family, by its place: those of modules, and one for each definition file that can be read."""
    ours = _ours().families
    return tuple(sorted([*ours, *definitions.families(ours)], key=lambda family: family.place))


@cache
def unreadable() -> dict[str, UnknownPuzzle]:
    """The errors of the modules and definition files that are no puzzles, by the names that these would have."""
    ours = _ours()
    return {**ours.broken, **definitions.unreadable(ours.families)}


def definitions_searched() -> str:
    """Where definition files are looked for, for people; raises NoPuzzlesFolder."""
    return definitions.searched()


def read_definitions(folder: Path) -> None:
    """Take definitions from this folder from now on; the processes that this one starts do so too."""
    os.environ[definitions.VARIABLE] = str(folder.absolute())
    for known in (all_families, unreadable, find):
        known.cache_clear()


@cache
def _ours() -> _Modules:
    """The FAMILY of each module in families/ without a leading underscore.

    A module that raises harms no other: it is among those that are broken.
    """
    found = _Modules([], {})
    for finder, name, is_package in sorted(pkgutil.iter_modules(families.__path__), key=lambda module: module.name):
        if name.startswith("_"):
            continue
        try:
            found.families.extend(_families_of(name))
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- whatever somebody's file does
            file = Path(getattr(finder, "path", ""), name if is_package else f"{name}.py")
            found.broken[name] = BrokenPuzzle.at(error, name, str(file))
    return found


def _families_of(module: str) -> list[Family]:
    """The family of a module, if it has one."""
    family = getattr(importlib.import_module(f"{families.__name__}.{module}"), "FAMILY", None)
    if not isinstance(family, Family | None):
        raise TypeError(f"FAMILY is {family!r}, no Family")
    return [family] if family else []


@lru_cache(maxsize=256)
def find(name: str) -> Puzzle:
    """The puzzle of a name; raises UnknownPuzzle before anything is computed, or BrokenPuzzle."""
    ours = _ours()
    defined = definitions.family_of(name, ours.families)
    for family in (*ours.families, defined):
        if family and family.pattern.fullmatch(name):
            return _made(family, name)
    for module, broken in ours.broken.items():
        if re.match(rf"{module.replace('_', '[_-]')}(?![a-z])", name):
            raise broken.again()
    templates = ", ".join(family.template for family in all_families())
    raise UnknownPuzzle(f"there is no puzzle {shorten(name)!r}", f"{_meant(name)}names are: {templates}")


def _made(family: Family, name: str) -> Puzzle:
    try:
        puzzle = family.make(name)
        puzzle = replace(puzzle, about=replace(puzzle.about, family=family.name, rules=family.rules))
        return puzzle if puzzle.board.goal_of else with_any_goal(puzzle)
    except (PuzzleError, MemoryError):
        raise
    except Exception as error:
        raise BrokenPuzzle.at(error, name) from error


def _meant(name: str) -> str:
    """The names most like one that is none, as a question: also panex-10 for Panex10."""
    dashed = re.sub(r"[ _-]*(?<![0-9])(?<![0-9]x)(?=[0-9])", "-", name[:100].strip().lower())
    if any(family.pattern.fullmatch(dashed) for family in all_families()):
        return f"did you mean {dashed!r}? "
    return did_you_mean(name, (listed for family in all_families() for listed in family.listed))


@cache
def known_numbers() -> dict[str, dict[str, int | None]]:
    """What is known of puzzles whether their tables are built or not: `states` and `gods_number` of the first goal.

    Whole tables have shown these; known.json says where to read more. tests/proofs holds each table against them.
    """
    found: dict[str, dict[str, int | None]] = json.loads(Path(families.__path__[0], "known.json").read_text("utf-8"))
    return found

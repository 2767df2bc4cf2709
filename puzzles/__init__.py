"""The rules: one file per family, found by discovery. Files with _ are shared machinery."""

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

from puzzlebase.kernels import kernel
from puzzlebase.puzzles import definitions
from puzzlebase.puzzles._any_goal import with_any_goal
from puzzlebase.puzzles._errors import (
    BrokenPuzzle,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    NoSpace,
    NotProved,
    PuzzleError,
    UnknownGoal,
    UnknownPuzzle,
    did_you_mean,
    no_goal,
    no_way_back,
    one_way_move,
    shorten,
)
from puzzlebase.puzzles._experiment import Experiment, Finding, Findings
from puzzlebase.puzzles._formulas import Formulas, Quantity, Value
from puzzlebase.puzzles._frontier import NO_NODES, among, common, neighbours, next_layer
from puzzlebase.puzzles._inverse import inverse_links
from puzzlebase.puzzles._layout import (
    Effect,
    Layout,
    Look,
    Motion,
    Piece,
    Place,
    Shape,
    Turn,
    circle,
    ink_on,
    moved_to,
    number,
    rectangle,
)
from puzzlebase.puzzles._letters import letter_puzzle
from puzzlebase.puzzles._listed import TooManyStates
from puzzlebase.puzzles._numbering import NUMBERINGS
from puzzlebase.puzzles._pattern_search import Coarser, PatternSearch
from puzzlebase.puzzles._patterns import Pattern, Patterns
from puzzlebase.puzzles._permutation import permutation_puzzle
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Construction,
    Drawing,
    Family,
    Goal,
    Letters,
    Move,
    Notation,
    Oracle,
    Published,
    Puzzle,
    Solver,
    played,
)
from puzzlebase.puzzles._reversible import EdgeSums, OneWay, edge_sums, one_way, one_way_of_tables
from puzzlebase.puzzles._space import (
    UNREACHED,
    Boards,
    Distances,
    Graph,
    Indices,
    Orbits,
    Probe,
    ProductForm,
    Read,
    SearchGraph,
    Shortest,
    Signed,
    Space,
    Spend,
)
from puzzlebase.puzzles._spaces import SPACES
from puzzlebase.puzzles._squares import drawing_of

__all__ = [
    "NO_NODES",
    "NUMBERINGS",
    "SPACES",
    "UNREACHED",
    "About",
    "Board",
    "Boards",
    "BrokenPuzzle",
    "Coarser",
    "Construction",
    "Distances",
    "Drawing",
    "EdgeSums",
    "Effect",
    "Experiment",
    "Family",
    "Finding",
    "Findings",
    "Formulas",
    "Goal",
    "Graph",
    "IllegalMove",
    "ImpossibleState",
    "Indices",
    "InvalidState",
    "Layout",
    "Letters",
    "Look",
    "Motion",
    "Move",
    "NoSpace",
    "NotProved",
    "Notation",
    "OneWay",
    "Oracle",
    "Orbits",
    "Pattern",
    "PatternSearch",
    "Patterns",
    "Piece",
    "Place",
    "Probe",
    "ProductForm",
    "Published",
    "Puzzle",
    "PuzzleError",
    "Quantity",
    "Read",
    "SearchGraph",
    "Shape",
    "Shortest",
    "Signed",
    "Solver",
    "Space",
    "Spend",
    "TooManyStates",
    "Turn",
    "UnknownGoal",
    "UnknownPuzzle",
    "Value",
    "among",
    "circle",
    "common",
    "definitions_searched",
    "did_you_mean",
    "drawing_of",
    "edge_sums",
    "families",
    "find",
    "ink_on",
    "inverse_links",
    "kernel",
    "known_numbers",
    "letter_puzzle",
    "moved_to",
    "neighbours",
    "next_layer",
    "no_goal",
    "no_way_back",
    "number",
    "one_way",
    "one_way_move",
    "one_way_of_tables",
    "permutation_puzzle",
    "played",
    "read_definitions",
    "rectangle",
    "shorten",
    "unreadable",
]


class _Modules(NamedTuple):
    """The families of the modules here, and by its name what is wrong with each module that is none."""

    families: list[Family]
    broken: dict[str, BrokenPuzzle]


@cache
def families() -> tuple[Family, ...]:
    """Every family, by its place: those of the modules here, and one for each definition file that can be read."""
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
    for known in (families, unreadable, find):
        known.cache_clear()


@cache
def _ours() -> _Modules:
    """The FAMILY of each module here without a leading underscore; only `definitions` has none.

    A module that raises harms no other: it is among those that are broken.
    """
    found = _Modules([], {})
    for finder, name, is_package in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
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
    """The family of a module here, if it has one."""
    family = getattr(importlib.import_module(f"{__name__}.{module}"), "FAMILY", None)
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
    templates = ", ".join(family.template for family in families())
    raise UnknownPuzzle(f"there is no puzzle {shorten(name)!r}", f"{_meant(name)}names are: {templates}")


def _made(family: Family, name: str) -> Puzzle:
    try:
        puzzle = replace(family.make(name), family=family.name, rules=family.rules)
        return puzzle if puzzle.goal_of else with_any_goal(puzzle)
    except (PuzzleError, MemoryError):
        raise
    except Exception as error:
        raise BrokenPuzzle.at(error, name) from error


def _meant(name: str) -> str:
    """The names most like one that is none, as a question: also panex-10 for Panex10."""
    dashed = re.sub(r"[ _-]*(?<![0-9])(?<![0-9]x)(?=[0-9])", "-", name[:100].strip().lower())
    if any(family.pattern.fullmatch(dashed) for family in families()):
        return f"did you mean {dashed!r}? "
    return did_you_mean(name, (listed for family in families() for listed in family.listed))


@cache
def known_numbers() -> dict[str, dict[str, int | None]]:
    """What is known of puzzles whether their tables are built or not: `states` and `gods_number` of the first goal.

    Whole tables have shown these; known.json says where to read more. tests/proofs holds each table against them.
    """
    found: dict[str, dict[str, int | None]] = json.loads(Path(__file__).with_name("known.json").read_text("utf-8"))
    return found

"""The rules: one file per family, found by discovery. Files with _ are shared machinery."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import cache, lru_cache

from puzzlebase.kernels import kernel
from puzzlebase.puzzles._any_goal import with_any_goal
from puzzlebase.puzzles._frontier import NO_NODES, among, common, neighbours, next_layer
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
    moved_to,
    number,
    rectangle,
)
from puzzlebase.puzzles._letters import letter_puzzle
from puzzlebase.puzzles._numbering import NUMBERINGS
from puzzlebase.puzzles._permutation import permutation_puzzle
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Drawing,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Letters,
    Move,
    NoSpace,
    Notation,
    NotProved,
    Oracle,
    Published,
    Puzzle,
    PuzzleError,
    Solver,
    UnknownGoal,
    UnknownPuzzle,
    played,
    shorten,
)
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
    "Distances",
    "Drawing",
    "Effect",
    "Family",
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
    "Oracle",
    "Orbits",
    "Piece",
    "Place",
    "Probe",
    "ProductForm",
    "Published",
    "Puzzle",
    "PuzzleError",
    "Read",
    "SearchGraph",
    "Shape",
    "Shortest",
    "Signed",
    "Solver",
    "Space",
    "Spend",
    "Turn",
    "UnknownGoal",
    "UnknownPuzzle",
    "among",
    "circle",
    "common",
    "drawing_of",
    "families",
    "find",
    "kernel",
    "letter_puzzle",
    "moved_to",
    "neighbours",
    "next_layer",
    "number",
    "permutation_puzzle",
    "played",
    "rectangle",
    "shorten",
]


@cache
def families() -> tuple[Family, ...]:
    """Every family: the FAMILY of each module here without a leading underscore, by module name."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return tuple(importlib.import_module(f"{__name__}.{module}").FAMILY for module in modules)


@lru_cache(maxsize=256)
def find(name: str) -> Puzzle:
    """The puzzle of a name; raises UnknownPuzzle before anything is computed."""
    for family in families():
        if family.pattern.fullmatch(name):
            puzzle = replace(family.make(name), family=family.name)
            return puzzle if puzzle.goal_of else with_any_goal(puzzle)
    templates = ", ".join(family.template for family in families())
    raise UnknownPuzzle(f"there is no puzzle {shorten(name)!r}", f"names are: {templates}")

"""Discovery: the families of the modules in puzzles/families, of entry points, and of definition files."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from puzzlebase import plugins
from puzzlebase.puzzles import families
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, PuzzleError, UnknownPuzzle, did_you_mean, shorten
from puzzlebase.puzzles.contract.puzzle import Family, Puzzle
from puzzlebase.puzzles.machinery.any_goal import with_any_goal

_VARIABLE = "PUZZLEBASE_PUZZLES"  # of the environment: the folder of definition files, where no option names one
_HERE = Path("puzzles.d")


class NoPuzzlesFolder(PuzzleError):
    """A folder was named that is not there."""


class _Found(NamedTuple):
    """The families of some modules or files, and by its name what is wrong with each that is none."""

    families: list[Family]
    broken: dict[str, UnknownPuzzle]


@cache
def all_families() -> tuple[Family, ...]:
    """Every family, by its place: of modules, of entry points, and of each definition file that can be read."""
    made = [*_ours().families, *_others().families]
    return tuple(sorted([*made, *_defined(made).families], key=lambda family: family.place))


@cache
def unreadable() -> dict[str, UnknownPuzzle]:
    """The errors of the modules and definition files that are no puzzles, by the names that these would have."""
    ours, others = _ours(), _others()
    return {**others.broken, **ours.broken, **_defined([*ours.families, *others.families]).broken}


def _defined(ours: Sequence[Family], name: str | None = None) -> _Found:
    """The families of definition files; with a name, only of those that may have it. Raises NoPuzzlesFolder."""
    folder = _folder()
    if folder is None:
        return _Found([], {})
    from puzzlebase.puzzles.definitions.folder import found_in  # noqa: PLC0415 -- without a folder nothing needs it

    return _Found(*found_in(folder, ours, name))


def _folder() -> Path | None:
    """The folder of PUZZLEBASE_PUZZLES, else ./puzzles.d if it is there; raises NoPuzzlesFolder."""
    named = os.environ.get(_VARIABLE)
    if named and not Path(named).is_dir():
        raise NoPuzzlesFolder(
            f"there is no folder {named!r}, which should hold definitions of puzzles",
            f"correct --puzzles or {_VARIABLE}, or make the folder",
        )
    return Path(named) if named else _HERE if _HERE.is_dir() else None


def definitions_searched() -> str:
    """The folder of definition files, for people; raises NoPuzzlesFolder."""
    if folder := _folder():
        return f"definition files are those in {folder.absolute()}"
    return f"there are no definition files, since there is no folder {_HERE.absolute()}"


def read_definitions(folder: Path) -> None:
    """Take definitions from this folder from now on; the processes that this one starts do so too."""
    os.environ[_VARIABLE] = str(folder.absolute())
    for known in (all_families, unreadable, find):
        known.cache_clear()


@cache
def _ours() -> _Found:
    """The FAMILY of each module in families/ without a leading underscore."""
    found = []
    for finder, name, is_package in sorted(pkgutil.iter_modules(families.__path__), key=lambda module: module.name):
        if not name.startswith("_"):
            file = Path(getattr(finder, "path", ""), name if is_package else f"{name}.py")
            found.append((name, str(file), partial(_family_of, name)))
    return _found(found)


def _family_of(module: str) -> Any:
    return getattr(importlib.import_module(f"{families.__name__}.{module}"), "FAMILY", None)


@cache
def _others() -> _Found:
    """The families that others install."""
    return _found(plugins.entry_points(plugins.FAMILIES))


def _installed() -> Iterator[Family]:
    """The same, read only where no other family has a name."""
    yield from _others().families


def _found(modules: Iterable[tuple[str, str, Callable[[], Any]]]) -> _Found:
    """The families of modules, each a name, where it is and what loads its FAMILY, None if it has none.

    A module that raises harms no other: it is among those that are broken.
    """
    found = _Found([], {})
    for name, where, load in modules:
        try:
            family = _checked(load())
            found.families.extend([family] if family else [])
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- whatever somebody's file does
            found.broken[name] = BrokenPuzzle.at(error, name, where)
    return found


def _checked(family: Any) -> Family | None:
    if not isinstance(family, Family | None):
        raise TypeError(f"FAMILY is {family!r}, no Family")
    return family


@lru_cache(maxsize=256)
def find(name: str) -> Puzzle:
    """The puzzle of a name; raises UnknownPuzzle before anything is computed, or BrokenPuzzle."""
    ours = _ours()
    defined = _defined(ours.families, name)
    if name in defined.broken:
        raise defined.broken[name].again()
    for family in chain(ours.families, defined.families, _installed()):
        if family.pattern.fullmatch(name):
            return _made(family, name)
    for module, broken in (*ours.broken.items(), *_others().broken.items()):
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
    """By name, `states` and `gods_number` of the first goal, as far as they are known without a table."""
    known = {name: numbers for family in all_families() for name, numbers in family.known.items()}
    return {name: {"states": states, "gods_number": deepest} for name, (states, deepest) in known.items()}

"""Discovery of families: in modules of puzzles/families,
at entry points, in definition files and in files of rules.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlebase import hooks, puzzles
from puzzlebase.errors import close_names, did_you_mean, shorten
from puzzlebase.puzzles.contract.errors import BrokenPuzzle, LacksPlugin, PuzzleError, UnknownPuzzle

if TYPE_CHECKING:
    from puzzlebase.puzzles import Family, Puzzle

# no name of `puzzles`, which would load all
families = importlib.import_module("puzzlebase.puzzles.families")
# Of the environment: the folder of definition files, and files of rules with os.pathsep between,
# without options.
_VARIABLE, RULES = "PUZZLEBASE_PUZZLES", "PUZZLEBASE_RULES"
_HERE = Path("puzzles.d")
# where the folder may be without options, the first that is there: here, and beside the tables
_places = [_HERE]
_added: list[Path] = []  # files of rules that this process has named besides
_seen: list[Any] = [None]  # what `_looked` last saw


class NoPuzzlesFolder(PuzzleError):
    """The named folder does not exist."""


class _Found(NamedTuple):
    """The families of modules or files, and the errors of those that raise, by name."""

    families: list[Family]
    broken: dict[str, UnknownPuzzle]


def all_families() -> tuple[Family, ...]:
    """Every family, in order of place; those of definition files as the files are now."""
    return tuple(_every(discovery_version()).families)


def unreadable() -> dict[str, UnknownPuzzle]:
    """The errors of broken modules and definition files, by the names that these would have.

    A family without its plugin is missing, not broken.
    """
    found = _every(discovery_version()).broken
    return {name: error for name, error in found.items() if not isinstance(error, LacksPlugin)}


@lru_cache(maxsize=1)
def _every(_since: int) -> _Found:
    ours, others, rules = _ours(), _others(), _executed()
    made = [*ours.families, *others.families, *rules.families]
    defined = _defined(made)
    families = sorted([*made, *defined.families], key=lambda family: family.place)
    return _Found(families, {**others.broken, **ours.broken, **rules.broken, **defined.broken})


def _defined(ours: Sequence[Family], name: str | None = None) -> _Found:
    """Find families of definition files,
    with a name only those that may have it; raise NoPuzzlesFolder.
    """
    if not (discovered_folders() and (listed := _looked(int(monotonic())))):
        return _Found([], {})
    from puzzlebase.puzzles.files import families_of_puzzle_files  # noqa: PLC0415 -- without a folder nothing needs it

    return _Found(*families_of_puzzle_files(listed, ours, name))


def discovered_folders() -> tuple[Path, ...]:
    """The folders that discovery searches: those in PUZZLEBASE_PUZZLES,
    else puzzles.d here or beside the tables; raises NoPuzzlesFolder.
    """
    named = os.environ.get(_VARIABLE)
    if not named:
        return tuple(place for place in _places if place.is_dir())[:1]
    found = tuple(map(Path, named.split(os.pathsep)))
    for folder in found:
        if not folder.is_dir():
            raise NoPuzzlesFolder(
                f"there is no folder {str(folder)!r}, which should hold definitions of puzzles",
                f"correct --puzzles or {_VARIABLE}, or make the folder",
            )
    return found


def discover_beside(tables: Path) -> None:
    """Discover families in a puzzles.d beside the tables too,
    if there is none in the present folder.
    """
    _places[1:] = [tables / _HERE]
    for known in (_every, _looked):
        known.cache_clear()


def discovery_version() -> int:
    """A number that changes with the files that discovery reads,
    at most a second late; it stays if one is gone.
    """
    listed = _looked(int(monotonic()))
    return listed.version if listed else 0


@lru_cache(maxsize=1)
def _looked(_second: int) -> Any:
    """The Listing of the folders, if there are any;
    the last one if they cannot be read any more.
    """
    try:
        found = discovered_folders()
        if found:
            from puzzlebase.puzzles.files import list_files  # noqa: PLC0415 -- as above

        _seen[0] = list_files(found) if found else None
    except (OSError, NoPuzzlesFolder):
        if _seen[0] is None:
            raise
    return _seen[0]


def searched() -> list[str]:
    """Describe for people the folders of definition files,
    and broken files of rules; raise NoPuzzlesFolder.
    """
    found, broken = discovered_folders(), [str(error) for error in _executed().broken.values()]
    if found:
        return [
            f"definition files are those in {' and '.join(str(each.absolute()) for each in found)}",
            *broken,
        ]
    places = " or ".join(str(place.absolute()) for place in _places)
    return [f"there are no definition files, since there is no folder {places}", *broken]


def discover_definitions(*folders: Path) -> None:
    """Discover definitions in folders from now on, in this process and in those that it starts."""
    os.environ[_VARIABLE] = os.pathsep.join(
        str(folder.absolute()) for folder in dict.fromkeys(folders)
    )
    forget()


def discover_rules(file: Path | str) -> None:
    """Discover families in this file too from now on, in this process alone. Executes it."""
    if (named := Path(file).absolute()) not in discovered_rules():
        _added.append(named)
        forget()


def forget() -> None:
    """Forget the families; they are found anew when they are next needed."""
    for known in (_every, _find, _executed, _looked):
        known.cache_clear()


def discovered_rules() -> list[Path]:
    """The files of rules that discovery reads, of the environment and of this process."""
    of_all = [Path(file).absolute() for file in os.environ.get(RULES, "").split(os.pathsep) if file]
    return [*dict.fromkeys([*of_all, *_added])]


@cache
def _executed() -> _Found:
    """Execute the files of rules, each for its FAMILY. A file is broken if its name is taken."""
    if not (files := discovered_rules()):
        return _Found([], {})
    known = [*_ours().families, *_others().families]
    return _found((file.stem, str(file), partial(_family_in, file, known)) for file in files)


def _family_in(file: Path, known: list[Family]) -> Family:
    """Execute a file, and add its family to those that are known.
    The file's digest is in the keys of goals.
    """
    source = file.read_bytes()
    rules = hashlib.blake2b(source, digest_size=8).hexdigest()
    logging.getLogger(__name__).warning("%s is executed", file)
    # where the machine code of kernels finds it
    module = sys.modules[f"rules_{rules}"] = ModuleType(f"rules_{rules}")
    module.__file__ = str(file)
    exec(compile(source, str(file), "exec"), module.__dict__)  # noqa: S102 -- as its user was told
    family = _checked(getattr(module, "FAMILY", None))
    if family is None:
        raise TypeError("it gives no FAMILY")
    for other in known:
        names = [name for name in other.listed if family.pattern.fullmatch(name)]
        if names := names + [name for name in family.listed if other.pattern.fullmatch(name)]:
            raise ValueError(f"{names[0]!r} is a name of {other.title} too")

    def make(name: str) -> Puzzle:
        puzzle = family.make(name)
        return replace(
            puzzle, goals=tuple(replace(goal, key=f"{goal.key}-{rules}") for goal in puzzle.goals)
        )

    known.append(replace(family, make=make, rules=rules))
    return known[-1]


@cache
def _ours() -> _Found:
    """Find the FAMILY of each module in families/ without a leading underscore."""
    found = []
    for finder, name, is_package in sorted(
        pkgutil.iter_modules(families.__path__), key=lambda module: module.name
    ):
        if not name.startswith("_"):
            file = Path(getattr(finder, "path", ""), name if is_package else f"{name}.py")
            found.append((name, str(file), partial(_family_of, name)))
    return _found(found)


def _family_of(module: str) -> Any:
    return getattr(importlib.import_module(f"{families.__name__}.{module}"), "FAMILY", None)


@cache
def _others() -> _Found:
    """Find the families that others install."""
    return _found(hooks.entry_points(hooks.FAMILIES))


def _found(modules: Iterable[tuple[str, str, Callable[[], Any]]]) -> _Found:
    """Load the families of modules, each a name, a file and a loader; one that raises is broken."""
    found = _Found([], {})
    for name, where, load in modules:
        try:
            family = _checked(load())
            found.families.extend([family] if family else [])
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- whatever somebody's file does
            plugin = hooks.missing_plugin(error)
            found.broken[name] = (
                LacksPlugin(
                    f"puzzles of {name} need the plugin {plugin!r}, which is missing",
                    "put its folder back into plugins/",
                )
                if plugin
                else BrokenPuzzle.at(error, name, where)
            )
    return found


def _checked(family: Any) -> Family | None:
    if not isinstance(family, puzzles.Family | None):
        raise TypeError(f"FAMILY is {family!r}, no Family")
    return family


def find(name: str) -> Puzzle:
    """The puzzle of a name; raise UnknownPuzzle before anything is computed, or BrokenPuzzle.

    A puzzle of a file is made anew within a second of a change of the file.
    """
    return _find(name, 0 if _is_ours(name) else discovery_version())


@lru_cache(maxsize=1024)
def _is_ours(name: str) -> bool:
    return _named(_ours(), name) is not None


@lru_cache(maxsize=256)
def _find(name: str, _since: int) -> Puzzle:
    ours = _ours()
    rules = _Found([], {}) if _named(ours, name) else _executed()
    defined = _defined([*ours.families, *rules.families], name)
    if name in defined.broken:
        raise defined.broken[name].again()
    if (
        family := _named(ours, name)
        or _named(rules, name)
        or _named(defined, name)
        or _named(_others(), name)
    ):
        return _made(family, name)
    for module, broken in (ours.broken | rules.broken | _others().broken | defined.broken).items():
        if re.match(rf"{re.escape(Path(module).stem).replace('_', '[_-]')}(?![a-z])", name):
            raise broken.again()
    templates = "; ".join(family.template for family in all_families())
    meant = did_you_mean(name, discovered_names_like(name))
    raise UnknownPuzzle(f"there is no puzzle {shorten(name)!r}", f"{meant}names are: {templates}")


def _named(found: _Found, name: str) -> Family | None:
    return next((family for family in found.families if family.pattern.fullmatch(name)), None)


def _made(family: Family, name: str) -> Puzzle:
    from puzzlebase.puzzles.machinery.any_goal import with_any_goal  # noqa: PLC0415 -- this loads numpy

    try:
        puzzle = family.make(name)
        puzzle = replace(
            puzzle,
            about=replace(
                puzzle.about, family=family.name, rules=family.rules, unused=family.unused
            ),
        )
        return puzzle if puzzle.board.goal_of else with_any_goal(puzzle)
    except (PuzzleError, MemoryError):
        raise
    except Exception as error:
        raise BrokenPuzzle.at(error, name) from error


def family_extra(word: str) -> Any | None:
    """The object that a family gives under a word in its `extra`,
    ours before others; None if none does.
    """
    for found in (_ours, _others):
        for family in found().families:
            if reference := family.extra.get(word):
                return hooks.load_attribute(reference)
    return None


def extra_of(puzzle: Puzzle, word: str) -> Any | None:
    """The object that a puzzle's family gives under a word in its `extra`;
    None if it gives none.
    """
    family = next(family for family in all_families() if family.name == puzzle.about.family)
    return hooks.load_attribute(family.extra[word]) if word in family.extra else None


def discovered_names_like(name: str) -> list[str]:
    """The names of discovered puzzles most like a wrong one, as panex-10 for Panex10."""
    dashed = re.sub(r"[ _-]*(?<![0-9])(?<![0-9]x)(?=[0-9])", "-", name[:100].strip().lower())
    if any(family.pattern.fullmatch(dashed) for family in all_families()):
        return [dashed]
    return close_names(name, [listed for family in all_families() for listed in family.listed])


@cache
def known_numbers() -> dict[str, dict[str, int | None]]:
    """The known `states` and `gods_number` of first goals,
    by puzzle, without a table; None for unknown.

    They are in `known.json` of a family's folder; tests/proofs checks them.
    """
    known: dict[str, dict[str, int | None]] = {}
    for file in Path(families.__path__[0]).glob("*/known.json"):
        known |= json.loads(file.read_text("utf-8"))
    return known

"""An examination of the installed program and of the folders that it uses."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path
from typing import TypedDict

import psutil

from puzzlebase import machine_code
from puzzlebase.command_line.verb_sources import header_sources_of_verb
from puzzlebase.machine import processors, spare_memory
from puzzlebase.paths import CACHE, VARIABLE, DataFolder, cache_folder, table_paths
from puzzlebase.puzzles.discovery import discovered_folders, discovered_rules, unreadable
from puzzlebase.service.answers import catalog
from puzzlebase.terminal_text import bytes_as_text, fact_line

_KERNELS = "NUMBA_CACHE_DIR"
_LEAST_MEMORY = 512 << 20
_LEAST_DISK = 1 << 30


class Machine(TypedDict):
    """The processors and the memory that this program may use, in bytes."""

    processors: int
    memory: int
    spare_memory: int


class Place(TypedDict):
    """A folder or a file that the program uses."""

    path: str
    rights: str
    """what this user may do there, or in the nearest folder that is there"""
    files: int
    """how many lie in it, not in folders below"""
    bytes: int
    """of these files"""
    free: int
    """bytes of the disk"""


class Problem(TypedDict):
    """What is wrong, and what to do."""

    what: str
    remedy: str


class Examination(TypedDict):
    """All that `puzzlebase doctor` tells."""

    versions: dict[str, str]
    machine: Machine
    places: dict[str, list[Place]]
    tables: dict[str, str]
    """by name: sound, damaged, or without a puzzle of this name"""
    wrong: list[Problem]


def examine(data: DataFolder) -> Examination:
    """Examine the program, its folders, and the tables of a data folder; raises NoDataFolder.

    Of a table its header is read, as a service does at its start; `verify` reads all of it.
    """
    cache = cache_folder(data.path)
    kernels = Path(
        os.environ.get(_KERNELS) or Path(machine_code.__file__).with_name("__pycache__"), "kernels"
    )
    machine: Machine = {
        "processors": processors(),
        "memory": psutil.virtual_memory().total,
        "spare_memory": spare_memory(),
    }
    readiness = catalog.readiness(header_sources_of_verb(data.path))
    tables = dict.fromkeys((path.stem for path in table_paths(data.path)), "without a puzzle")
    tables |= dict.fromkeys(readiness["tables"], "sound")
    tables |= {damaged["table"]: "damaged" for damaged in readiness["damaged"]}
    problems = [
        *_problems_of_machine(data, machine),
        *_problems_of_folders(data, cache, kernels),
        *((each["detail"], each["hint"]) for each in readiness["damaged"]),
        *((str(error), error.hint) for error in unreadable().values()),
        *(
            (f"no puzzle is called {name!r}", "name its definition with --puzzles or --rules")
            for name, state in tables.items()
            if state == "without a puzzle"
        ),
    ]
    places = {
        "program": [Path(machine_code.__file__).parent],
        "data": [data.path],
        "cache": [cache] if cache else [],
        "kernels": [kernels],
        "definitions": [*discovered_folders()],
        "rules": discovered_rules(),
    }
    return {
        "versions": _versions(),
        "machine": machine,
        "places": {name: [*map(_place, paths)] for name, paths in places.items()},
        "tables": dict(sorted(tables.items())),
        "wrong": [{"what": what, "remedy": remedy} for what, remedy in dict.fromkeys(problems)],
    }


def _problems_of_machine(data: DataFolder, machine: Machine) -> Iterator[tuple[str, str]]:
    spare = machine["spare_memory"]
    if spare < _LEAST_MEMORY:
        yield (
            f"{bytes_as_text(spare)} of memory are free",
            "end other programs, or raise the limit of this one",
        )
    free = shutil.disk_usage(_there(data.path)).free
    if free < _LEAST_DISK:
        yield (
            f"{bytes_as_text(free)} of disk are free for {str(data.path)!r}",
            f"make room, or name another folder with --data or {VARIABLE}",
        )


def _problems_of_folders(
    data: DataFolder, cache: Path | None, kernels: Path
) -> Iterator[tuple[str, str]]:
    if data.named and not data.path.is_dir():
        yield f"there is no folder {str(data.path)!r}", f"correct {data.chosen_by}, or make it"
    elif not os.access(_there(data.path), os.R_OK | os.X_OK):
        yield f"{str(data.path)!r} cannot be read", "allow this user to read it"
    if cache and not _can_be_written(cache):
        yield (
            f"{str(cache)!r} cannot be written: each process holds its own copy of each table",
            f"allow this user to write there, or name another folder with --cache or {CACHE}",
        )
    if not _can_be_written(kernels):
        yield (
            f"{str(kernels)!r} cannot be written: kernels are compiled at each start",
            f"name a folder of this user with {_KERNELS}",
        )


def _there(path: Path) -> Path:
    """The path, or else the nearest one above it that is there."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())


def _can_be_written(folder: Path) -> bool:
    there = _there(folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _versions() -> dict[str, str]:
    """The versions of the program, of Python, of the system, and of the libraries that it names."""
    needs = [need for need in requires("puzzlebase") or () if "extra ==" not in need]
    libraries = [match[0] for need in needs if (match := re.match(r"[\w.-]+", need))]
    return {
        "puzzlebase": version("puzzlebase"),
        "python": platform.python_version(),
        "system": platform.platform(),
        **{name: version(name) for name in sorted(libraries)},
    }


def _place(path: Path) -> Place:
    there = _there(path)
    allowed = [
        word for word, mode in (("read", os.R_OK), ("write", os.W_OK)) if os.access(there, mode)
    ]
    sizes = (
        [each.stat().st_size for each in path.iterdir() if each.is_file()] if path.is_dir() else []
    )
    return {
        "path": str(path),
        "rights": " and ".join(allowed) + ("" if path.exists() else ", not there yet"),
        "files": len(sizes),
        "bytes": sum(sizes),
        "free": shutil.disk_usage(there).free,
    }


def examination_lines(examination: Examination) -> Iterator[str]:
    """The lines of an examination for people; what is wrong comes last."""
    for name, number in examination["versions"].items():
        yield fact_line(name, number)
    machine = examination["machine"]
    memory = f"{bytes_as_text(machine['spare_memory'])} of {bytes_as_text(machine['memory'])} free"
    yield fact_line("machine", f"{machine['processors']} processors, memory: {memory}")
    for name, places in examination["places"].items():
        for place in places:
            held = f"{place['files']:,} files, {bytes_as_text(place['bytes'])}"
            free = f"{bytes_as_text(place['free'])} free"
            yield fact_line(name, f"{place['path']}: {place['rights']}; {held}; {free}")
    for name, state in examination["tables"].items():
        yield fact_line("table", f"{name}: {state}")
    for problem in examination["wrong"]:
        yield fact_line("wrong", problem["what"])
        yield fact_line("", problem["remedy"])
    if not examination["wrong"]:
        yield fact_line("wrong", "nothing")

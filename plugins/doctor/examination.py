"""An examination of the installed program and of the folders that it uses."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterable, Iterator
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
_UNKNOWN = "without a puzzle"

Problem = tuple[str, str]  # what is wrong, and what to do


class Examination(TypedDict):
    """All that `puzzlebase doctor` tells."""

    versions: dict[str, str]
    machine: str
    places: dict[str, list[str]]
    """folders and files that the program uses, each with what this user may do there"""
    tables: dict[str, str]
    """by name: sound, damaged, or without a puzzle of this name"""
    wrong: list[Problem]


def examine(data: DataFolder) -> Examination:
    """Examine the program, its folders, and the tables of a data folder; raises NoDataFolder.

    Of a table its header is read, as a service does at its start; `verify` reads all of it.
    """
    program = Path(machine_code.__file__).parent
    kernels = Path(os.environ.get(_KERNELS) or program / "__pycache__", "kernels")
    cache = cache_folder(data.path)
    places: dict[str, Iterable[Path]] = {
        "program": [program],
        "data": [data.path],
        "cache": [cache] if cache else [],
        "kernels": [kernels],
        "definitions": discovered_folders(),
        "rules": discovered_rules(),
    }
    readiness = catalog.readiness(header_sources_of_verb(data.path))
    tables = dict.fromkeys((path.stem for path in table_paths(data.path)), _UNKNOWN)
    tables |= dict.fromkeys(readiness["tables"], "sound")
    tables |= {damaged["table"]: "damaged" for damaged in readiness["damaged"]}
    spare, whole = spare_memory(), psutil.virtual_memory().total
    problems = [
        *_problems(data, cache, kernels, spare),
        *((each["detail"], each["hint"]) for each in readiness["damaged"]),
        *((str(error), error.hint) for error in unreadable().values()),
        *(
            (f"no puzzle is called {name!r}", "name its definition with --puzzles or --rules")
            for name, state in tables.items()
            if state == _UNKNOWN
        ),
    ]
    return {
        "versions": _versions(),
        "machine": f"{processors()} processors, {bytes_as_text(spare)} of {bytes_as_text(whole)} "
        "of memory free",
        "places": {name: [*map(_place, paths)] for name, paths in places.items()},
        "tables": dict(sorted(tables.items())),
        "wrong": [*dict.fromkeys(problems)],
    }


def _problems(data: DataFolder, cache: Path | None, kernels: Path, spare: int) -> Iterator[Problem]:
    """The problems of memory, disk and rights."""
    if spare < _LEAST_MEMORY:
        yield "little memory is free", "end other programs, or raise the limit of this one"
    there = _there(data.path)
    if shutil.disk_usage(there).free < _LEAST_DISK:
        yield "little disk is free", f"make room, or name another folder with --data or {VARIABLE}"
    if data.named and there != data.path:
        yield f"there is no folder {str(data.path)!r}", f"correct {data.chosen_by}, or make it"
    elif not os.access(there, os.R_OK | os.X_OK):
        yield f"{str(data.path)!r} cannot be read", "allow this user to read it"
    for folder, what, remedy in (
        (cache, "each process holds its own copy of each table", f"--cache or {CACHE}"),
        (kernels, "kernels are compiled at each start", _KERNELS),
    ):
        if folder and not (_there(folder).is_dir() and os.access(_there(folder), os.W_OK)):
            yield (
                f"{str(folder)!r} cannot be written: {what}",
                f"allow this user to write there, or name another folder with {remedy}",
            )


def _there(path: Path) -> Path:
    """The path, or else the nearest one above it that is there."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())


def _versions() -> dict[str, str]:
    """The versions of the program, of Python, of the system, and of the libraries that it names."""
    needs = [need for need in requires("puzzlebase") or () if "extra ==" not in need]
    libraries = sorted(re.split(r"[^\w.-]", need)[0] for need in needs)
    return {
        "puzzlebase": version("puzzlebase"),
        "python": platform.python_version(),
        "system": platform.platform(),
        **{name: version(name) for name in libraries},
    }


def _place(path: Path) -> str:
    there = _there(path)
    modes = {"read": os.R_OK, "write": os.W_OK}
    rights = [word for word, mode in modes.items() if os.access(there, mode)]
    sizes = (
        [each.stat().st_size for each in path.iterdir() if each.is_file()] if path.is_dir() else []
    )
    free = shutil.disk_usage(there).free
    return (
        f"{path}: {' and '.join(rights)}{'' if path.exists() else ', not there yet'}; "
        f"{len(sizes):,} files, {bytes_as_text(sum(sizes))}; {bytes_as_text(free)} free"
    )


def examination_lines(examination: Examination) -> Iterator[str]:
    """The lines of an examination for people; what is wrong comes last."""
    for name, number in examination["versions"].items():
        yield fact_line(name, number)
    yield fact_line("machine", examination["machine"])
    for name, places in examination["places"].items():
        for place in places:
            yield fact_line(name, place)
    for name, state in examination["tables"].items():
        yield fact_line("table", f"{name}: {state}")
    for what, remedy in examination["wrong"] or [("nothing", "")]:
        yield fact_line("wrong", what)
        yield from [fact_line("", remedy)] if remedy else []

"""An examination of the installed program and of the folders that it uses."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any

import puzzlebase
from puzzlebase.command_line.verb_sources import header_sources_of_verb
from puzzlebase.machine import processors, spare_memory
from puzzlebase.machine_code import machine_code_folder
from puzzlebase.paths import CACHE, VARIABLE, DataFolder, cache_folder, table_paths
from puzzlebase.puzzles.discovery import discovered_folders, discovered_rules, unreadable
from puzzlebase.terminal_text import bytes_as_text, fact_line

_KERNELS = "NUMBA_CACHE_DIR"
_LEAST_MEMORY = 512 << 20
_LEAST_DISK = 1 << 30
_UNKNOWN = "without a puzzle"

Problem = tuple[str, str]  # what is wrong, and what to do


def examine(data: DataFolder) -> dict[str, Any]:
    """Examine the program, its folders, and the tables of a data folder; raises NoDataFolder.

    It gives `versions`, `places` with the rights of this user there, and `tables` with their
    state, each by name as a text, `machine`, and `wrong`, a list of each Problem. Of a table its
    header is read, as a service does at its start; `verify` reads all of it.
    """
    program = Path(puzzlebase.__file__).parent
    kernels = machine_code_folder()
    cache = cache_folder(data.path)
    places = {"program": program, "data": data.path, "kernels": kernels}
    if cache:
        places["cache"] = cache
    places |= {f"puzzles {path}": path for path in (*discovered_folders(), *discovered_rules())}
    files = header_sources_of_verb(data.path).warm()
    tables = dict.fromkeys((path.stem for path in table_paths(data.path)), _UNKNOWN)
    tables |= {name: "damaged" if error else "sound" for name, error in files.items()}
    errors = filter(None, (*files.values(), *unreadable().values()))
    spare = spare_memory()
    problems = [
        *_problems(data, cache, kernels, spare),
        *((str(error), error.hint) for error in errors),
        *(
            (f"no puzzle is called {name!r}", "name its definition with --puzzles or --rules")
            for name, state in tables.items()
            if state == _UNKNOWN
        ),
    ]
    return {
        "versions": _versions(),
        "machine": f"{processors()} processors, {bytes_as_text(spare)} of memory free",
        "places": {name: _place(path) for name, path in places.items()},
        "tables": tables,
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
    names = ["puzzlebase", *sorted(re.split(r"[^\w.-]", need)[0] for need in needs)]
    libraries = {name: version(name) for name in names}
    return {"python": platform.python_version(), "system": platform.platform(), **libraries}


def _place(path: Path) -> str:
    """A path, the rights of this user, its files, and the free disk."""
    there = _there(path)
    modes = {"read": os.R_OK, "write": os.W_OK}
    rights = " and ".join(word for word, mode in modes.items() if os.access(there, mode))
    files = [each for each in path.glob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    absent = "" if path.exists() else ", not there yet"
    free = bytes_as_text(shutil.disk_usage(there).free)
    return f"{path}: {rights}{absent}; {len(files):,} files, {bytes_as_text(size)}; {free} free"


def examination_lines(examination: dict[str, Any]) -> Iterator[str]:
    """The lines of an examination for people; what is wrong comes last."""
    facts = {**examination["versions"], "machine": examination["machine"], **examination["places"]}
    for name, text in facts.items():
        yield fact_line(name.partition(" ")[0], text)
    for name, state in examination["tables"].items():
        yield fact_line("table", f"{name}: {state}")
    for what, remedy in examination["wrong"] or [("nothing", "")]:
        yield fact_line("wrong", what)
        yield fact_line("", remedy)

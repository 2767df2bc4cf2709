"""The writer of a release: the tables of a folder and their manifest."""

from __future__ import annotations

import shutil
from hashlib import blake2b, sha256
from itertools import chain
from pathlib import Path

from puzzlebase.builder.errors import BuildError
from puzzlebase.builder.progress import Phase, Reporter
from puzzlebase.builder.unfinished import publish_unfinished
from puzzlebase.db.blocks import decode
from puzzlebase.db.errors import MissingTable
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import build_command, table_paths
from puzzlebase.plugins.release.manifest import MANIFEST, Manifest, ReleasedTable, read_manifest
from puzzlebase.puzzles import Puzzle, PuzzleError, find
from puzzlebase.puzzles.discovery import discovered_folders, discovered_rules
from puzzlebase.puzzles.files import drawing_of_puzzle_file, list_files


def write_release(data: Path, to: Path, version: str, report: Reporter) -> Manifest:
    """Copy every table of `data` into the folder `to`, with the definitions of users' own puzzles.

    The manifest is written last, and returned. Every block of a copy is read and checked before the
    copy takes its name. Raises MissingTable without a table, DamagedTable, and BuildError if the
    two folders are one, or a table's definition is missing.
    """
    paths = table_paths(data)
    if not paths:
        raise MissingTable(
            f"there is no table in {str(data)!r} to release", "build one: puzzlebase build PUZZLE"
        )
    if to.exists() and to.samefile(data):
        raise BuildError(
            f"{str(to)!r} is the folder of the tables itself", "name another folder for the release"
        )
    definitions = dict.fromkeys(chain.from_iterable(map(_definition, paths)))
    to.mkdir(parents=True, exist_ok=True)
    size = sum(path.stat().st_size for path in paths)
    if size > (free := shutil.disk_usage(to).free):
        raise BuildError(
            f"the tables take {size:,} bytes, {free:,} are free in {str(to)!r}",
            "make room, or name another",
        )
    for path in definitions:
        if path.parent.resolve() != to.resolve():
            shutil.copyfile(path, to / path.name)
    with report.phase("copy and check", size, "bytes") as phase:
        manifest = Manifest(version, tuple(_copied(path, to, phase) for path in paths))
    with publish_unfinished(to / MANIFEST) as unfinished:
        unfinished.write_bytes(manifest.to_json())
    return read_manifest((to / MANIFEST).read_bytes(), str(to))


def _definition(path: Path) -> list[Path]:
    """The files that define the puzzle of a table,
    if it is a user's own; raises BuildError if they are unknown.
    """
    name, _, key = path.stem.partition("@")
    try:
        puzzle = find(name)
    except PuzzleError as error:
        raise BuildError(
            f"{str(path)!r} cannot be released without the definition of its puzzle: {error}",
            "name the folder of definitions with --puzzles or the file of rules with --rules, or "
            "move the table away",
        ) from None
    with TableFile(path) as table:
        found = table.info.puzzle, table.info.goal
    if found != (name, key or puzzle.goals[0].key):
        raise BuildError(
            f"{str(path)!r} is of another version or of another definition than the one "
            f"of {name} here",
            f"build it anew: {build_command(name, key)}",
        )
    return _files_of(puzzle)


def _files_of(puzzle: Puzzle) -> list[Path]:
    """The files of a puzzle: its definition and drawing,
    its levels or its rules; none for one of the program.
    """
    for file in filter(Path.is_file, discovered_rules()):
        if blake2b(file.read_bytes(), digest_size=8).hexdigest() == puzzle.about.rules:
            return [file]
    if not puzzle.about.rules:
        return []
    files = [
        file.path
        for file in list_files([*discovered_folders()]).files
        if file.name == puzzle.about.family
    ]
    return [*filter(Path.exists, chain(files, map(drawing_of_puzzle_file, files)))]


def _copied(path: Path, to: Path, phase: Phase) -> ReleasedTable:
    """Copy a table, and return its record."""
    digest = sha256()
    with publish_unfinished(to / path.name) as unfinished:
        with path.open("rb") as source, unfinished.open("wb") as file:
            while some := source.read(1 << 20):
                file.write(some)
                digest.update(some)
                phase.advance(len(some) / 2)
        with TableFile(unfinished) as table:
            for block in table.blocks():
                with table.damage():
                    decode(block)
                phase.advance(len(block.data) / 2)
            steps = table.build_steps()
            return ReleasedTable(
                name=path.stem,
                digest=table.digest,
                states=table.info.reachable,
                gods_number=table.info.gods_number,
                bytes=unfinished.stat().st_size,
                sha256=digest.hexdigest(),
                version=steps[-1].version if steps else "unknown",
            )

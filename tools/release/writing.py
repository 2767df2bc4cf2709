"""The writer of a release: the tables of a folder, their manifest and their citation."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from itertools import chain
from pathlib import Path

from puzzlebase.builder.progress import Phase, Reporter
from puzzlebase.builder.publishing import BuildError, unpublished
from puzzlebase.db.blocks import decode
from puzzlebase.db.errors import MissingTable
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import build_command, tables_in
from puzzlebase.puzzles import PuzzleError, find
from puzzlebase.puzzles.discovery import files_of
from puzzlebase.tools.release.data_set import licence, write_card, write_parquet
from puzzlebase.tools.release.manifest import MANIFEST, Manifest, ReleasedTable, certificates_of, read_manifest

CITATION = "CITATION.cff"  # in version 1.2.0 of https://citation-file-format.github.io


def write_release(
    data: Path, to: Path, version: str, report: Reporter, address: str | None = None, doi: str | None = None
) -> tuple[Manifest, list[str]]:
    """Copy every table of `data` into the folder `to`, with the definitions of users' own puzzles.

    Parquet, a card and a citation, which name the address and the DOI, and last the manifest are written beside them.
    Returns the manifest, and what a person has to add to the card. Every block of a copy is read and checked before the
    copy takes its name. Raises MissingTable without a table, DamagedTable, and BuildError if the two folders are one,
    or a table's definition is missing.
    """
    paths = tables_in(data)
    if not paths:
        raise MissingTable(f"there is no table in {str(data)!r} to release", "build one: puzzlebase build PUZZLE")
    if to.exists() and to.samefile(data):
        raise BuildError(f"{str(to)!r} is the folder of the tables itself", "name another folder for the release")
    definitions = dict.fromkeys(chain.from_iterable(map(_definition, paths)))
    to.mkdir(parents=True, exist_ok=True)
    size = sum(path.stat().st_size for path in paths)
    if size > (free := shutil.disk_usage(to).free):
        raise BuildError(
            f"the tables take {size:,} bytes, {free:,} are free in {str(to)!r}", "make room, or name another"
        )
    for path in definitions:
        if path.parent.resolve() != to.resolve():
            shutil.copyfile(path, to / path.name)
    with report.phase("copy and check", size, "bytes") as phase:
        tables, dates = zip(*(_copied(path, to, phase) for path in paths), strict=True)
    manifest = Manifest(version, tables)
    write_parquet(to, [to / path.name for path in paths])
    gaps = write_card(to, manifest, address, doi, [path.name for path in definitions])
    citation = _citation(manifest, max(dates), address, doi)
    for name, content in ((CITATION, citation.encode()), (MANIFEST, manifest.to_json())):
        with unpublished(to / name) as unfinished:
            unfinished.write_bytes(content)
    return read_manifest((to / MANIFEST).read_bytes(), str(to)), gaps


def _definition(path: Path) -> list[Path]:
    """The files that define the puzzle of a table, if it is a user's own; raises BuildError if they are unknown."""
    name, _, key = path.stem.partition("@")
    try:
        puzzle = find(name)
    except PuzzleError as error:
        raise BuildError(
            f"{str(path)!r} cannot be released without the definition of its puzzle: {error}",
            "name the folder of definitions with --puzzles or the file of rules with --rules, or move the table away",
        ) from None
    with TableFile(path) as table:
        found = table.info.puzzle, table.info.goal
    if found != (name, key or puzzle.goals[0].key):
        raise BuildError(
            f"{str(path)!r} is of another version or of another definition than the one of {name} here",
            f"build it anew: {build_command(name, key)}",
        )
    return files_of(puzzle)


def _copied(path: Path, to: Path, phase: Phase) -> tuple[ReleasedTable, str]:
    """Copy a table, and return its record and the day on which it was built."""
    digest = sha256()
    with unpublished(to / path.name) as unfinished:
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
            released = ReleasedTable(
                name=path.stem,
                digest=table.digest,
                states=table.info.reachable,
                gods_number=table.info.gods_number,
                certificates=certificates_of(table),
                bytes=unfinished.stat().st_size,
                sha256=digest.hexdigest(),
                version=steps[-1].version if steps else "unknown",
            )
    return released, max((f"{step.built:%Y-%m-%d}" for step in steps), default="1970-01-01")


def _citation(manifest: Manifest, date: str, address: str | None, doi: str | None) -> str:
    """The citation, with texts in JSON, which is YAML too."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these tables, please cite them as below.",
        "type: dataset",
        f"title: {json.dumps('Puzzlebase: exact distances of ' + ', '.join(t.name for t in manifest.tables))}",
        "authors:",
        "  - name: The Puzzlebase authors",
        f"version: {json.dumps(manifest.version)}",
        f"date-released: {date}",
        f"license: {licence()}",
        *([f"url: {json.dumps(address)}"] if address else []),
        *([f"doi: {json.dumps(doi)}"] if doi else []),
        "abstract: >-",
        "  The fewest moves from every state of these puzzles to solved, with a certificate over every state. The",
        f"  identifiers are the digests of the tables; {MANIFEST} has their sizes and checksums too.",
        "identifiers:",
    ]
    for table in manifest.tables:
        title = f"{table.name}: {table.states:,} states, God's number {table.gods_number}"
        lines += ["  - type: other", f"    value: blake2b:{table.digest}", f"    description: {json.dumps(title)}"]
    return "\n".join(lines) + "\n"

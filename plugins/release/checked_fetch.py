"""Fetch a table from a release, check it by the manifest, and put it in place in one step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from urllib.parse import quote, urlsplit

from puzzlebase.atomic_files import new_file
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.errors import STARTS_ANEW, BuildError, build_failures
from puzzlebase.builder.table import TableJob
from puzzlebase.builder.verify import agree
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import build_command
from puzzlebase.plugins.release.manifest import (
    MANIFEST,
    MOST_BYTES_OF_A_MANIFEST,
    Manifest,
    ReleasedTable,
    read_manifest,
)
from puzzlebase.plugins.web import PIECE, file_pieces
from puzzlebase.terminal_text import printable

_NAMES_SHOWN = 20


def fetch_table(job: TableJob, where: str) -> str:
    """Fetch a job's table from a folder or an address of the web, and return the outcome in words.

    If the table is here with the manifest's digest, it stays. No name of the manifest becomes the
    name of a file here. Raises MissingTable, DamagedTable for a manifest, and BuildError.
    """
    released = _find(read_manifest(_manifest_at(where), where), job, where)
    with build_failures(job.path, job.report, STARTS_ANEW, "transfer"):
        if _is_there(job, released):
            return f"{job.path} is there already, with the same digest"
        job.data.mkdir(parents=True, exist_ok=True)
        with new_file(job.path) as unfinished:
            _download(where, released, unfinished, job)
            _check(job, released, unfinished)
    return f"{job.path} is in place: its digest is the manifest's"


def _find(manifest: Manifest, job: TableJob, where: str) -> ReleasedTable:
    name = job.puzzle.table_name(job.goal)
    for table in manifest.tables:
        if table.name == name:
            return table
    names = ", ".join(printable(table.name, "?") for table in manifest.tables[:_NAMES_SHOWN])
    raise MissingTable(
        f"there is no table of {name!r} at {where!r}", f"take one of those there: {names or 'none'}"
    )


def _is_there(job: TableJob, released: ReleasedTable) -> bool:
    """True if this table is in place;
    raises BuildError for another one. A damaged one may be replaced.
    """
    try:
        with TableFile(job.path) as file:
            digest = file.digest
    except MissingTable:
        return False
    except DamagedTable as error:
        job.report.say(f"{error}; it is replaced")
        return False
    if digest == released.digest:
        return True
    raise BuildError(
        f"{str(job.path)!r} is another table: its digest begins with {digest[:12]}, "
        f"the manifest's with {released.digest[:12]}",
        "keep it, and fetch into another folder with --data; or remove that file first",
    )


def _download(where: str, released: ReleasedTable, path: Path, job: TableJob) -> None:
    """Write a file of at most as many bytes as the manifest says;
    raises BuildError if there is no room for them.
    """
    free = shutil.disk_usage(job.data).free
    if released.bytes > free:
        raise BuildError(
            f"{released.file} takes {released.bytes:,} bytes, {free:,} are free in "
            f"{str(job.data)!r}",
            "make room there, or name another folder with --data",
        )
    with (
        path.open("wb") as file,
        job.report.phase(f"fetch {released.name}", released.bytes, "bytes") as phase,
    ):
        for some in read(where, released.file):
            file.write(some[: released.bytes - file.tell()])
            phase.reached(file.tell())
            if file.tell() == released.bytes:
                break


def _check(job: TableJob, released: ReleasedTable, path: Path) -> None:
    """Compare a file with its name and with the manifest; raises BuildError."""
    with path.open("rb") as content:
        sha256 = file_digest(content, "sha256").hexdigest()
    try:
        agree("the bytes that the manifest states", released.bytes, path.stat().st_size)
        agree("the SHA-256 that the manifest states", released.sha256, sha256)
        with TableFile(path) as table:
            agree(
                "puzzle and goal",
                (job.puzzle.name, job.goal.key),
                (table.info.puzzle, table.info.goal),
            )
            agree("the digest that the manifest states", released.digest, table.digest)
    except (DamagedTable, VerificationError) as error:
        raise BuildError(
            f"the table of {released.name} that was fetched is not sound: {error}",
            "nothing was put in place; run the same command again, or build it yourself: "
            f"{build_command(job.puzzle.name, job.goal.name if '@' in released.name else '')}",
        ) from error


def read(where: str, file: str) -> Iterator[bytes]:
    """The content of a file of a release, in pieces.

    `where` is an address with http or https, or else a folder. Raises MissingTable if there is no
    such file, BuildError if it cannot be read.
    """
    scheme = urlsplit(where).scheme.lower() if "://" in where else ""
    if scheme not in ("", "http", "https"):
        remedy = "--from takes a folder, or an address with http or https"
        raise MissingTable(f"{where!r} cannot be fetched from", remedy)
    at = f"{where.rstrip('/')}/{quote(file)}" if scheme else str(Path(where, file))
    try:
        yield from (some for _, some in file_pieces(at)) if scheme else _of_folder(Path(at))
    except FileNotFoundError:
        remedy = (
            "--from takes the folder that `puzzlebase release` wrote, or the address where "
            "that is served"
        )
        raise MissingTable(f"there is no {file!r} at {where!r}", remedy) from None
    except OSError as error:
        check = "check the address and the network, then " if scheme else ""
        what = f"{at!r} cannot be read: {error.strerror or error}"
        raise BuildError(what, f"{check}{STARTS_ANEW}") from error


def _manifest_at(where: str) -> bytes:
    """The content of the manifest, cut off if it is too long to be read; raises as `read` does."""
    content = b""
    for some in read(where, MANIFEST):
        content += some
        if len(content) > MOST_BYTES_OF_A_MANIFEST:
            break
    return content


def _of_folder(path: Path) -> Iterator[bytes]:
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as source:
        while some := source.read(PIECE):
            yield some

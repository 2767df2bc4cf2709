"""Fetch a table from a release, check it by the manifest, and put it in place in one step."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, urlsplit

from puzzlebase.atomic_files import FileInUse, locked, put
from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.publishing import BuildError, failures
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
    certificates_of,
    read_manifest,
)
from puzzlebase.plugins.web import PIECE, Pieces, pieces
from puzzlebase.puzzles.contract.errors import printable

_AGAIN = "run the same command again, which goes on where this one stopped"  # the remedy where the file is sound
_PARTIAL = ".fetching"
_DIGITS = 16  # of the checksum, in the name of the unfinished file
_NAMES_SHOWN = 20


def fetch_table(job: TableJob, where: str) -> str:
    """Fetch a job's table from a folder or an address of the web, and return the outcome in words.

    If the table is here with the manifest's digest, it stays. A partial download is stored beside the table's name, and
    the next call resumes it. No name of the manifest becomes the name of a file here. Raises MissingTable, DamagedTable
    for a manifest, and BuildError.
    """
    released = _find(read_manifest(manifest_at(where), where), job, where)
    there = f"{job.path} is there already, with the same digest"
    with failures(job.path, job.report, _AGAIN, "transfer"):
        job.data.mkdir(parents=True, exist_ok=True)
        if _is_there(job, released):
            return there
        with _unfinished(job, released) as (path, file):
            if _is_there(job, released):  # another process put it there meanwhile
                path.unlink()
                return there
            needed, free = released.bytes - path.stat().st_size, shutil.disk_usage(job.data).free
            if needed > free:
                raise BuildError(
                    f"{released.file} takes {needed:,} bytes more, {free:,} are free in {str(job.data)!r}",
                    "make room there, or name another folder with --data",
                )
            _download(where, released, file, job)
            try:
                _check(job, released, path)
            except Exception:
                path.unlink()
                raise
            put(path, job.path, lasting=True)
    return f"{job.path} is in place: its digest is the manifest's"


def _find(manifest: Manifest, job: TableJob, where: str) -> ReleasedTable:
    name = job.puzzle.table_name(job.goal)
    for table in manifest.tables:
        if table.name == name:
            return table
    names = ", ".join(printable(table.name, "?") for table in manifest.tables[:_NAMES_SHOWN])
    raise MissingTable(f"there is no table of {name!r} at {where!r}", f"take one of those there: {names or 'none'}")


def _is_there(job: TableJob, released: ReleasedTable) -> bool:
    """True if this table is in place; raises BuildError for another one. A damaged one may be replaced."""
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
        f"{str(job.path)!r} is another table: its digest begins with {digest[:12]}, the manifest's with "
        f"{released.digest[:12]}",
        "keep it, and fetch into another folder with --data; or remove that file first",
    )


@contextmanager
def _unfinished(job: TableJob, released: ReleasedTable) -> Iterator[tuple[Path, BinaryIO]]:
    """The unfinished file, locked for this process and named by its checksum. Removes those of other releases."""
    path = job.path.with_suffix(f".{released.sha256[:_DIGITS]}{_PARTIAL}")
    for other in job.data.glob(f"{escape(job.path.stem)}.*{_PARTIAL}"):
        if other != path:
            other.unlink(missing_ok=True)
    try:
        file = locked(path)
    except FileInUse:
        raise BuildError(
            f"{job.path.stem!r} is being fetched into {str(job.data)!r} already", "wait for that to end"
        ) from None
    try:
        yield path, file
    finally:
        if not file.seek(0, 2):  # nothing came, so there is nothing to go on from
            path.unlink(missing_ok=True)
        file.close()


def _download(where: str, released: ReleasedTable, file: BinaryIO, job: TableJob) -> None:
    """Read the missing part; raises BuildError if the result is not the file of the manifest."""
    if file.seek(0, 2) > released.bytes:
        _empty(file)
    if file.tell():
        job.report.say(f"{file.tell():,} bytes are here from an earlier run")
    with job.report.phase(f"fetch {released.name}", released.bytes, "bytes") as phase:
        for at, some in read(where, released.file, file.tell()) if file.tell() < released.bytes else ():
            if at < file.tell():  # the server begins anew
                _empty(file)
            file.write(some[: released.bytes - file.tell()])
            phase.reached(file.tell())
            if file.tell() == released.bytes:
                break
        file.flush()
    if file.tell() < released.bytes:
        raise BuildError(
            f"only {file.tell():,} of {released.bytes:,} bytes of {released.file!r} came from {where!r}",
            "run the same command again, which goes on there; if no more come, the file there is cut short",
        )
    digest = sha256()
    file.seek(0)
    while some := file.read(1 << 20):
        digest.update(some)
    if digest.hexdigest() != released.sha256:
        _empty(file)
        raise BuildError(
            f"what came as {released.file!r} from {where!r} is not what its manifest says: the SHA-256 differs",
            "nothing was put in place; run the same command again, which begins anew, or tell whoever serves it",
        )


def _empty(file: BinaryIO) -> None:
    file.seek(0)
    file.truncate()


def _check(job: TableJob, released: ReleasedTable, path: Path) -> None:
    """Compare a file with its name and with the manifest; raises BuildError."""
    try:
        with TableFile(path) as file:
            agree("puzzle and goal", (job.puzzle.name, job.goal.key), (file.info.puzzle, file.info.goal))
            found = file.digest, file.info.reachable, file.info.gods_number, certificates_of(file)
            stated = released.digest, released.states, released.gods_number, tuple(sorted(released.certificates))
        agree("the table that the manifest describes", stated, found)
    except (DamagedTable, VerificationError) as error:
        raise BuildError(
            f"the table of {released.name} that was fetched is not sound: {error}",
            "nothing was put in place; tell whoever serves it, or build it yourself: "
            f"{build_command(job.puzzle.name, job.goal.name if '@' in released.name else '')}",
        ) from error


def read(where: str, file: str, offset: int = 0) -> Pieces:
    """The bytes of a file of a release from `offset` on, or from 0 if that is impossible.

    `where` is an address with http or https, or else a folder. Raises MissingTable if there is no such file, BuildError
    if it cannot be read.
    """
    scheme = urlsplit(where).scheme.lower() if "://" in where else ""
    if scheme not in ("", "http", "https"):
        remedy = "--from takes a folder, or an address with http or https"
        raise MissingTable(f"{where!r} cannot be fetched from", remedy)
    at = f"{where.rstrip('/')}/{quote(file)}" if scheme else str(Path(where, file))
    try:
        yield from pieces(at, offset) if scheme else _of_folder(Path(at), offset)
    except FileNotFoundError:
        remedy = "--from takes the folder that `puzzlebase release` wrote, or the address where that is served"
        raise MissingTable(f"there is no {file!r} at {where!r}", remedy) from None
    except OSError as error:
        remedy = f"check the address and the network, then {_AGAIN}" if scheme else _AGAIN
        raise BuildError(f"{at!r} cannot be read: {error.strerror or error}", remedy) from error


def manifest_at(where: str) -> bytes:
    """The content of the manifest; raises as `read` does, and BuildError for one that is too long."""
    content = b""
    for _, some in read(where, MANIFEST):
        content += some
        if len(content) > MOST_BYTES_OF_A_MANIFEST:
            raise BuildError(f"the manifest at {where!r} has no end", "take another --from")
    return content


def _of_folder(path: Path, offset: int) -> Pieces:
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as source:
        source.seek(offset)
        while some := source.read(PIECE):
            yield offset, some
            offset += len(some)

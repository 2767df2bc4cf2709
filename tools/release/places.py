"""Read a file of a release, from any byte on, out of a folder or from an address of the web."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlsplit

from puzzlebase.builder.publishing import BuildError
from puzzlebase.db.errors import MissingTable
from puzzlebase.tools.release.manifest import MANIFEST, MOST_BYTES_OF_A_MANIFEST
from puzzlebase.tools.web import PIECE, Pieces, pieces

AGAIN = "run the same command again, which goes on where this one stopped"  # the remedy where the file is sound


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
        remedy = f"check the address and the network, then {AGAIN}" if scheme else AGAIN
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

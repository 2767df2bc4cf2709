"""Read a file of a release, from any byte on, out of a folder or from an address of the web."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import cast
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

from puzzlebase.builder.publishing import BuildError
from puzzlebase.db.errors import MissingTable
from puzzlebase.puzzles.contract.errors import printable
from puzzlebase.tools.release.manifest import MANIFEST, MOST_BYTES_OF_A_MANIFEST

_PIECE = 1 << 20
_ERRORS = request.HTTPErrorProcessor, request.HTTPDefaultErrorHandler
_PATIENCE = 60  # seconds that a server may be silent, or send less of a file than the least rate
_LEAST_RATE = 1000  # bytes of a file in a second
AGAIN = "run the same command again, which goes on where this one stopped"  # the remedy where the file is sound

Pieces = Iterator[tuple[int, bytes]]  # of a file, each with its offset
_Found = tuple[int, bytes] | Exception | None  # a piece, an error to raise, or the end


def read(where: str, file: str, offset: int = 0) -> Pieces:
    """The bytes of a file of a release from `offset` on, or from 0 if that is impossible.

    `where` is an address with http or https, or else a folder. Raises MissingTable if there is no such file, BuildError
    if it cannot be read.
    """
    scheme = urlsplit(where).scheme.lower() if "://" in where else ""
    if scheme in ("http", "https"):
        return _of_web(where, file, offset)
    if scheme:
        remedy = "--from takes a folder, or an address with http or https"
        raise MissingTable(f"{where!r} cannot be fetched from", remedy)
    return _of_folder(where, file, offset)


def manifest_at(where: str) -> bytes:
    """The content of the manifest; raises as `read` does, and BuildError for one that is too long."""
    content = b""
    for _, some in read(where, MANIFEST):
        content += some
        if len(content) > MOST_BYTES_OF_A_MANIFEST:
            raise BuildError(f"the manifest at {where!r} has no end", "take another --from")
    return content


def _of_folder(folder: str, file: str, offset: int) -> Pieces:
    path = Path(folder) / file
    if not path.is_file():
        raise _missing(folder, file)
    try:
        with path.open("rb") as source:
            source.seek(offset)
            while some := source.read(_PIECE):
                yield offset, some
                offset += len(some)
    except OSError as error:
        raise BuildError(f"{str(path)!r} cannot be read: {error.strerror or error}", AGAIN) from error


def _of_web(where: str, file: str, offset: int) -> Pieces:
    address = f"{where.rstrip('/')}/{quote(file)}"
    try:
        yield from _fast_enough(_transfer(address, offset))
    except HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise _missing(where, file) from None
        if error.code == 416:  # all of the file is here
            return
        raise _unreadable(address, f"{error.code} {error.reason}") from None
    except (URLError, HTTPException, TimeoutError, ConnectionError, ssl.SSLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise _unreadable(address, why) from error


def _missing(where: str, file: str) -> MissingTable:
    return MissingTable(
        f"there is no {file!r} at {where!r}",
        "--from takes the folder that `puzzlebase release` wrote, or the address where that is served",
    )


def _unreadable(address: str, why: str) -> BuildError:
    """An error with the reason of a server or a library, without control characters for a terminal."""
    shown = printable(why[:200], "?")
    return BuildError(f"{address!r} cannot be read: {shown}", f"check the address and the network, then {AGAIN}")


def _fast_enough(pieces: Pieces) -> Pieces:
    """The same pieces; raises TimeoutError if they come too slowly, whatever else the server sends.

    A byte now and then keeps the libraries waiting for ever. So a thread reads, and is abandoned after the error. A
    process that was stopped counts as one second of waiting.
    """
    queue: Queue[_Found] = Queue(1)
    given_up = Event()
    Thread(target=_put, args=(pieces, queue, given_up), name="transfer", daemon=True).start()
    waited, came = 0.0, 0
    try:
        while True:
            began = monotonic()
            try:
                found = queue.get(timeout=1)
            except Empty:
                found = 0, b""
            waited += min(monotonic() - began, 1)
            if found is None:
                return
            if isinstance(found, Exception):
                raise found
            if found[1]:
                came += len(found[1])
                yield found
            if waited >= _PATIENCE:
                if came < _LEAST_RATE * _PATIENCE:
                    raise TimeoutError(f"less than {_LEAST_RATE:,} bytes a second came for {_PATIENCE} s")
                waited, came = 0.0, 0
    finally:
        given_up.set()
        with suppress(Empty):
            queue.get_nowait()  # for which the thread may wait


def _put(pieces: Pieces, queue: Queue[_Found], given_up: Event) -> None:
    try:
        for piece in pieces:
            queue.put(piece)
            if given_up.is_set():
                return
        queue.put(None)
    except Exception as error:  # noqa: BLE001 -- it is raised where the pieces are wanted
        queue.put(error)


def _transfer(address: str, offset: int) -> Pieces:
    headers = {"Accept-Encoding": "identity", "User-Agent": "puzzlebase"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    opener = request.OpenerDirector()  # of the web and nothing else: no files, no FTP
    for handler in (request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler, _Redirects, *_ERRORS):
        opener.add_handler(handler())
    asked = request.Request(address, headers=headers)  # noqa: S310 -- the opener knows http and https alone
    with closing(cast("HTTPResponse", opener.open(asked, timeout=_PATIENCE))) as answer:
        goes_on = (answer.headers["Content-Range"] or "").startswith(f"bytes {offset}-")
        at = offset if answer.status == 206 and goes_on else 0
        while some := answer.read1(_PIECE):
            yield at, some
            at += len(some)


class _Redirects(request.HTTPRedirectHandler):
    """A handler that follows redirections to other addresses of the web, but never away from https."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        fp.close()  # else all of its body would be read
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme == "http"):
            raise URLError(f"it leads to {newurl!r}, which is less safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)

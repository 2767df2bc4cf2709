"""Read files of the web: slow servers are given up, and no redirection leads away from https."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import cast
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from puzzlebase.puzzles.contract.errors import printable

PIECE = 1 << 20
_ERRORS = request.HTTPErrorProcessor, request.HTTPDefaultErrorHandler
_PATIENCE = 60  # seconds that a server may be silent, or send less of a file than the least rate
_LEAST_RATE = 1000  # bytes of a file in a second

Pieces = Iterator[tuple[int, bytes]]  # of a file, each with its offset
_Found = tuple[int, bytes] | Exception | None  # a piece, an error to raise, or the end


def pieces(address: str, first: int = 0, end: int | None = None) -> Pieces:
    """The bytes of a file from `first` on, up to `end`; if the server has no ranges, the whole file from 0 on.

    Raises FileNotFoundError if there is no such file, and OSError, with the reason in words, if it cannot be read.
    """
    try:
        yield from _fast_enough(_transfer(address, first, end))
    except HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise FileNotFoundError(address) from None
        if error.code != 416:  # else the file ends before
            raise OSError(printable(f"{error.code} {error.reason}"[:200], "?")) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise OSError(printable(why[:200], "?")) from error  # without control characters for a terminal


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


def _transfer(address: str, first: int, end: int | None) -> Pieces:
    headers = {"Accept-Encoding": "identity", "User-Agent": "puzzlebase"}
    if first or end:
        headers["Range"] = f"bytes={first}-{end - 1 if end else ''}"
    opener = request.OpenerDirector()  # of the web and nothing else: no files, no FTP
    for handler in (request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler, _Redirects, *_ERRORS):
        opener.add_handler(handler())
    asked = request.Request(address, headers=headers)  # noqa: S310 -- the opener knows http and https alone
    with closing(cast("HTTPResponse", opener.open(asked, timeout=_PATIENCE))) as answer:
        goes_on = (answer.headers["Content-Range"] or "").startswith(f"bytes {first}-")
        at = first if answer.status == 206 and goes_on else 0
        while some := answer.read1(PIECE):
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

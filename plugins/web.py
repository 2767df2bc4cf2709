"""Read files of the web: a silent server is given up, and no redirection leads away from https."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPException, HTTPResponse
from typing import cast
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from puzzlebase.terminal_text import printable

PIECE = 1 << 20
_PATIENCE = 60  # seconds that a server may be silent

Pieces = Iterator[tuple[int, bytes]]  # of a file, each with its offset


def file_pieces(address: str, first: int = 0, end: int | None = None) -> Pieces:
    """The bytes of a file from `first` on, up to `end`;
    if the server has no ranges, the whole file from 0 on.

    Raises FileNotFoundError if there is no such file,
    and OSError, with the reason in words, if it cannot be read.
    """
    try:
        yield from _transfer(address, first, end)
    except HTTPError as error:
        error.close()
        if error.code in (404, 410):
            raise FileNotFoundError(address) from None
        if error.code != 416:  # else the file ends before
            raise OSError(printable(f"{error.code} {error.reason}"[:200], "?")) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        # without control characters for a terminal
        raise OSError(printable(why[:200], "?")) from error


def _transfer(address: str, first: int, end: int | None) -> Pieces:
    headers = {"Accept-Encoding": "identity", "User-Agent": "puzzlebase"}
    if first or end:
        headers["Range"] = f"bytes={first}-{end - 1 if end else ''}"
    asked = request.Request(address, headers=headers)  # noqa: S310 -- callers name http or https
    opened = request.build_opener(Redirects).open(asked, timeout=_PATIENCE)
    with closing(cast("HTTPResponse", opened)) as answer:
        goes_on = (answer.headers["Content-Range"] or "").startswith(f"bytes {first}-")
        at = first if answer.status == 206 and goes_on else 0
        while some := answer.read1(PIECE):
            yield at, some
            at += len(some)


class Redirects(request.HTTPRedirectHandler):
    """A handler that follows redirections within the web, but never away from https."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        """The request that follows; raises URLError for one that is less safe."""
        if urlsplit(newurl).scheme not in {"https", req.type}:
            raise URLError(f"it leads to {newurl!r}, which is less safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)

"""The body of a request, read in pieces that are counted, with limits of size and time."""

from __future__ import annotations

import asyncio
import mmap
from io import BytesIO
from time import monotonic
from typing import Any

from puzzlebase.service.error_status import Overloaded, SlowBody, TooLarge
from puzzlebase.service.http.connection.byte_budget import ByteBudget, Client
from puzzlebase.service.http.connection.limits import BODY_SECONDS, MAX_BODY

_SMALL = 1 << 16


class Body:
    """The part of a body that has arrived. A large one has its own memory pages, which are given back at its end.

    In growing buffers of Python's, 128 MB of unfinished bodies took 340 MB, and none of it was given back.
    """

    def __init__(self, budget: ByteBudget) -> None:
        self._budget = budget
        self._small = bytearray()
        self._large: mmap.mmap | None = None
        self._client = Client(self._leave)
        self._left = False
        self._limit = asyncio.timeout(BODY_SECONDS)

    async def read(self, stated_length: str, pieces: Any) -> None:
        """Read the whole body. Raises TooLarge, SlowBody or Overloaded, and leaves the rest unread."""
        digits = stated_length.lstrip("0") or "0"
        if not digits.isdecimal() or len(digits) >= 20 or int(digits) > MAX_BODY:
            raise body_too_long()
        try:
            with self._budget.watching(self._client):
                async with self._limit:
                    async for piece in pieces:
                        self._add(piece)
        except TimeoutError:
            if self._left:
                raise _too_many() from None
            came = f"only {self._client.size:,} bytes of the body came in {BODY_SECONDS:g} s"
            raise SlowBody(came, "send it in one go") from None

    def _add(self, piece: bytes) -> None:
        size = self._client.size
        if size + len(piece) > MAX_BODY:
            raise body_too_long()
        if self._left or not self._budget.take(len(piece)):
            raise _too_many()
        self._client.size += len(piece)
        self._client.progressed = monotonic()
        if self._large is None and size + len(piece) > _SMALL:
            self._large = mmap.mmap(-1, MAX_BODY)
            self._large.write(self._small)
            self._small.clear()
        if self._large is None:
            self._small += piece
        else:
            self._large.write(piece)

    def _leave(self) -> None:
        """Give way to others, as a stalled body."""
        self._left = True
        self.drop()
        self._limit.reschedule(0)

    def file(self) -> BytesIO:
        """Copy the body, for WSGI."""
        if self._large is None:
            return BytesIO(self._small)
        with memoryview(self._large) as content:
            return BytesIO(content[: self._client.size])

    def drop(self) -> None:
        """Forget the body and give its bytes back."""
        self._budget.give(self._client.size)
        self._client.size = 0
        if self._large is not None:
            self._large.close()


def _too_many() -> Overloaded:
    return Overloaded(
        "the service already holds as many bodies as it may", "send this one again in a moment, in one go"
    )


def body_too_long() -> TooLarge:
    """The error of a body over MAX_BODY."""
    return TooLarge("the body is too long", f"send at most {MAX_BODY:,} bytes")

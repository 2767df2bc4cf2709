"""Large answers, which the server takes piece by piece as the client reads.

granian holds an answer until it is read, and does not tell when that is. So it gets a large answer as a pipe that it
reads like a file. The pipe fills up while the client does not read. A client that reads too slowly is dropped.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from contextlib import suppress
from functools import partial
from time import monotonic

from puzzlebase.service.http.connection.byte_budget import ByteBudget, Client
from puzzlebase.service.http.connection.exchange import PlainResponse, Transport
from puzzlebase.service.http.connection.limits import READ_RATE, READ_SECONDS

_LARGEST_PIPE = (
    1 << 20
)  # bytes, of a pipe that a quarter or half of a large answer fills: in 64 kB it took a fifth more
LARGE = 1 << 16  # bytes of an answer that granian takes at once; a pipe holds as many, and never all of a larger answer


async def send_large(response: PlainResponse, transport: Transport, budget: ByteBudget) -> None:
    """Send a response of more than LARGE bytes, and return when its client has nearly all of it, or was dropped."""
    status, headers, body = response
    try:
        pipe = os.pipe()
    except OSError:  # no file can be opened any more
        transport.response_bytes(int(status[:3]), headers, body)
        return
    with suppress(AttributeError, OSError):  # Linux knows it; a user has only so much of it
        fcntl.fcntl(pipe[1], fcntl.F_SETPIPE_SZ, min(len(body) // 4, _LARGEST_PIPE))
    files = set(pipe)
    loop = asyncio.get_running_loop()
    limit = asyncio.timeout(READ_SECONDS + len(body) / READ_RATE)
    client = Client(partial(loop.call_soon_threadsafe, _end, limit), len(body))
    try:
        transport.response_file(int(status[:3]), headers, f"/dev/fd/{pipe[0]}")
        with budget.watching(client), suppress(TimeoutError, BrokenPipeError):
            async with limit:
                await _fill(*pipe, body, files, client)
    finally:
        for file in files:
            os.close(file)


async def _fill(reader: int, writer: int, body: bytes, files: set[int], client: Client) -> None:
    """Write a body to a pipe. Our reading end is closed once the other side has opened its own and read."""
    os.set_blocking(writer, False)
    left = memoryview(body)
    while True:
        with suppress(BlockingIOError):
            left = left[os.write(writer, left) :]
        if not left:
            return
        await _writable(writer)
        client.progressed = monotonic()
        if reader in files:
            files.remove(reader)
            os.close(reader)


def _end(limit: asyncio.Timeout) -> None:
    with suppress(RuntimeError):  # it has ended by itself
        limit.reschedule(0)


async def _writable(file: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_writer(file, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_writer(file)

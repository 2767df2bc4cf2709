"""Large answers on their way: the server takes a piece when the client has read the one before.

granian holds what it is handed until it is read, and does not tell when that is. So it reads a large answer from a
pipe, as it would a file. The pipe fills up while the client does not read. One that reads too slowly is dropped.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from functools import partial
from time import monotonic

from puzzlebase.service.http.connection.byte_budget import ByteBudget, Client
from puzzlebase.service.http.connection.exchange import PlainResponse, Transport
from puzzlebase.service.http.connection.limits import READ_RATE, READ_SECONDS

LARGE = 1 << 16
"""Bytes of an answer that granian takes at once. A pipe holds as many, and never all of a larger one."""


async def send_large(response: PlainResponse, transport: Transport, budget: ByteBudget) -> None:
    """Send a response of more than LARGE bytes; returns when all but the last of them are read, or never will be.

    Its client counts in `budget`, and may be dropped while it does not read.
    """
    status, headers, body = response
    try:
        pipe = os.pipe()
    except OSError:  # no file can be opened any more
        transport.response_bytes(int(status[:3]), headers, body)
        return
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
    """Write all of a body to a pipe. Once the other side has read of it, it has opened the pipe: we need not read."""
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

"""A part of a build: the actor that finds and stores a range of rows, and how it sends messages."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from threading import Condition
from typing import Any, NamedTuple

import numpy as np
import ray

from puzzlebase.atomic_files import locked
from puzzlebase.builder.journal import Journal
from puzzlebase.builder.table import write_blocks
from puzzlebase.db.block_cache import BlockCache
from puzzlebase.db.blocks import BLOCK_SIZE, Block
from puzzlebase.db.table_file import BlockHeaders
from puzzlebase.puzzles import Indices, Signed
from puzzlebase.tools.cluster.blocks import BlocksOfParts, PartFile
from puzzlebase.tools.cluster.plan import Plan
from puzzlebase.tools.cluster.search import Message, PartSearch
from puzzlebase.tools.publish.blocks import IN_FILE
from puzzlebase.tools.publish.blocks import write_blocks as publish_blocks

_PATIENCE = 30.0  # seconds that a part waits for the process of its predecessor to end and close the file
_SMALL = 1 << 15  # bytes of a layer's messages that the driver carries: thin layers then wait for no other part
_IN_FLIGHT = 4  # messages from one part to another; beyond it the part waits, so the object store holds no more
_CACHED = 1 << 24  # packed bytes of blocks in memory while a part publishes its own
_LOOK = 1.0  # seconds after which a waiting part looks if it still has to wait


class PartLost(Exception):
    """A part does not answer another one any more: its process, its machine or the network has failed."""


class Told(NamedTuple):
    """A part's report of one layer: its vertices, the messages that the driver carries, and the work done."""

    vertices: int
    carried: dict[int, list[Message]]
    bytes: int
    messages: int
    seconds: float


class Progress(NamedTuple):
    """The state of a part: its layer, a count that grows while it works, and the parts that it waits for."""

    layer: int
    done: int
    waiting: list[int]


@dataclass
class Outbox:
    """The messages of a part about one layer. The driver carries few small ones; parts exchange the others."""

    parts: list[Any]
    attempt: int
    layer: int
    wanted: Callable[[], bool]  # False once nobody waits for the layer any more
    carried: dict[int, list[Message]] = field(default_factory=lambda: defaultdict(list))
    bytes: int = 0
    messages: int = 0

    def __post_init__(self) -> None:
        self._flying: dict[int, list[Any]] = defaultdict(list)

    def send(self, part: int, message: Message) -> None:
        """Send a message; wait while too many are on their way to this part. Raises PartLost."""
        self.bytes += len(message.data)
        self.messages += 1
        if self.bytes <= _SMALL:
            self.carried[part].append(message)
            return
        self._wait(part, _IN_FLIGHT - 1)
        receive = self.parts[part].receive.options(concurrency_group="exchange")
        self._flying[part].append(receive.remote(self.attempt, self.layer, message))

    def finish(self) -> None:
        """Wait until all messages have arrived; raises PartLost."""
        for part in [*self._flying]:
            self._wait(part, 0)

    @property
    def waiting(self) -> list[int]:
        """The parts to which messages are on their way."""
        return [part for part, flying in [*self._flying.items()] if flying]

    def _wait(self, part: int, most: int) -> None:
        while len(self._flying[part]) > most:
            ready, self._flying[part] = ray.wait(self._flying[part], num_returns=1, timeout=_LOOK)
            lost = PartLost(f"part {part} is lost")
            if not self.wanted():
                raise lost
            try:
                ray.get(ready)
            except ray.exceptions.RayError as error:
                raise lost from error


class PartProcess:
    """A process that becomes a part. Methods called in a concurrency group have threads of their own."""

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._attempt = 0
        self._layer = -1
        self._told = Condition()
        self._done = 0
        self._files = ExitStack()
        self._published: Path | None = None  # a folder with files of this part that still has to get its name
        self._search: PartSearch | None = None
        self._outbox: Outbox | None = None

    def become(self, plan: Plan, number: int) -> int:
        """Become the part of this number; returns the number of the process."""
        self._plan, self._division, self._number = plan, plan.division, number
        self._graph = plan.graph()
        return os.getpid()

    # Watching: answered at once, at any time.

    def progress(self) -> Progress:
        """The part's layer and its work so far."""
        outbox = self._outbox
        return Progress(self._layer, self._done, outbox.waiting if outbox else [])

    def abandon(self, attempt: int) -> None:
        """Make earlier attempts stop waiting."""
        with self._told:
            self._attempt = attempt
            self._told.notify_all()

    # Layers.

    def open(self, attempt: int, parts: list[Any]) -> list[int]:
        """Open the finished layers, with layer 0 if there is none, and return the number of vertices of each."""
        self.abandon(attempt)
        self._parts = parts
        self._files.close()
        self._plan.folder.mkdir(parents=True, exist_ok=True)
        file = self._plan.layers(self._number)
        locked(file, wait=True).close()  # until a former process of this part has ended
        self._journal = self._files.enter_context(Journal(file, self._plan.what(), self._division.layout))
        if not self._journal.layers:
            for piece in self._division.pieces(self._number):
                first, last = self._division.layout.vertices(self._journal.pieces[piece])
                goal = self._graph.goal_states
                self._journal.add_vertices(piece, goal[(goal >= first) & (goal < last)])
            self._journal.end_layer()
        return self._journal.layers

    def begin(self, attempt: int, layer: int) -> Told:
        """Continue after this layer: tell the others about it."""
        if not self._search:
            assert self._graph.product
            of_part = self._division, self._number, self._journal, self._work
            self._search = PartSearch(self._graph.product(), *of_part)
        self._search.journal = self._journal
        self._search.take_up(layer)
        self._reach(layer)
        return self._tell(attempt, layer, self._journal.layers[layer], time.perf_counter())

    def step(self, attempt: int, layer: int, carried: list[Message]) -> Told:
        """Find this layer from the messages about the one before it, write it, and tell the others about it."""
        assert self._search
        began = time.perf_counter()
        for message in carried:
            self._search.receive(message)
        vertices = self._search.turn(layer, lambda: self._reach(layer))
        return self._tell(attempt, layer, vertices, began)

    def _tell(self, attempt: int, layer: int, vertices: int, began: float) -> Told:
        assert self._search
        outbox = self._outbox = Outbox(self._parts, attempt, layer, lambda: self._attempt == attempt)
        self._search.tell(outbox.send)
        seconds = time.perf_counter() - began
        outbox.finish()
        self._outbox = None
        return Told(vertices, dict(outbox.carried), outbox.bytes, outbox.messages, seconds)

    def _reach(self, layer: int) -> None:
        with self._told:
            self._layer = layer
            self._told.notify_all()

    def _work(self, units: int) -> None:
        self._done += units

    def receive(self, attempt: int, layer: int, message: Message) -> None:
        """Take a message of another part about a layer, once this part has come to that layer."""
        with self._told:
            self._told.wait_for(lambda: self._attempt != attempt or self._layer == layer)
            if self._attempt != attempt:
                return
        assert self._search
        self._search.receive(message)
        self._done += 1

    # The table.

    def distances(self, first: int, last: int) -> Signed:
        """The distances of the part's vertices first .. last-1, from the journal."""
        found = []
        for piece in self._division.pieces(self._number):
            start, end = self._division.layout.vertices(self._journal.pieces[piece])
            if start < last and first < end:
                found.append(self._journal.distances(piece)[max(first - start, 0) : last - start])
        return np.concatenate(found)

    def write(self) -> list[Block]:
        """Write the blocks that begin in this part, and return them without their data."""
        self._search = None  # its memory is needed from now on
        self._blocks = PartFile(self._plan.blocks(self._number))
        if blocks := self._division.blocks(self._number):
            _, last = self._division.vertices(self._number)
            end = min(blocks.stop * BLOCK_SIZE, self._division.layout.size)
            after = [
                ray.get(self._parts[part].distances.options(concurrency_group="exchange").remote(start, stop))
                for part, start, stop in self._division.owners(last, end)
            ]
            write_blocks(self._blocks.add, self._journal, self._division.pieces(self._number), 1, self._work, after)
        return self._blocks.headers

    def blocks(self, numbers: Indices) -> list[Block]:
        """Blocks of this part by their numbers."""
        return self._blocks.blocks(numbers)

    def publish(self, folder: Path, digest: str, block: int, headers: BlockHeaders) -> dict[str, Any]:
        """Write the files of a published table that begin in this part; returns the description of their blocks."""
        self._published = folder
        folder.mkdir(parents=True, exist_ok=True)
        size, in_file = self._division.layout.size, block * IN_FILE
        first, end = (-(-vertex // in_file) for vertex in self._division.vertices(self._number))
        stored = BlockCache(BlocksOfParts(folder, self._division, self._ask), headers, _CACHED)

        def distances() -> Iterator[Signed]:
            for at in range(first * in_file, min(end * in_file, size), in_file):
                yield stored.range(at, min(at + in_file, size))
                self._work(1)

        return publish_blocks(folder, distances(), digest, block=block, file=first)

    def _ask(self, part: int, numbers: Indices) -> list[Block]:
        if part == self._number:
            return self.blocks(numbers)
        asked = self._parts[part].blocks.options(concurrency_group="exchange").remote(numbers)
        return [*ray.get(asked)]

    def place(self, folder: Path) -> None:
        """Give the folder with published files its name, unless the driver or another part of this machine did so."""
        written, self._published = self._published, None
        if written is None:
            return
        with suppress(FileNotFoundError):
            own = written.rename(written.with_name(f"{self._number}"))
            rmtree(folder, ignore_errors=True)
            own.rename(folder)
            own.parent.rmdir()

    def finish(self) -> None:
        """Delete the part's files."""
        self._files.close()
        for path in (self._plan.layers(self._number), self._plan.blocks(self._number)):
            path.unlink(missing_ok=True)

"""Published tables at an address of the web, read by ranges of bytes: README.md has the format.

A host is trusted with distances.
Every size is bounded before something is unpacked, and every checksum is compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

import numpy as np
from cachetools import LRUCache, cached

from puzzlebase.db.block_cache import PackedBlocks
from puzzlebase.db.errors import DamagedTable, MissingTable, UnreadableTable
from puzzlebase.db.histograms import Histograms
from puzzlebase.db.mapped import NOT_MAPPED
from puzzlebase.db.stored_file import NamedFile
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableHeader, TableInfo
from puzzlebase.plugins.publish.block_files import BLOCK, IN_FILE, block_checksum, unpack_block
from puzzlebase.plugins.publish.columns import Columns
from puzzlebase.plugins.publish.folder import ANTIPODES, FORMAT, HEADER, read_folder_json
from puzzlebase.plugins.publish.ranking import automaton_of_ranking
from puzzlebase.plugins.publish.states import published_state_codes
from puzzlebase.plugins.web import file_pieces
from puzzlebase.puzzles import UNREACHED, Boards, Distances, Goal, Indices, Puzzle, Space, find
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.puzzles.machinery.automaton import Automaton
from puzzlebase.sentinels import NO_STATE
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable, table_source_index

_MOST = 1 << 27  # bytes of a file
_CACHED = 1 << 28  # bytes of unpacked blocks, and of files of a host without ranges
_INDEXES = 1 << 12
_REQUESTS = 8  # at a time
_OPENED = 16  # tables of one address


class PublishedFile(TableHeader):
    """The files of a published table,
    with distances by their numbers in its ranking. Raises UnreadableTable too.
    """

    def __init__(self, address: str) -> None:
        NamedFile.__init__(self, Path(address))
        self.address = address
        self._ranges = True  # until the host shows that it has none
        self._pool = ThreadPoolExecutor(_REQUESTS, "published")
        self._whole = cached(LRUCache(_CACHED, len), lock=Lock())(
            lambda name: self._fetched(name)[1]
        )
        self._block = cached(LRUCache(_CACHED, attrgetter("nbytes")), lock=Lock())(self._read_block)
        self._index = cached(LRUCache(_INDEXES), lock=Lock())(self._read_index)
        with self.damage():
            self.header = header = read_folder_json(self._whole(HEADER))
            if header["format"] != FORMAT:
                what = f"has the format {header['format']!r}, this version reads {FORMAT}"
                raise DamagedTable(
                    f"the published table at {address!r} {what}", "publish it with this version"
                )
            blocks, histogram = header["blocks"], header["histogram"]
            self.digest, self.stored_size = header["digest"], blocks["size"]
            self.block, self._in_file = blocks["block"], blocks["in_file"]
            if not (0 < self.block <= BLOCK and 0 < self._in_file <= IN_FILE):
                raise ValueError("blocks that are too large")
            self.puzzle, layers = find(header["about"]["name"]), (*histogram["layers"],)
            self.goal = self.puzzle.goal(header["goal"])
            states = histogram["states"] + histogram.get("lost", 0)
            of = self.puzzle.name, self.goal.key, states, sum(layers), len(layers) - 1
            self.info = TableInfo(*of, "states", self.stored_size, layers)

    @cached_property
    def automaton(self) -> Automaton | None:
        """The automaton that numbers texts;
        None if the numbers are those of the puzzle's stored table.
        """
        ranking = self.header["ranking"]
        with self.damage():
            if not 0 < self.header["states"]["length"] <= len(ranking["places"]):
                raise ValueError("texts that are too long")
            return None if "named" in ranking else automaton_of_ranking(ranking)

    def damaged(self, what: str) -> DamagedTable:
        """Make an error that names the address and the remedy."""
        remedy = (
            "open it anew; if that does not help, publish the table once more, with all its files"
        )
        return DamagedTable(f"the published table at {self.address!r} {what}", remedy)

    def blocks_of(self, numbers: Sequence[int]) -> dict[int, Distances]:
        """The distances of some blocks; those that are not cached are fetched together."""
        each: Callable[..., Any] = self._pool.map if len(numbers) > 1 else map
        deque(each(self._index, {number // self._in_file for number in numbers}), maxlen=0)
        return dict(zip(numbers, each(self._block, numbers), strict=True))

    def furthest(self) -> list[str]:
        """The published states at the max distance."""
        with self.damage():
            return [*read_folder_json(self._whole("antipodes.json"), self.digest)["states"]]

    def _read_index(self, file: int) -> list[int]:
        """The beginnings of the blocks of a file, and the end of the last one."""
        name, left = f"distances.{file}", -(-self.stored_size // self.block) - file * self._in_file
        content = self._range(name, 0, 4 * min(left, self._in_file) + 8)
        if block_checksum(f"{self.digest} {name}", content[:-4]) != content[-4:]:
            raise self.damaged(
                f"is damaged, or of another release: the index of {name} does not have its checksum"
            )
        return [*np.frombuffer(content[:-4], "<u4").tolist()]

    def _read_block(self, number: int) -> Distances:
        file, at = divmod(number, self._in_file)
        content = self._range(f"distances.{file}", *self._index(file)[at : at + 2])
        count = min(self.block, self.stored_size - number * self.block)
        try:
            return unpack_block(content, count, f"{self.digest} distances {number}")
        except ValueError as error:
            raise self.damaged(
                f"is damaged, or of another release: block {number}: {error}"
            ) from error

    def _range(self, name: str, first: int, end: int) -> bytes:
        """Some bytes of a file; if the host has no ranges, files are fetched whole and cached."""
        begun, content = self._fetched(name, first, end) if self._ranges else (0, self._whole(name))
        self._ranges &= len(content) <= end - first
        found = content[first - begun : end - begun]
        if len(found) < end - first:
            raise self.damaged(f"is damaged: {name} is cut short")
        return found

    def _fetched(self, name: str, first: int = 0, end: int | None = None) -> tuple[int, bytes]:
        """Some bytes of a file, or the whole file,
        and the number of the first one. Raises MissingTable.
        """
        begun, content = first, bytearray()
        try:
            for at, some in file_pieces(f"{self.address}/{name}", first, end):
                begun = begun if content else at
                content += some
                if len(content) > _MOST:
                    raise self.damaged(f"has more than {_MOST:,} bytes in {name}")
        except FileNotFoundError:
            remedy = (
                "give the address of a folder that `puzzlebase publish` wrote, or of a table in it"
            )
            raise MissingTable(f"there is no {name} at {self.address!r}", remedy) from None
        except OSError as error:
            remedy = "check the address and the network, and try again"
            raise UnreadableTable(f"{self.address!r} cannot be read: {error}", remedy) from error
        return begun, bytes(content)


@dataclass(frozen=True, eq=False)
class PublishedBlocks(PackedBlocks):
    """The distances of a published table by the indices of a space."""

    in_memory = False
    nbytes = 0

    file: PublishedFile
    puzzle: Puzzle
    space: Space

    def probe(self, indices: Indices) -> Distances:
        """Distances of stored indices, int64[n] -> int32[n]. Raises as PublishedFile does."""
        numbers, size = indices.copy(), self.file.block
        if self.file.automaton:
            there = indices >= 0
            numbers[there] = self.numbers(self.space.unrank(indices[there]))
            if (numbers[there] < 0).any():
                raise self.file.damaged("lacks states of this puzzle: it is of another definition")
        blocks = numbers // size
        distances = np.full(len(numbers), UNREACHED, np.int32)
        for number, content in self.file.blocks_of(
            np.unique(blocks[numbers >= 0]).tolist()
        ).items():
            here = blocks == number
            distances[here] = content[numbers[here] - number * size]
        return distances

    def numbers(self, boards: Boards) -> Indices:
        """The numbers of states in the automaton, int64[n]; -1 for states that the table lacks."""
        header, automaton = self.file.header, self.file.automaton
        assert automaton
        states = header["states"]
        alphabet, length = np.array([*map(ord, states["alphabet"])], np.uint32), states["length"]
        columns = (
            Columns(**states["columns"], start=header["start"]) if "columns" in states else None
        )
        texts = [self.puzzle.format(board) for board in boards]
        characters = np.array(
            [text if len(text) <= length else "" for text in texts], f"U{length}"
        ).view(np.uint32)
        return automaton.rank(
            published_state_codes(characters.reshape(len(texts), length), alphabet, columns)
        )


class PublishedTable(Table):
    """A published table."""

    header: PublishedFile
    blocks: PublishedBlocks
    kept = ANTIPODES

    def __init__(self, blocks: PublishedBlocks) -> None:
        self.header, self.info, self.blocks = blocks.file, blocks.file.info, blocks
        self._lock = Lock()

    def antipodes(self, offset: int, limit: int) -> list[int]:
        """The indices of the published states at the max distance."""
        index = partial(table_source_index, self.blocks.puzzle, self.blocks.space)
        return [*map(index, self.header.furthest()[offset : offset + limit])]

    @cached_property
    def histograms(self) -> Histograms:
        """Raise MissingTable: only pages read the published ones."""
        what = f"random states at a distance are not drawn from {self.header.address!r}"
        raise MissingTable(what, "build the table here, or draw them on its page")


class PublishedFolder(Folder):
    """The tables of a published folder, or the one published table, at an address."""

    def __init__(self, address: str) -> None:
        super().__init__(Path(address), mapped=NOT_MAPPED)
        self._address = address.rstrip("/")
        self._published: LRUCache[str, PublishedFile] = LRUCache(_OPENED)

    def built(self) -> list[tuple[Puzzle, Goal]]:
        """The puzzle and the goal of the table at the address itself."""
        file = PublishedFile(self._address)
        self._published[file.puzzle.table_name(file.goal)] = file
        return [(file.puzzle, file.goal)]

    def published(self, table_name: str) -> PublishedFile:
        """The files of a table. Raises UnreadableTable and DamagedTable."""
        file = self._published[table_name] = self._published.get(table_name) or self._find(
            table_name
        )
        return file

    def _find(self, table_name: str) -> PublishedFile:
        try:
            return PublishedFile(f"{self._address}/{quote(table_name)}")
        except MissingTable as error:
            missing = error
        try:
            return PublishedFile(self._address)
        except MissingTable:
            raise UnreadableTable(str(missing), missing.hint) from None


class PublishedSources(Sources):
    """The sources of puzzles by their published tables."""

    folder: PublishedFolder

    def __init__(self, address: str) -> None:
        super().__init__(PublishedFolder(address))

    def table(self, name: str, goal_name: str | None = None) -> OpenTable:
        """The published table. Raises UnreadableTable,
        DamagedTable, UnknownPuzzle and UnknownGoal.
        """
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        file = self.folder.published(puzzle.table_name(goal))
        side, header = puzzle.index_side, file.header
        assert side
        grows = side.on_the_fly if puzzle.found else None
        space = grows(goal, None) if grows else self.folder.space(puzzle, goal)
        if file.automaton:
            space = replace(space, storage=STATES)
        moves = [{"move": move.name, "group": move.group} for move in puzzle.moves_of(goal.start)]
        of = file.puzzle.name, file.goal.key, header["start"], header["about"]["moves"]
        sizes = file.automaton.size if file.automaton else space.stored_size, file.info.states
        expected = file.stored_size, file.info.states if grows else space.size
        if (of, sizes) != ((name, goal.key, goal.start, moves), expected):
            raise file.damaged(
                f"is not of {puzzle.name}, goal {goal.name}, or of another version or definition"
            )
        blocks = PublishedBlocks(file, puzzle, space)
        if grows:  # a search answers for states that the table lacks
            ranked = space.rank

            def rank(boards: Boards) -> Indices:
                return np.where(blocks.numbers(boards) < 0, NO_STATE, ranked(boards))

            space = replace(space, rank=rank)
        return OpenTable(puzzle, goal, space, PublishedTable(blocks))

"""The form that holds any puzzle of up to a million states: its moves and drawings are stored, state by state.

Values are stored in blocks like distances: number s * count + k belongs to state s and the k-th of its moves or slots.
A page then needs neither the rules nor the drawing. Facts that depend on the letters, rows or player of a text are
stored for the canonical text (alike.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Effect, Layout, drawing_of
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.publish.alike import Alike
from puzzlebase.tools.publish.blocks import write_blocks
from puzzlebase.tools.publish.drawing import header_of, pose_of, slot_of
from puzzlebase.tools.publish.listed import automaton_of
from puzzlebase.tools.publish.ranking import RankingData, automaton_data
from puzzlebase.tools.publish.states import NoForm

MOST = 1 << 20  # states
_MOST_SLOTS = 2048
_CHUNK = 1 << 14
_SAMPLE = 64  # texts that are read with other letters and orders
Numbers = npt.NDArray[np.int64]
Table = npt.NDArray[np.int32]


class StoredForm:
    """The moves and drawings of all states, in the order of the automaton's numbers."""

    def __init__(self, source: OpenTable) -> None:
        self._source, self._puzzle, space = source, source.puzzle, source.space
        if space.size > MOST:
            raise NoForm(self._puzzle.name, f"more than {MOST:,} states, and moves that are no rewritings of letters")
        boards = space.unrank(np.arange(space.size))
        indices = np.flatnonzero(space.rank(boards) == np.arange(space.size))
        texts = [self._puzzle.format(boards[index]) for index in indices]
        some = np.random.default_rng(1).integers(0, len(texts), _SAMPLE)
        self._alike = Alike.of(self._puzzle, [source.goal.start, *(texts[at] for at in some)])
        letters, length = ["\0", *sorted({*"".join(texts)})], max(map(len, texts))
        characters = np.array(texts).view(np.uint32).reshape(len(texts), length)
        codes = np.searchsorted(np.array([*map(ord, letters)]), characters).astype(np.uint8)
        automaton = automaton_of(codes, len(letters))
        number = automaton.rank(codes)
        self.order = np.full(len(texts), -1)  # the index of each number
        self.order[number] = indices
        self.number = np.full(space.size, -1)
        self.number[indices] = number
        self._texts = [""] * len(texts)
        for text, at in zip(texts, number.tolist(), strict=True):
            self._texts[at] = text
        self._numbers = {text: at for at, text in enumerate(self._texts)}
        self.states = {"alphabet": "".join(letters), "length": length, **self._alike.data()}
        data = {"places": [*range(length)], **automaton_data(automaton)}
        self.ranking = RankingData(len(texts), data, (source.distances(some) for some in self._chunks()))

    def _chunks(self) -> Iterator[Numbers]:
        for first in range(0, len(self.order), _CHUNK):
            yield self.order[first : first + _CHUNK]

    def write(
        self, folder: Path, digest: str, advance: Callable[[int], None]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Write moves, drawings and effects into blocks; returns the header's moves and drawing, and all effects.

        `advance` gets the number of finished states. Raises NoForm if this form cannot express moves or the drawing.
        """
        drawing, goal = drawing_of(self._puzzle), self._source.goal
        first = drawing.layout(goal.start, goal)
        draw = _Drawn()
        for text in self._alike.orders([goal.start, *self._texts[:_SAMPLE]]):
            draw.seen(drawing.layout(text, goal))  # other states' texts have rows where no canonical text has them
        names: dict[str, int] = {}
        rows, looks = [], []  # of each state: after, name and effect of each move; slots and looks
        for text, slots in zip(self._texts, self._slots(), strict=True):
            layout = drawing.layout(text, goal)
            looks.append(np.array(draw.seen(layout), np.int32).reshape(-1, 2))
            row = []
            for name, group, to in slots:
                after = self._puzzle.play(text, name)
                if to < 0 or to != self._numbers.get(self._alike.canonical(after)):
                    raise NoForm(self._puzzle.name, f"{name!r} leads from {text!r} to {after!r}, which has no number")
                change = self._alike.change(text, after)
                told = json.dumps([name, group, *([change] if change else [])])
                effect = draw.effect(drawing.effect(text, name), layout, walks=self._alike.player)
                row.append((to, names.setdefault(told, len(names)), effect))
            rows.append(np.array(row, np.int32).reshape(-1, 3))
            advance(1)
            if len(draw.slots) > _MOST_SLOTS:
                raise NoForm(self._puzzle.name, f"its pieces have more than {_MOST_SLOTS:,} positions")
        count = max(map(len, rows))
        states_after, names_of, effects_of = (
            write_blocks(folder, _filled(rows, count, k), digest, name)
            for k, name in enumerate(("after", "names", "effects"))
        )
        moves = {"count": count, "after": states_after, "names": names_of}
        named = [dict(zip(("move", "group", "change"), json.loads(each), strict=False)) for each in names]
        header = header_of(first, draw.looks, draw.slots) | {
            "stored": write_blocks(folder, _looked(looks, len(draw.slots)), digest, "looks"),
            "effects": effects_of,
        }
        if self._alike.player:
            header["player"] = draw.looks[first.pieces[-1].colour, first.pieces[-1].label]
        effects, poses = ([json.loads(each) for each in some] for some in (draw.effects, draw.poses))
        return {**moves, "moves": named}, header, {"effects": effects, "poses": poses}

    def _slots(self) -> Iterator[list[tuple[str, str, int]]]:
        """The legal moves of each state by number, in the puzzle's order: name, group, and the number after it."""
        puzzle = self._puzzle
        for some in self._chunks():
            for index, row in zip(some.tolist(), self._source.space.expand(some).tolist(), strict=True):
                moves = puzzle.moves_of(self._texts[self.number[index]])
                yield [
                    (move.name, move.group, int(self.number[to]))
                    for move, to in zip(moves, row, strict=False)
                    if to >= 0
                ]


class _Drawn:
    """The slots, looks, poses and effects drawn so far, each by its number."""

    def __init__(self) -> None:
        self.slots: dict[tuple[Any, ...], int] = {}
        self.looks: dict[tuple[str, str], int] = {}
        self.poses: dict[str, int] = {}
        self.effects: dict[str, int] = {}

    def seen(self, layout: Layout) -> list[tuple[int, int]]:
        """The slot and the look of each piece."""
        return [
            (self.slots.setdefault(slot_of(piece), len(self.slots)), self._look(piece.colour, piece.label))
            for piece in layout.pieces
        ]

    def _look(self, colour: str, label: str) -> int:
        return self.looks.setdefault((colour, label), len(self.looks))

    def effect(self, effect: Effect, layout: Layout, *, walks: bool) -> int:
        """The number of an effect: slots to touch, and slot, pose and new look of each motion; a player may walk."""
        slot = {piece.id: self.slots[slot_of(piece)] for piece in layout.pieces}
        motions = []
        for motion in effect.motions or ():
            pose = pose_of(motion, walks=walks and motion.piece == layout.pieces[-1].id)
            becomes = self._look(motion.becomes.colour, motion.becomes.label) if motion.becomes else -1
            motions.append([slot[motion.piece], self.poses.setdefault(pose, len(self.poses)), becomes])
        told = json.dumps([[slot[piece] for piece in effect.handle], None if effect.motions is None else motions])
        return self.effects.setdefault(told, len(self.effects))


def _filled(rows: Sequence[Table], count: int, column: int) -> Iterator[Table]:
    """A column of each row's table, filled up with -1."""
    for first in range(0, len(rows), _CHUNK):
        some = rows[first : first + _CHUNK]
        found = np.full((len(some), count), -1, np.int32)
        for to, row in zip(found, some, strict=True):
            to[: len(row)] = row[:, column]
        yield found.reshape(-1)


def _looked(looks: Sequence[Table], slots: int) -> Iterator[Table]:
    """The look of each slot, -1 for none, by tables of slots and looks."""
    for first in range(0, len(looks), _CHUNK):
        some = looks[first : first + _CHUNK]
        found = np.full((len(some), slots), -1, np.int32)
        for to, pieces in zip(found, some, strict=True):
            to[pieces[:, 0]] = pieces[:, 1]
        yield found.reshape(-1)

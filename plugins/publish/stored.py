"""The form that holds any puzzle of up to a million states:
its moves and drawings are stored, state by state.

Values are stored in blocks like distances: number s * count + k belongs to state s and the k-th of
its moves or slots. A page then needs neither the rules nor the drawing. Facts that depend on the
letters, rows or player of a text are stored for the canonical text (alike.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.publish.alike import Alike
from puzzlebase.plugins.publish.block_files import write_blocks
from puzzlebase.plugins.publish.drawing import Drawn
from puzzlebase.plugins.publish.ranking import ranking_of
from puzzlebase.plugins.publish.states import NoForm, TextStates

MOST = 1 << 20  # states
_MOST_SLOTS = 2048
_SAMPLE = 64  # texts that are read with other letters and orders
Table = npt.NDArray[np.int32]


class StoredForm:
    """The moves and drawings of all states, in the order of the automaton's numbers."""

    def __init__(self, states: TextStates) -> None:
        self._source, self._puzzle, size = (
            states.source,
            states.source.puzzle,
            states.source.space.size,
        )
        if size > MOST:
            raise NoForm(
                self._puzzle,
                f"more than {MOST:,} states, and moves that are no rewritings of letters",
            )
        self.ranking = ranking_of(states)
        assert self.ranking.indices
        numbers = np.arange(self.ranking.size)
        self._order = self.ranking.indices(numbers)
        self._number = np.full(size, -1)  # of each index, but for those of no state
        self._number[self._order] = numbers
        self._texts = states.texts_of(states.coded(self._order))
        self._numbers = {text: at for at, text in enumerate(self._texts)}
        some = np.random.default_rng(1).integers(0, len(self._texts), _SAMPLE)
        self._alike = Alike.of(
            self._puzzle, [self._source.goal.start, *(self._texts[at] for at in some)]
        )
        self.texts = states.data() | self._alike.data()

    def write(
        self, folder: Path, digest: str, advance: Callable[[int], None]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Write moves, drawings and effects into blocks; returns the header's moves and drawing.

        `advance` gets the number of finished states.
        Raises NoForm if this form cannot express moves or the drawing.
        """
        drawing, goal, space = self._puzzle.board.drawing, self._source.goal, self._source.space
        first = drawing.layout(goal.start, goal)
        drawn = Drawn()
        for text in self._alike.orders([goal.start, *self._texts[:_SAMPLE]]):
            # other states' texts have rows where no canonical text has them
            drawn.seen(drawing.layout(text, goal))
        named: dict[str, int] = {}
        after, names, looks = (
            [],
            [],
            [],
        )  # of each state: what its moves lead to, and are; looks by slot
        for text, index in zip(self._texts, self._order.tolist(), strict=True):
            layout = drawing.layout(text, goal)
            looks.append(np.array(drawn.seen(layout), np.int32).reshape(-1, 2))
            states, told = [], []
            for move, to in zip(
                self._puzzle.moves_of(text),
                space.expand(np.array([index]))[0].tolist(),
                strict=False,
            ):
                if to < 0:
                    continue
                there = self._puzzle.play(text, move.name)
                if self._number[to] != self._numbers.get(self._alike.canonical(there)):
                    lacks = f"{move.name!r} leads from {text!r} to {there!r}, which has no number"
                    raise NoForm(self._puzzle, lacks)
                effect = drawing.effect(text, move.name)
                parts = drawn.parts(effect, layout, looks=True, walks=self._alike.player)
                change = self._alike.change(text, there)
                name = json.dumps(
                    [move.name, move.group, drawn.effect(parts), *([change] if change else [])]
                )
                states.append(self._number[to])
                told.append(named.setdefault(name, len(named)))
            after.append(np.array([*enumerate(states)], np.int32).reshape(-1, 2))
            names.append(np.array([*enumerate(told)], np.int32).reshape(-1, 2))
            advance(1)
            if len(drawn.slots) > _MOST_SLOTS:
                raise NoForm(self._puzzle, f"its pieces have more than {_MOST_SLOTS:,} positions")
        count = max(map(len, after))
        fields = "move", "group", "effect", "change"
        moves = {
            "count": count,
            "after": _write(folder, after, count, digest, "after"),
            "names": _write(folder, names, count, digest, "names"),
            "moves": [dict(zip(fields, json.loads(each), strict=False)) for each in named],
        }
        header = drawn.data(first)
        header["stored"] = _write(folder, looks, len(drawn.slots), digest, "looks")
        if self._alike.player:
            header["player"] = drawn.look(first.pieces[-1], first.pieces[-1].id)
        return moves, header


def _write(
    folder: Path, rows: Sequence[Table], width: int, digest: str, name: str
) -> dict[str, Any]:
    """Write the value at each place of each row,
    -1 for none; rows are tables of places and values.
    """

    def values(first: int, end: int) -> Table:
        begin = first // width
        some = rows[begin : -(-end // width)]
        filled = np.full((len(some), width), -1, np.int32)
        for to, row in zip(filled, some, strict=True):
            to[row[:, 0]] = row[:, 1]
        return filled.reshape(-1)[first - begin * width : end - begin * width]

    return write_blocks(folder, values, len(rows) * width, digest, name)

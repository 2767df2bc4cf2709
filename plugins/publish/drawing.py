"""Drawings as data: slots for one shape each,
whose look follows from the letters at one or two places of a text.

The drawings of many states give the slots and looks; their motions give the effects of moves. A
drawing that the data cannot express is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from puzzlebase.plugins.publish.rewriting import Letters, RewritingMove
from puzzlebase.plugins.publish.states import NoForm, TextStates
from puzzlebase.puzzles import Boards, Effect, Layout, Look, Piece

_DRAWN = 400  # states whose drawings are read, and then states with looks that were not seen
_ABSENT = -1
# a place's name, an outline, its middle and the size of its label
Slot = tuple[str, str, float, float, float]


Parts = tuple[list[int], list[list[int]] | None]
"""Slots to touch, and the slot, the pose and the look of each motion."""


class Drawn:
    """The slots, looks, poses and effects of drawings, each by its number."""

    def __init__(self, slots: Iterable[Slot] = ()) -> None:
        self.slots = {slot: number for number, slot in enumerate(slots)}
        self.looks: dict[tuple[str, str, str], int] = {}
        self._poses: dict[tuple[Any, ...], int] = {}
        self._effects: dict[str, int] = {}

    def slot(self, piece: Piece) -> int:
        """The number of the slot of a piece."""
        return self.slots.setdefault(drawing_slot(piece), len(self.slots))

    def look(self, look: Piece | Look, piece: str) -> int:
        """The number of a colour with a label and a kind of pieces, with which the id begins."""
        kind = piece.partition("-")[0]
        return self.looks.setdefault((look.colour, look.label, kind), len(self.looks))

    def seen(self, layout: Layout) -> list[tuple[int, int]]:
        """The slot and the look of each piece."""
        return [(self.slot(piece), self.look(piece, piece.id)) for piece in layout.pieces]

    def parts(self, effect: Effect, layout: Layout, *, looks: bool, walks: bool = False) -> Parts:
        """The parts of an effect: slots to touch;
        and of each motion its slot, its pose, and a new look or -1.

        Without `looks`, a piece that stays gets the look of its slot after the move. The last piece
        may walk: then its pose is that of its last step.
        """
        slot = {piece.id: self.slot(piece) for piece in layout.pieces}
        motions = []
        for motion in effect.motions or ():
            steps = walks and motion.piece == layout.pieces[-1].id
            slide = motion.slide and motion.slide[-2 if steps else 0 :]
            pose = motion.turn, slide, motion.lift, motion.flip, steps
            look = (
                [self.look(motion.becomes, motion.piece) if motion.becomes else -1] if looks else []
            )
            motions.append(
                [slot[motion.piece], self._poses.setdefault(pose, len(self._poses)), *look]
            )
        return [slot[piece] for piece in effect.handle], None if effect.motions is None else motions

    def effect(self, parts: Parts) -> int:
        """The number of an effect."""
        return self._effects.setdefault(json.dumps(parts), len(self._effects))

    def data(self, layout: Layout) -> dict[str, Any]:
        """All this as JSON, with what all states share; `layout` is that of any state."""
        names = "id", "outline", "colour", "label", "x", "y", "size", "ink"
        return {
            "width": layout.width,
            "height": layout.height,
            "places": [[place.name, place.x, place.y] for place in layout.places],
            "marks": [{name: getattr(mark, name) for name in names} for mark in layout.marks],
            "looks": [*self.looks],
            "slots": [
                dict(zip(("place", "outline", "x", "y", "size"), slot, strict=True))
                for slot in self.slots
            ],
            "poses": [[turn and asdict(turn), *others] for turn, *others in self._poses],
            "effects": [json.loads(effect) for effect in self._effects],
        }


class DrawingData:
    """The drawing of a puzzle as data."""

    def __init__(self, states: TextStates, moves: Sequence[RewritingMove], codes: Boards) -> None:
        """Read the drawings of some of the states with these codes,
        which show all letters and cases of moves.
        """
        puzzle, goal = states.source.puzzle, states.source.goal
        self._states, self._drawing = states, puzzle.board.drawing
        self._codes = codes[
            _shown_first(np.column_stack([codes, *(move.case_of(codes) for move in moves)]))
        ]
        self._texts = states.texts_of(self._codes)
        self._letters = len(states.alphabet)
        layouts = [self._drawing.layout(text, goal) for text in self._texts]
        self._first = layouts[0]
        if any(
            (each.marks, each.places, each.width)
            != (self._first.marks, self._first.places, self._first.width)
            for each in layouts
        ):
            raise NoForm(puzzle, "its drawing has other places or marks in other states")
        places = [place.name for place in self._first.places]
        slots = {drawing_slot(piece): None for layout in layouts for piece in layout.pieces}
        self._drawn = Drawn(sorted(slots, key=lambda slot: places.index(slot[0])))
        seen = self._seen(layouts)
        self._by_slot = [self._look_of(column, number) for number, column in enumerate(seen.T)]
        self._moves = [
            self._motions(move, form, layouts)
            for move, form in zip(puzzle.moves, moves, strict=True)
        ]

    def _seen(self, layouts: Sequence[Layout]) -> Letters:
        """The look of each slot in each drawing,
        [layouts, slots]; raises NoForm if their orders differ.
        """
        seen = np.full((len(layouts), len(self._drawn.slots)), _ABSENT)
        for row, layout in zip(seen, layouts, strict=True):
            at, looks = np.array(self._drawn.seen(layout)).T
            if (np.diff(at) <= 0).any():
                raise NoForm(self._states.source.puzzle, "its pieces are drawn in no fixed order")
            row[at] = looks
        return seen

    def _look_of(self, seen: Letters, number: int) -> dict[str, Any]:
        """The look of a slot by the codes `at` a place or at two neighbours of a text:
        the number of a look for each combination, or -1; raises NoForm if it depends on more.
        """
        length = self._codes.shape[1]
        alone: list[tuple[int, ...]] = [(at,) for at in range(length)]
        if len(self._drawn.slots) == length:
            alone.insert(0, (number,))
        for places in [*alone, *pairwise(range(length))]:
            looks = np.full((self._letters,) * len(places), _ABSENT)
            codes = tuple(self._codes[:, at] for at in places)
            looks[codes] = seen
            if (looks[codes] == seen).all():
                return {"at": places, "looks": looks.tolist()}
        raise NoForm(
            self._states.source.puzzle,
            "the looks of its pieces do not follow from single letters",
        )

    def _motions(
        self, move: Any, form: RewritingMove, layouts: Sequence[Layout]
    ) -> list[int] | None:
        """The number of the effect of a move by its case;
        None if it does not follow from the case.
        """
        cases = form.case_of(self._codes)
        effects: list[tuple[dict[int, None], dict[int, int]]] = [({}, {}) for _ in form.cases]
        for at in np.flatnonzero(cases >= 0).tolist():
            effect, (handle, poses) = (
                self._drawing.effect(self._texts[at], move.name),
                effects[cases[at]],
            )
            touched, motions = self._drawn.parts(effect, layouts[at], looks=False)
            handle.update(dict.fromkeys(touched))  # in some states there are fewer pieces
            if motions is None or any(
                poses.setdefault(slot, pose) != pose for slot, pose in motions
            ):
                return None
        return [
            self._drawn.effect(([*handle], [*map(list, poses.items())]))
            for handle, poses in effects
        ]

    def data(self) -> dict[str, Any]:
        """The drawing as JSON."""
        header = self._drawn.data(self._first)
        for slot, look in zip(header["slots"], self._by_slot, strict=True):
            slot.update(look)
        return header | {"moves": self._moves}


def _shown_first(columns: Letters) -> Letters:
    """The first rows, and for each value of each column the first row with it."""
    values = (columns - columns.min()) * columns.shape[1] + np.arange(columns.shape[1])
    _, first = np.unique(values, return_index=True)
    return np.unique([*range(min(_DRAWN, len(columns))), *first // columns.shape[1]])


def drawing_slot(piece: Piece) -> Slot:
    """The slot of a piece of a drawing."""
    return piece.place, piece.outline, piece.x, piece.y, piece.size

"""Drawings as data: slots for one shape each, whose look follows from the letters at one or two places of a text.

The drawings of many states give the slots and looks; their motions give the effects of moves. A drawing that the data
cannot express is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from puzzlebase.puzzles import Boards, Effect, Layout, Motion, Piece, drawing_of
from puzzlebase.tools.publish.moves import Letters, RewritingMove
from puzzlebase.tools.publish.states import NoForm, TextStates

_DRAWN = 400  # states whose drawings are read, and then states with looks that were not seen
_ABSENT = -1
Slot = tuple[str, str, float, float, float]  # a place's name, an outline, its middle and the size of its label


class Effects(NamedTuple):
    """The effect of a move in one case: the slots to touch, and the number of the pose of each slot that it changes."""

    handle: dict[int, bool]  # in order
    poses: dict[int, int]


@dataclass(frozen=True)
class SlotLook:
    """The look of a slot by the codes at some places of a text: the number of a look for each combination, or -1."""

    places: tuple[int, ...]
    looks: Letters  # by codes, [letters] or [letters, letters]


class DrawingData:
    """The drawing of a puzzle as data."""

    def __init__(self, states: TextStates, moves: Sequence[RewritingMove], codes: Boards) -> None:
        """Read the drawings of some of the states with these codes, which show all letters and cases of moves."""
        puzzle, goal = states.source.puzzle, states.source.goal
        self._states, self._drawing = states, drawing_of(puzzle)
        self._codes = codes[_shown_first(np.column_stack([codes, *(move.case_of(codes) for move in moves)]))]
        self._texts = [board.tobytes().decode("ascii") for board in states.characters_of(self._codes)]
        self._letters = len(states.alphabet)
        layouts = [self._drawing.layout(text, goal) for text in self._texts]
        self._first = layouts[0]
        if any(
            (each.marks, each.places, each.width) != (self._first.marks, self._first.places, self._first.width)
            for each in layouts
        ):
            raise NoForm(puzzle.name, "its drawing has other places or marks in other states")
        self.slots = self._ordered(layouts)
        self._number = {slot: number for number, slot in enumerate(self.slots)}
        self.looks: list[tuple[str, str]] = []
        self._poses: dict[str, int] = {}
        seen = self._seen(layouts)
        self.by_slot = [self._look_of(column, number) for number, column in enumerate(seen.T)]
        self.moves = [self._motions(move, form, layouts, seen) for move, form in zip(puzzle.moves, moves, strict=True)]

    def _ordered(self, layouts: Sequence[Layout]) -> list[Slot]:
        """All slots, in an order that every drawing follows."""
        places = {place.name: at for at, place in enumerate(self._first.places)}
        slots = [*dict.fromkeys(slot_of(piece) for layout in layouts for piece in layout.pieces)]
        if any(
            [*map(slot_of, layout.pieces)] != [s for s in slots if s in {*map(slot_of, layout.pieces)}]
            for layout in layouts
        ):
            slots.sort(key=lambda slot: places[slot[0]])
        return slots

    def _seen(self, layouts: Sequence[Layout]) -> Letters:
        """The look of each slot in each drawing, [layouts, slots]; raises NoForm if their orders differ."""
        numbers: dict[tuple[str, str], int] = {}
        seen = np.full((len(layouts), len(self.slots)), _ABSENT)
        for row, layout in zip(seen, layouts, strict=True):
            at = [self._number[slot_of(piece)] for piece in layout.pieces]
            if at != sorted({*at}):
                raise NoForm(self._states.source.puzzle.name, "its pieces are drawn in no fixed order")
            row[at] = [numbers.setdefault((piece.colour, piece.label), len(numbers)) for piece in layout.pieces]
        self.looks = [*numbers]
        return seen

    def _look_of(self, seen: Letters, number: int) -> SlotLook:
        """The look of a slot by the letters at a place or at two neighbours; raises NoForm if it depends on more."""
        length = self._codes.shape[1]
        alone: list[tuple[int, ...]] = [(at,) for at in range(length)]
        if len(self.slots) == length:
            alone.insert(0, (number,))
        for places in [*alone, *pairwise(range(length))]:
            looks = np.full((self._letters,) * len(places), _ABSENT)
            codes = tuple(self._codes[:, at] for at in places)
            looks[codes] = seen
            if (looks[codes] == seen).all():
                return SlotLook(places, looks)
        raise NoForm(self._states.source.puzzle.name, "the looks of its pieces do not follow from single letters")

    def _motions(
        self, move: Any, form: RewritingMove, layouts: Sequence[Layout], seen: Letters
    ) -> list[Effects] | None:
        """The effects of a move by its case; None if they cannot be expressed."""
        after, cases = form.after(self._codes)
        found = [Effects({}, {}) for _ in form.cases]
        for at in np.flatnonzero(cases >= 0).tolist():
            effect = self._drawing.effect(self._texts[at], move.name)
            number_of = {piece.id: self._number[slot_of(piece)] for piece in layouts[at].pieces}
            if not self._told(effect, number_of, found[cases[at]], seen[at], self._shown(after[at])):
                return None
        return found

    def _told(
        self, effect: Effect, number_of: Mapping[str, int], known: Effects, before: Letters, after: Letters
    ) -> bool:
        """Add an effect to those known of its case; False if it has more than the data can express."""
        known.handle.update((number_of[piece], True) for piece in effect.handle)
        for motion in effect.motions or ():
            slot = number_of[motion.piece]
            pose = self._poses.setdefault(pose_of(motion), len(self._poses))
            if known.poses.setdefault(slot, pose) != pose:
                return False
            if not self._becomes_so(motion, int(before[slot]), int(after[slot])):
                return False
        return effect.motions is not None

    def _becomes_so(self, motion: Motion, before: int, after: int) -> bool:
        """True if a piece that stays gets the look of its slot after the move, or one that goes keeps its own."""
        if motion.turn or motion.slide:
            return motion.becomes is None
        wanted = None if before == after else self.looks[after]
        return wanted == (motion.becomes and (motion.becomes.colour, motion.becomes.label))

    def _shown(self, codes: Any) -> Letters:
        """The look of each slot in one state."""
        return np.array([look.looks[tuple(codes[at] for at in look.places)] for look in self.by_slot])

    def data(self) -> dict[str, Any]:
        """The drawing as JSON."""
        header = header_of(self._first, self.looks, self.slots)
        for slot, look in zip(header["slots"], self.by_slot, strict=True):
            slot.update(at=look.places, looks=look.looks.tolist())
        moves: list[Any] = [
            cases and [[[*each.handle], [*each.poses.items()]] for each in cases] for cases in self.moves
        ]
        return header | {"poses": [json.loads(pose) for pose in self._poses], "moves": moves}


def _shown_first(columns: Letters) -> Letters:
    """The first rows, and for each value of each column the first row with it."""
    values = (columns - columns.min()) * columns.shape[1] + np.arange(columns.shape[1])
    _, first = np.unique(values, return_index=True)
    return np.unique([*range(min(_DRAWN, len(columns))), *first // columns.shape[1]])


def slot_of(piece: Piece) -> Slot:
    """The slot of a piece."""
    return piece.place, piece.outline, piece.x, piece.y, piece.size


def pose_of(motion: Motion, *, walks: bool = False) -> str:
    """The pose that a motion ends in, as JSON; of a player who `walks` its last step: the others depend on the text."""
    slide = motion.slide and motion.slide[-2 if walks else 0 :]
    return json.dumps([motion.turn and asdict(motion.turn), slide, motion.lift, motion.flip, walks])


def header_of(layout: Layout, looks: Iterable[tuple[str, str]], slots: Iterable[Slot]) -> dict[str, Any]:
    """The parts of a drawing that all states share, as JSON; `layout` is that of any state."""
    names = "id", "outline", "colour", "label", "x", "y", "size", "ink"
    return {
        "width": layout.width,
        "height": layout.height,
        "places": [[place.name, place.x, place.y] for place in layout.places],
        "marks": [{name: getattr(mark, name) for name in names} for mark in layout.marks],
        "looks": [*looks],
        "slots": [dict(zip(("place", "outline", "x", "y", "size"), slot, strict=True)) for slot in slots],
    }

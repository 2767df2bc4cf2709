"""What was understood of a definition, for `puzzlebase check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from puzzlebase.puzzles.definitions.abstractions import ABSTRACTION, abstractions
from puzzlebase.puzzles.definitions.blocks import Block, Charges
from puzzlebase.puzzles.definitions.counting import Count
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.folder import QUARTER, DefinitionFile
from puzzlebase.puzzles.definitions.sequences import all_moves
from puzzlebase.puzzles.definitions.space import Numbered, Way
from puzzlebase.puzzles.definitions.text import Texts

_FEW = 4
"""Parities and sums that are named where they change together."""


class Metric(NamedTuple):
    """A puzzle that the file defines, with its moves; `added` are those that no line of the file names."""

    name: str
    moves: list[str]
    added: list[str]


@dataclass(frozen=True)
class Report:
    """What was understood.

    Attributes:
        sets: each set in words.
        metrics: the puzzles, one for each way of counting moves.
        solved: the solved state.
        kept: what moves keep, in words.
        count: how many states moves lead to.
        way: how states are numbered.
        numbers: how many numbers there are for them; None where there are none.
        coarser: the puzzles whose distances are lower bounds where a search gives up, by name, and what they look at.
        notes: what else one should know.
    """

    sets: list[str]
    metrics: list[Metric]
    solved: str
    kept: list[str]
    count: Count
    way: Way
    numbers: int | None
    coarser: dict[str, str]
    notes: list[str]


def report(file: DefinitionFile) -> Report:
    """What was understood of a file; raises InvalidDefinition."""
    definition = file.definition
    numbered = Numbered(
        definition, all_moves(definition.generators, definition.orientations, powers=True), Texts(definition)
    )
    return Report(
        sets=[
            f"{each.name}: {each.places} pieces"
            + (f", {each.orientations} orientations" if each.orientations > 1 else "")
            for each in definition.sets
        ],
        metrics=[*_metrics(file, definition)],
        solved=numbered.texts.solved,
        kept=[*_kept(definition, numbered.blocks, numbered.charges)],
        count=numbered.states,
        way=numbered.chosen[0],
        numbers=numbered.numbers,
        coarser={
            f"{file.name}{ABSTRACTION}{number}": each.words
            for number, each in enumerate(abstractions(definition, numbered.blocks), 1)
        },
        notes=[*definition.notes, *_unmoved(definition, numbered.blocks)],
    )


def _metrics(file: DefinitionFile, definition: Definition) -> Iterator[Metric]:
    for powers in (True, False) if file.has_quarters else (True,):
        names = [move.name for move in all_moves(definition.generators, definition.orientations, powers=powers)]
        added = [name for name in names if name not in definition.generators]
        yield Metric(file.name + ("" if powers else QUARTER), names, added)


def _kept(definition: Definition, blocks: tuple[Block, ...], charges: Charges | None) -> Iterator[str]:
    """Parities and sums that do not change, and those that change together."""
    if charges is None:
        return
    names = []
    for block in blocks:
        of = next(s.name for n, s in enumerate(definition.sets) if block.places[0] < definition.starts[n + 1])
        names += [f"parity of {of}", f"sum of the orientations of {of}"]
    fixed = [
        at for at, modulus in enumerate(charges.moduli) if modulus > 1 and all(each[at] == 0 for each in charges.every)
    ]
    for name, times in Counter(names[at] for at in fixed).items():
        yield name + (f", in each of {times} blocks" if times > 1 else "")
    free = [at for at, modulus in enumerate(charges.moduli) if modulus > 1 and at not in fixed]
    if charges.share > prod(charges.moduli[at] for at in fixed):
        said = ", ".join(names[at] for at in free) if len(free) <= _FEW else f"{len(free)} parities and sums"
        yield f"{said}: one in {charges.share // prod(charges.moduli[at] for at in fixed)} combinations"


def _unmoved(definition: Definition, blocks: tuple[Block, ...]) -> Iterator[str]:
    moved = {place for block in blocks for place in block.places.tolist()}
    if still := len(definition.labels) - len(moved):
        yield f"{still} of {len(definition.labels)} pieces never change"

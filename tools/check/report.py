"""A definition as it was understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

from puzzlebase.puzzles import all_families
from puzzlebase.puzzles.definitions.abstractions import abstractions
from puzzlebase.puzzles.definitions.counting import Count
from puzzlebase.puzzles.definitions.folder import QUARTER, DefinitionFile
from puzzlebase.puzzles.definitions.sequences import all_moves
from puzzlebase.puzzles.definitions.space import Numbered
from puzzlebase.puzzles.definitions.text import Texts

NO_TABLE = {
    "numerals": "none; a search answers, or gives a lower bound",
    "met": "none; a search answers, or gives a lower bound",
    "none": "none, and no search; it can be played and drawn",
}
"""Instead of what a table needs, where states are numbered so."""

_FEW = 4  # parities and sums that are named where they change together


def report(file: DefinitionFile, threads: int) -> dict[str, Any]:
    """The answer of `puzzlebase check` about a file; raises InvalidDefinition."""
    definition = file.definition
    moves = all_moves(definition, powers=True)
    numbered = Numbered(definition, moves, Texts(definition))
    count = states_of(numbered)
    patterns = abstractions(file.name, definition, numbered.blocks)
    return {
        "file": str(file.path),
        "name": file.name,
        "title": definition.title,
        "sets": [
            f"{each.name}: {each.places} pieces"
            + (f", {each.orientations} orientations" if each.orientations > 1 else "")
            for each in definition.sets
        ],
        "metrics": [*_metrics(file)],
        "solved": numbered.texts.solved,
        "kept": [*_invariants(numbered)],
        "states": count.states if count.readable else count.words,
        "exact": count.exact,
        "way": numbered.numbering.kind,
        "numbers": numbered.numbering.size,
        "coarser": {name: each.words for name, each in patterns.items()},
        "notes": [*definition.notes, *_unmoved(numbered)],
        "table": _estimate(file, numbered, threads),
        "clash": next(
            (family.title for family in all_families() if family.pattern.fullmatch(file.name) and family.place < 200),
            None,
        ),
    }


def states_of(numbered: Numbered) -> Count:
    """The number of states that moves lead to, as far as counting or numbering them tells."""
    count, (kind, numbers, _) = numbered.count, numbered.numbering
    if numbers is None or count.exact:
        return count
    return Count(min(numbers, count.states), kind == "list", numbers if kind == "list" else count.at_least)


def _estimate(file: DefinitionFile, numbered: Numbered, threads: int) -> str | None:
    """The needs of a table of the first puzzle, in words, and whether they fit; None if it can have no table."""
    if numbered.numbering.kind in NO_TABLE:
        return None
    from puzzlebase.builder.preflight import Shortage, estimate_table

    puzzle = file.puzzle(file.name)
    estimate = estimate_table(puzzle.space(puzzle.goal()), Path("data", "table"), threads)
    try:
        estimate.check(file.name)
    except Shortage:
        return f"{estimate.needs}; this does not fit here"
    return estimate.needs


def _metrics(file: DefinitionFile) -> Iterator[dict[str, Any]]:
    """The puzzles, one for each way of counting moves; `added` are moves that no line of the file names."""
    definition = file.definition
    for powers in (True, False) if file.has_quarters else (True,):
        names = [move.name for move in all_moves(definition, powers=powers)]
        added = [name for name in names if name not in definition.generators]
        yield {"name": file.name + ("" if powers else QUARTER), "moves": names, "added": added}


def _invariants(numbered: Numbered) -> Iterator[str]:
    """Parities and sums that do not change, and those that change together."""
    definition, charges = numbered.definition, numbered.charges
    if charges is None:
        return
    names = []
    for block in numbered.blocks:
        of = next(s.name for n, s in enumerate(definition.sets) if block.places[0] < definition.starts[n + 1])
        names += [f"parity of {of}", f"sum of the orientations of {of}"]
    counted = [at for at, modulus in enumerate(charges.moduli) if modulus > 1]
    fixed = [at for at in counted if all(each[at] == 0 for each in charges.every)]
    for name, times in Counter(names[at] for at in fixed).items():
        yield name + (f", in each of {times} blocks" if times > 1 else "")
    free = [at for at in counted if at not in fixed]
    share = charges.share // prod(charges.moduli[at] for at in fixed)
    if share > 1:
        words = ", ".join(names[at] for at in free) if len(free) <= _FEW else f"{len(free)} parities and sums"
        yield f"{words}: one in {share} combinations"


def _unmoved(numbered: Numbered) -> Iterator[str]:
    places = len(numbered.definition.labels)
    if still := places - sum(len(block.places) for block in numbered.blocks):
        yield f"{still} of {places} pieces never change"

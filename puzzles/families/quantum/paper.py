"""The experiments of Ian Adams, The Quantum 8-Puzzle (2009), run again beside the new construction.

The paper averages over a number of boards that it does not state. docs/quantum.md lists what else it leaves open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np

from puzzlebase.puzzles.families.quantum.board import QuantumRules
from puzzlebase.puzzles.families.quantum.construction import carried, random_board
from puzzlebase.puzzles.families.quantum.goals import ENTROPY, MANHATTAN, MEASURES, counts, value
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.methods import PaperBoard, corners, others
from puzzlebase.tools.experiments.record import Experiment, Finding, Outcome, finding

_SOURCE = "Ian Adams, The Quantum 8-Puzzle: A Variation of the Classic 8-Tile Puzzle, 2009"

RANDOM, SYMMETRIC, NORMAL = KINDS = ("Random", "Symmetric", "Normal")

_FIGURES = Path(__file__).with_name("figures.json")
"""Numbers of the paper's figures. Figure 6 has the caption of figure 5, and figure 14 that of figure 13; the paper's
text tells what they are.

    statistics      figure 3, by measure and kind: average, high and low.
    searches        figures 4 to 8: the measure at the start and at the end, the fall of entropy, the moves.
    stuck           percent of Random boards that stay stuck after random moves, beside figure 9.
    corners first   figure 11: moves; Normal boards are stuck.
    spread first    figure 12: moves on Normal boards once the space is spread.
    combined        figures 13 and 14: the number of the figure, percent solved, Manhattan before and after, fall of
                    entropy, moves.
"""

_RULES = QuantumRules.of("quantum-3x3-1000")
_CORNERS, _OTHERS = corners(_RULES.graph), others(_RULES.graph)
_TOGETHER = 20  # boards of which an average or a percentage is taken: the paper's are of a few

Ties = tuple[Ints, bool]
"""The order of equally good moves, and True if a move that leaves the measure equal brings all units that it can."""

Played = tuple[Ints, int]
"""A board at the end, and the units moved."""


def board(kind: str, positions: int, k: int, draw: np.random.Generator) -> Ints:
    """A board of a kind, int64[positions, tiles]; there is only one Symmetric board."""
    if kind == SYMMETRIC:
        return symmetric(positions, k)
    return random_board(positions, k, draw) if kind == RANDOM else normal(positions, k, draw)


def symmetric(positions: int, k: int) -> Ints:
    """The board with equal shares of all tiles everywhere, and the odd units at home: int64[positions, tiles]."""
    units = np.full((positions, positions), k // positions, np.int64)
    units[np.diag_indices(positions)] += k % positions
    return units


def normal(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """A board with each tile whole in one position, in any arrangement: int64[positions, tiles]."""
    return np.diag(np.full(positions, k, np.int64))[draw.permutation(positions)]


def _run(boards: int, seed: int) -> Outcome:
    """Run all figures over so many boards of each kind."""
    figures = json.loads(_FIGURES.read_text("utf-8"))
    draw = np.random.default_rng(seed)
    drawn = {kind: [board(kind, _RULES.positions, _RULES.k, draw) for _ in range(boards)] for kind in KINDS}
    loops = product(permutations(range(3)), product((1, -1), repeat=3), (False, True))
    ties = [(_order(nesting, directions), whole) for nesting, directions, whole in loops]
    ties += [(draw.permutation(order.size).reshape(order.shape), whole) for order, whole in ties]
    chosen = [ties[number] for number in draw.permutation(np.arange(boards) % len(ties))]
    seeds = draw.integers(1, 1 << 40, boards).tolist()
    seeded = {kind: [*zip(some, seeds, strict=True)] for kind, some in drawn.items()}
    new = {kind: [_length(units) for units in some] for kind, some in drawn.items()}
    findings = [*_statistics(drawn, figures["statistics"])]
    for (figure, measure), kind in product(enumerate(MEASURES, 4), KINDS):
        played = [_improved(units, measure, ties) for units, ties in zip(drawn[kind], chosen, strict=True)]
        published = figures["searches"][measure][kind]
        findings += _before_and_after(figure, kind, measure, drawn[kind], played, published, new[kind])
    corners = {kind: [_gathered(*each, _CORNERS + _OTHERS) for each in seeded[kind]] for kind in KINDS}
    stuck = [100.0 * (not _solved(after)) for after, _ in corners[RANDOM]]
    findings.append(finding(9, RANDOM, "percent stuck", figures["stuck"], _averages(RANDOM, stuck), [0]))
    for kind, played in corners.items():
        solved = 0 if kind == NORMAL else None
        findings += _solved_and_moves(11, kind, played, solved, figures["corners first"].get(kind), new[kind])
    spread = [_gathered(*each, _CORNERS + _OTHERS, spread=True) for each in seeded[NORMAL]]
    findings += _solved_and_moves(12, NORMAL, spread, None, figures["spread first"], new[NORMAL])
    combined = {}
    for kind, (figure, solved_percent, *numbers) in figures["combined"].items():
        combined[kind] = played = [
            _gathered(*each, _CORNERS, spread=kind == NORMAL, ties=ties)
            for each, ties in zip(seeded[kind], chosen, strict=True)
        ]
        findings.append(_percent_solved(figure, kind, played, solved_percent))
        findings += _before_and_after(figure, kind, MANHATTAN, drawn[kind], played, numbers, new[kind])
    lines = {
        "bound, Random": [_bound(units) for units in drawn[RANDOM]],
        "new, Random": new[RANDOM],
        "corners first, Random": [moved for _, moved in corners[RANDOM]],
        "corners, then Manhattan, Random": [moved for _, moved in combined[RANDOM]],
        "bound, Normal": [_bound(units) for units in drawn[NORMAL]],
        "new, Normal": new[NORMAL],
        "space spread, corners first, Normal": [moved for _, moved in spread],
    }
    return Outcome(findings, "percent of the boards", {name: sorted(each) for name, each in lines.items()})


def _order(nesting: tuple[int, ...], directions: tuple[int, ...]) -> Ints:
    """The order of equally good moves, int64[places, neighbours, tiles]: three loops nested in some order."""
    graph = _RULES.graph
    places, targets, tiles = np.meshgrid(*map(np.arange, (graph.size, 5, graph.size)), indexing="ij")
    loops = [places, graph.neighbours[places, targets], tiles]
    rank = np.zeros_like(places)
    for loop in nesting:
        rank = rank * 2 * graph.size + directions[loop] * loops[loop]
    return np.argsort(np.argsort(rank, axis=None)).reshape(rank.shape)


def _bound(units: Ints) -> int:
    return value(units, counts(MANHATTAN, _RULES.graph))


def _length(units: Ints) -> int:
    """The moves of the new construction."""
    found = carried(_RULES.graph, units)
    assert found is not None
    return int(found[:, 3].sum())


def _gathered(
    units: Ints, seed: int, tiles: tuple[int, ...], *, spread: bool = False, ties: Ties | None = None
) -> Played:
    """The end of the position solver, perhaps with the space spread before it, and perhaps with a search after it."""
    worked = PaperBoard(_RULES.graph, units)
    if spread:
        worked.spread()
    worked.gather(tiles, np.random.default_rng(seed).permutation(_RULES.graph.size), seed)
    if ties:
        order, whole = ties
        worked.improve(MANHATTAN, order, whole=whole)
    return worked.units, worked.moved


def _statistics(drawn: dict[str, list[Ints]], figures: dict[str, dict[str, list[float]]]) -> Iterator[Finding]:
    for measure, of_kinds in figures.items():
        for kind, numbers in of_kinds.items():
            ours = [value(units, counts(measure, _RULES.graph)) for units in drawn[kind]]
            for name, published in zip(("average", "high", "low"), numbers, strict=False):
                yield finding(3, kind, f"{measure}, {name}", published, _averages(kind, ours, only=name == "average"))


def _improved(units: Ints, measure: str, ties: Ties) -> Played:
    """The end of the search by one measure, with an order of equally good moves."""
    order, whole = ties
    worked = PaperBoard(_RULES.graph, units)
    worked.improve(measure, order, whole=whole)
    return worked.units, worked.moved


def _before_and_after(
    figure: int,
    kind: str,
    measure: str,
    drawn: Sequence[Ints],
    played: Sequence[Played],
    published: Sequence[int],
    new: Sequence[int],
) -> Iterator[Finding]:
    """The measure at the start and at the end, the fall of entropy and the moves: so many are `published`."""
    (starts, high), (ends, low) = (
        [[value(units, counts(each, _RULES.graph)) for units in boards] for each in (measure, ENTROPY)]
        for boards in (drawn, [end for end, _ in played])
    )
    solved = value(np.diag(np.full(_RULES.positions, _RULES.k)), counts(measure, _RULES.graph))
    falls = [before - after for before, after in zip(high, low, strict=True)]
    moves = [moved for _, moved in played]
    names = (f"{measure} at the start", f"{measure} at the end", "fall of entropy", "moves")
    ours: tuple[Sequence[int], ...] = starts, ends, falls, moves
    for name, printed, values, ideal in zip(names, published, ours, ([], [solved], high, new), strict=True):
        yield finding(figure, kind, name, printed, _averages(kind, values), ideal)


def _solved(units: Ints) -> bool:
    return bool((units.diagonal() == _RULES.k).all())


def _averages(kind: str, values: Sequence[float], *, only: bool = True) -> Sequence[float]:
    """Averages of as many boards as the paper's; the values themselves of the one Symmetric board."""
    if kind == SYMMETRIC or not only:
        return values
    return [float(np.mean(values[at : at + _TOGETHER])) for at in range(0, len(values), _TOGETHER)]


def _percent_solved(figure: int, kind: str, played: Sequence[Played], published: int | None) -> Finding:
    percents = _averages("", [100.0 * _solved(after) for after, _ in played])
    return finding(figure, kind, "percent solved", published, percents, [100])


def _solved_and_moves(
    figure: int, kind: str, played: Sequence[Played], solved: int | None, moves: int | None, new: Sequence[int]
) -> Iterator[Finding]:
    yield _percent_solved(figure, kind, played, solved)
    needed = [moved for after, moved in played if _solved(after)]
    if needed:
        yield finding(figure, kind, "moves where solved", moves, _averages(kind, needed), new)


EXPERIMENT = Experiment(_SOURCE, _run)

"""The paper's experiments, run again over many boards: what it printed, what its methods give, and what is new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product

import numpy as np

from puzzlebase.puzzles.families.quantum.board import QuantumRules
from puzzlebase.puzzles.families.quantum.construction import carried
from puzzlebase.puzzles.families.quantum.goals import ENTROPY, MANHATTAN, MEASURES, QUADRANTS, counts, value
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.paper.boards import KINDS, NORMAL, RANDOM, SYMMETRIC, board
from puzzlebase.puzzles.families.quantum.paper.greedy import improve
from puzzlebase.puzzles.families.quantum.paper.position_solver import distribute, gather
from puzzlebase.tools.experiments.record import Experiment, Finding, Outcome, finding

# What the figures 3 to 8 and 11 to 14 of the paper print. Its figure 6 has the caption of figure 5, and its figure 14
# that of figure 13; the text tells what they are.
_SOURCE = "Ian Adams, The Quantum 8-Puzzle: A Variation of the Classic 8-Tile Puzzle, 2009"

_STATISTICS: dict[str, dict[str, tuple[float, ...]]] = {
    ENTROPY: {RANDOM: (7115.98, 7735, 6317), SYMMETRIC: (7104,), NORMAL: (7320, 8000, 5000)},
    MANHATTAN: {RANDOM: (14717.75, 17668, 12186), SYMMETRIC: (14652,), NORMAL: (15330, 22000, 7000)},
}
"""Figure 3: average, high and low."""

_SEARCHES: dict[str, tuple[int, dict[str, tuple[int, int, int, int]]]] = {
    measure: (figure, dict(zip((SYMMETRIC, RANDOM, NORMAL), printed, strict=True)))
    for figure, measure, printed in zip(
        range(4, 9),
        MEASURES,
        (
            ((14652, 3220, 4995, 11434), (15230, 1205, 6273, 14027), (15800, 11698, 1200, 4103)),
            ((7326, 2886, 1000, 4441), (7449, 2224, 1340, 5770), (6550, 5392, 402, 1111)),
            ((7326, 2886, 666, 3022), (7150, 2398, 132, 5230), (7600, 6786, 202, 815)),
            ((5340, 6131, 245, 691), (5440, 6892, 740, 2051), (5400, 5702, 2, 305)),
            ((7104, 4884, 2220, 2221), (7028, 5485, 1542, 1548), (7000, 6398, 601, 603)),
        ),
        strict=True,
    )
}
"""Figures 4 to 8: the measure at the start and at the end, how much entropy fell, and the moves."""

_CORNERS_FIRST_MOVES = {RANDOM: 28150, SYMMETRIC: 27282}  # figure 11: moves; Normal boards are stuck
_SPREAD_FIRST_MOVES = 65913  # figure 12: moves on Normal boards once the space is spread

_COMBINED_FIGURES: dict[str, tuple[int, int, int, int, int, int]] = {
    NORMAL: (13, 55, 14020, 2810, 5259, 57438),
    RANDOM: (14, 60, 14660, 2187, 5834, 24720),
}
"""Figures 13 and 14: the number of the figure, percent solved, Manhattan before and after, fall of entropy, moves."""

_RULES = QuantumRules.of("quantum-3x3-1000")
_CORNERS = (0, 2, 8, 6)
_OTHERS = (1, 3, 5, 7)
_ATTEMPTS = 20  # times 30 random moves that one tile is given
_TOGETHER = 20  # boards of which a percentage is taken: the paper's are of a few

Ties = tuple[Ints, bool]
"""The order of equally good moves, and if one that changes nothing brings all units that it can."""

Played = tuple[Ints, int, int]
"""A board at the end, the units moved, and the tiles gathered."""


def _run(boards: int, seed: int, report: Callable[[float], None]) -> Outcome:
    """All figures over so many boards of each kind; `report` is told what part is done."""
    draw = np.random.default_rng(seed)
    drawn = {kind: [board(kind, _RULES.positions, _RULES.k, draw) for _ in range(boards)] for kind in KINDS}
    loops = product(permutations(range(3)), product((1, -1), repeat=3), (False, True))
    ties = [(_order(nesting, directions), whole) for nesting, directions, whole in loops]
    ties += [(draw.permutation(order.size).reshape(order.shape), whole) for order, whole in ties]
    chosen = [ties[number] for number in draw.permutation(np.arange(boards) % len(ties))]
    seeds = draw.integers(1, 1 << 40, boards).tolist()
    seeded = {kind: [*zip(some, seeds, strict=True)] for kind, some in drawn.items()}
    new = {kind: [_length(units) for units in some] for kind, some in drawn.items()}
    findings = [*_statistics(drawn)]
    steps, done = len(MEASURES) * len(KINDS) + 6, 0

    def finished() -> None:
        nonlocal done
        done += 1
        report(done / steps)

    for measure in MEASURES:
        for kind in KINDS:
            findings += _search(measure, kind, drawn[kind], chosen, new[kind])
            finished()
    corners = {kind: [_gathered(*each, _CORNERS + _OTHERS) for each in seeded[kind]] for kind in KINDS}
    for kind, played in corners.items():
        solved = 0 if kind == NORMAL else None
        findings += _solved_and_moves(11, kind, played, solved, _CORNERS_FIRST_MOVES.get(kind), new[kind])
        finished()
    spread = [_gathered(*each, _CORNERS + _OTHERS, spread=True) for each in seeded[NORMAL]]
    findings += _solved_and_moves(12, NORMAL, spread, None, _SPREAD_FIRST_MOVES, new[NORMAL])
    finished()
    combined = {}
    for kind, (figure, percent, *published) in _COMBINED_FIGURES.items():
        combined[kind] = played = [
            _gathered(*each, _CORNERS, spread=kind == NORMAL, ties=ties)
            for each, ties in zip(seeded[kind], chosen, strict=True)
        ]
        findings += _combined(figure, kind, drawn[kind], played, percent, published, new[kind])
        finished()
    lines = {
        "bound, Random": [_bound(units) for units in drawn[RANDOM]],
        "new, Random": new[RANDOM],
        "corners first, Random": [moved for _, moved, _ in corners[RANDOM]],
        "corners, then Manhattan, Random": [moved for _, moved, _ in combined[RANDOM]],
        "bound, Normal": [_bound(units) for units in drawn[NORMAL]],
        "new, Normal": new[NORMAL],
        "space spread, corners first, Normal": [moved for _, moved, _ in spread],
    }
    return Outcome(findings, "percent of the boards", {name: sorted(each) for name, each in lines.items()})


def _counted(measure: str) -> Ints:
    return counts(measure, _RULES.height, _RULES.width, _RULES.space)


def _order(nesting: tuple[int, ...], directions: tuple[int, ...]) -> Ints:
    """The order of equally good moves, int64[places, neighbours, tiles]: three loops nested in some way."""
    graph = _RULES.graph
    places, targets, tiles = np.meshgrid(*map(np.arange, (graph.size, 5, graph.size)), indexing="ij")
    loops = [places, graph.neighbours[places, targets], tiles]
    rank = np.zeros_like(places)
    for loop in nesting:
        rank = rank * 2 * graph.size + directions[loop] * loops[loop]
    return np.argsort(np.argsort(rank, axis=None)).reshape(rank.shape)


def _bound(units: Ints) -> int:
    return value(units, _counted(MANHATTAN))


def _length(units: Ints) -> int:
    """The moves of the new construction."""
    found = carried(_RULES.graph, units, 1, 16)
    assert found is not None
    return int(found[:, 3].sum())


def _gathered(
    units: Ints, seed: int, tiles: tuple[int, ...], *, spread: bool = False, ties: Ties | None = None
) -> Played:
    """The position solver's end of a board, perhaps after the space has been spread, and perhaps searched on from."""
    graph, after = _RULES.graph, units.copy()
    moved = distribute(after, *graph.tables) if spread else 0
    visit = np.random.default_rng(seed).permutation(graph.size)
    more, gathered = gather(after, *graph.tables, np.array(tiles), visit, _ATTEMPTS, seed)
    moved += more
    if ties:
        moved += improve(after, graph.home, graph.neighbours, _counted(MANHATTAN), *ties)
    return after, int(moved), int(gathered)


def _solved(units: Ints) -> bool:
    return bool((units.diagonal() == _RULES.k).all())


def _statistics(drawn: dict[str, list[Ints]]) -> Iterator[Finding]:
    for measure, of_kinds in _STATISTICS.items():
        for kind, numbers in of_kinds.items():
            ours = [value(units, _counted(measure)) for units in drawn[kind]]
            for name, published in zip(("average", "high", "low"), numbers, strict=False):
                yield finding(3, kind, f"{measure}, {name}", published, ours)


def _search(
    measure: str, kind: str, drawn: Sequence[Ints], chosen: Sequence[Ties], new: Sequence[int]
) -> Iterator[Finding]:
    figure, published = _SEARCHES[measure]
    counted, entropy, graph = _counted(measure), _counted(ENTROPY), _RULES.graph
    rows = []
    for units, ties in zip(drawn, chosen, strict=True):
        after = units.copy()
        sign = -1 if measure == QUADRANTS else 1
        moved = improve(after, graph.home, graph.neighbours, sign * counted, *ties)
        fell = value(units, entropy) - value(after, entropy)
        rows.append((value(units, counted), value(after, counted), fell, moved))
    solved = value(np.diag(np.full(_RULES.positions, _RULES.k)), counted)
    starts, ends, falls, moves = map(list, zip(*rows, strict=True))
    printed = iter(published[kind])
    yield finding(figure, kind, f"{measure} at the start", next(printed), starts)
    yield finding(figure, kind, f"{measure} at the end", next(printed), ends, [solved])
    entropies = [value(units, entropy) for units in drawn]
    yield finding(figure, kind, "fall of entropy", next(printed), falls, entropies)
    yield finding(figure, kind, "moves", next(printed), moves, new)


def _solved_and_moves(
    figure: int, kind: str, played: Sequence[Played], solved: int | None, moves: int | None, new: Sequence[int]
) -> Iterator[Finding]:
    """The part solved, and the moves of those solved."""
    each = [_solved(after) for after, *_ in played]
    yield finding(figure, kind, "percent solved", solved, _percents(each), [100])
    if any(each):
        needed = [moved for (_, moved, _), done in zip(played, each, strict=True) if done]
        yield finding(figure, kind, "moves where solved", moves, needed, new)


def _percents(solved: Sequence[bool]) -> list[float]:
    """The percentages solved of each few boards."""
    return [100 * float(np.mean(solved[first : first + _TOGETHER])) for first in range(0, len(solved), _TOGETHER)]


def _combined(
    figure: int,
    kind: str,
    drawn: Sequence[Ints],
    played: Sequence[Played],
    solved: int,
    published: Sequence[int],
    new: Sequence[int],
) -> Iterator[Finding]:
    before, after, fell, moves = published
    entropy = _counted(ENTROPY)
    each = [_solved(units) for units, *_ in played]
    yield finding(figure, kind, "percent solved", solved, _percents(each), [100])
    yield finding(figure, kind, "manhattan at the start", before, [_bound(units) for units in drawn])
    yield finding(figure, kind, "manhattan at the end", after, [_bound(units) for units, *_ in played], [0])
    falls = [value(units, entropy) - value(end, entropy) for units, (end, *_) in zip(drawn, played, strict=True)]
    yield finding(figure, kind, "fall of entropy", fell, falls, [value(units, entropy) for units in drawn])
    yield finding(figure, kind, "moves", moves, [moved for _, moved, _ in played], new)


EXPERIMENT = Experiment(_SOURCE, _run)

"""The paper's experiments, run again over many boards: what it printed, what its methods give, and what is new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.families.quantum.board import Rules
from puzzlebase.puzzles.families.quantum.construction import carried
from puzzlebase.puzzles.families.quantum.graph import Ints
from puzzlebase.puzzles.families.quantum.measures import ENTROPY, MANHATTAN, MEASURES, QUADRANTS, counts, value
from puzzlebase.puzzles.families.quantum.paper.boards import KINDS, NORMAL, RANDOM, board
from puzzlebase.puzzles.families.quantum.paper.figures import (
    COMBINED,
    CORNERS_FIRST,
    SEARCHES,
    SOURCE,
    SPREAD_FIRST,
    STATISTICS,
)
from puzzlebase.puzzles.families.quantum.paper.greedy import improve
from puzzlebase.puzzles.families.quantum.paper.position_solver import distribute, gather
from puzzlebase.tools.experiments.record import Experiment, Finding, Outcome, finding

_RULES = Rules.of("quantum-3x3-1000")
_CORNERS = (0, 2, 8, 6)
_OTHERS = (1, 3, 5, 7)
_ATTEMPTS = 20
"""Times 30 random moves that one tile is given."""

_TOGETHER = 20
"""Boards of which a percentage is taken: the paper's are of a few."""

Values = npt.NDArray[np.float64]
Ties = tuple[Ints, bool]
"""Which of equally good moves comes first, and whether one that changes nothing brings all units that it can."""

Played = tuple[Ints, int, int]
"""A board at the end, the units moved, and the tiles gathered."""


def _run(boards: int, seed: int, report: Callable[[float], None]) -> Outcome:
    """All figures over so many boards of each kind; `report` is told what part is done."""
    draw = np.random.default_rng(seed)
    drawn = {kind: [board(kind, _RULES.positions, _RULES.k, draw) for _ in range(boards)] for kind in KINDS}
    loops = product(permutations(range(3)), product((1, -1), repeat=3), (False, True))
    ties = [(_order(nesting, directions), whole) for nesting, directions, whole in loops]
    ties += [(_random_order(draw), whole) for _, whole in ties]
    chosen = [ties[number] for number in draw.permutation(np.arange(boards) % len(ties))]
    seeds = draw.integers(1, 1 << 40, boards)
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
    corners = {kind: [_gathered(u, s, _CORNERS + _OTHERS) for u, s in _with(drawn[kind], seeds)] for kind in KINDS}
    for kind, played in corners.items():
        findings += _corners_first(kind, played, new[kind])
        finished()
    spread = [_gathered(units, seed, _CORNERS + _OTHERS, spread=True) for units, seed in _with(drawn[NORMAL], seeds)]
    findings += _solved_and_moves(12, NORMAL, spread, None, SPREAD_FIRST, new[NORMAL])
    finished()
    combined = {}
    for kind, (figure, solved, *published) in COMBINED.items():
        combined[kind] = played = [
            _then_searched(_gathered(units, seed, _CORNERS, spread=kind == NORMAL), ties)
            for (units, seed), ties in zip(_with(drawn[kind], seeds), chosen, strict=True)
        ]
        findings += _combined(figure, kind, drawn[kind], played, solved, published, new[kind])
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


def _with(drawn: Sequence[Ints], seeds: Ints) -> Iterator[tuple[Ints, int]]:
    return zip(drawn, seeds.tolist(), strict=True)


def _counted(measure: str) -> Ints:
    return counts(measure, _RULES.height, _RULES.width, _RULES.space)


def _order(nesting: tuple[int, ...], directions: tuple[int, ...]) -> Ints:
    """Which of equally good moves comes first: int64[places, neighbours, tiles], three loops nested in some way."""
    graph = _RULES.graph
    places, targets, tiles = np.meshgrid(*map(np.arange, (graph.size, 5, graph.size)), indexing="ij")
    loops = [places, graph.neighbours[places, targets], tiles]
    rank = np.zeros_like(places)
    for loop in nesting:
        rank = rank * 2 * graph.size + directions[loop] * loops[loop]
    return np.argsort(np.argsort(rank, axis=None)).reshape(rank.shape)


def _random_order(draw: np.random.Generator) -> Ints:
    places = _RULES.positions
    return draw.permutation(places * 5 * places).reshape(places, 5, places)


def _bound(units: Ints) -> int:
    return value(units, _counted(MANHATTAN))


def _length(units: Ints) -> int:
    """The moves of the new construction."""
    found = carried(_RULES.graph, units, 1, 16)
    assert found is not None
    return int(found[:, 3].sum())


def _gathered(units: Ints, seed: int, tiles: tuple[int, ...], *, spread: bool = False) -> Played:
    """What the position solver makes of a board, perhaps after the space has been spread."""
    graph, after = _RULES.graph, units.copy()
    moved = distribute(after, graph.home, graph.neighbours, graph.distances) if spread else 0
    visit = np.random.default_rng(seed).permutation(graph.size)
    more, gathered = gather(
        after, graph.home, graph.neighbours, graph.distances, np.array(tiles), visit, _ATTEMPTS, seed
    )
    return after, int(moved + more), int(gathered)


def _then_searched(played: Played, ties: Ties) -> Played:
    after, moved, gathered = played
    graph, after = _RULES.graph, after.copy()
    more = improve(after, graph.home, graph.neighbours, _counted(MANHATTAN), *ties)
    return after, int(moved + more), gathered


def _solved(units: Ints) -> bool:
    return bool((units.diagonal() == _RULES.k).all())


def _statistics(drawn: dict[str, list[Ints]]) -> Iterator[Finding]:
    for measure, of_kinds in STATISTICS.items():
        for kind, numbers in of_kinds.items():
            ours = [value(units, _counted(measure)) for units in drawn[kind]]
            for name, published in zip(("average", "high", "low"), numbers, strict=False):
                yield finding(3, kind, f"{measure}, {name}", published, ours)


def _search(
    measure: str, kind: str, drawn: Sequence[Ints], chosen: Sequence[Ties], new: Sequence[int]
) -> Iterator[Finding]:
    figure, published = SEARCHES[measure]
    counted, entropy, graph = _counted(measure), _counted(ENTROPY), _RULES.graph
    rows = []
    for units, ties in zip(drawn, chosen, strict=True):
        after = units.copy()
        sign = -1 if measure == QUADRANTS else 1
        moved = improve(after, graph.home, graph.neighbours, sign * counted, *ties)
        fell = value(units, entropy) - value(after, entropy)
        rows.append((value(units, counted), value(after, counted), fell, moved))
    solved = value(np.diag(np.full(_RULES.positions, _RULES.k)), counted)
    newly = (None, [solved], [value(units, entropy) for units in drawn], new)
    for name, number, ours, theirs in zip(
        (f"{measure} at the start", f"{measure} at the end", "fall of entropy", "moves"),
        published[kind],
        zip(*rows, strict=True),
        newly,
        strict=True,
    ):
        yield finding(figure, kind, name, number, ours, theirs)


def _corners_first(kind: str, played: Sequence[Played], new: Sequence[int]) -> Iterator[Finding]:
    yield from _solved_and_moves(11, kind, played, 0 if kind == NORMAL else None, CORNERS_FIRST.get(kind), new)


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
    """How many percent of each few boards are solved."""
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


EXPERIMENT = Experiment(SOURCE, _run)

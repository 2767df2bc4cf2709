"""A search with patterns: exact distances if no table of the whole puzzle fits.

The search follows every path that the patterns' lower bounds allow within a limit of moves, and raises the limit until
a path reaches the goal (iterative deepening, IDA*). The limit that succeeds is searched to its end, which meets every
state on a shortest path. Where only first moves are asked for, each is followed until it begins one solution.
Source: R. E. Korf, Artificial Intelligence 27, 1985.

It moves only coordinates: a state is a row and a column of each pattern, and moves are tables of rows and columns
(kernels.py). Playing the paths gives their states at the end. A long search is shared among threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.symmetric_rows import SymmetricRows
from puzzlebase.plugins.patterns import kernels
from puzzlebase.plugins.patterns.kernels import PathBlocks, PatternMoves, PieceTables, SearchTables
from puzzlebase.plugins.patterns.pieces import WithPieces
from puzzlebase.plugins.patterns.walks import ANY, LocatedState, PathWalk
from puzzlebase.puzzles import Goal, Pattern, Patterns, Puzzle
from puzzlebase.puzzles.contract.space import Distances, Indices, ProductForm, Shortest, Space, Spend
from puzzlebase.puzzles.machinery.classes import SmallerGraph
from puzzlebase.puzzles.machinery.path_states import Array
from puzzlebase.sentinels import UNREACHED
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.system import processors

_TRANSPOSITIONS = 1 << 16  # states known not to reach the goal in some number of moves; they fit a processor's cache
_KIND_BITS = 8  # of a move's number: its kind; longer for a pattern that is the only one of its group
_BITS = 62  # of moves that solved patterns tell apart
_LONG = 1 << 28  # moves examined within a limit, in some 20 s, before a search for first moves takes them one by one
_NONE_LEFT = 1 << 62  # moves left; so bounds need no margin
_NONE = np.empty(0, np.int64)


class PatternSearch:
    """Searches to one goal with the tables of its patterns."""

    def __init__(self, puzzle: Puzzle, goal: Goal, patterns: Patterns, pattern_tables: Mapping[str, OpenTable]) -> None:
        self._puzzle, self._patterns = puzzle, patterns
        self._pattern_tables = [pattern_tables[pattern.puzzle] for pattern in patterns.patterns]
        groups = [pattern.group for pattern in patterns.patterns]
        self._begins = np.flatnonzero(np.diff(groups, prepend=-1, append=-1))
        tables = _Tables(patterns, pattern_tables)
        of = np.array([tables.of[pattern.puzzle] for pattern in patterns.patterns])
        for group in np.split(of[:, [kernels.KIND_BITS, kernels.SYMMETRY_BITS]], self._begins[1:-1]):
            assert (group == group[0]).all()
        sizes = [each.space.size for each in self._pattern_tables[: patterns.apart]]
        assert prod(sizes) < 1 << 63
        of[: patterns.apart, kernels.WEIGHT] = [prod(sizes[:number]) for number in range(patterns.apart)]
        self._weights, self._held = of[:, kernels.WEIGHT], tables.held
        none = np.full(patterns.positions.shape[1], -1, np.int16)
        solved = self._located(goal.states[0])[0]
        of[:, kernels.ENDS], bit_of = self._ends(solved)
        vertices = np.stack([none if each.vertices is None else each.vertices for each in patterns.patterns])
        self._tables = SearchTables(
            _choices(patterns),
            bit_of,
            patterns.positions,
            int(solved @ self._weights) if patterns.apart else kernels.NO_KEYS,
            _pieces(patterns, goal, [each.space for each in self._pattern_tables]),
            PatternMoves(of, tables.edges(patterns.patterns), vertices, self._begins, *tables.arrays),
        )

    def _ends(self, solved: Indices) -> tuple[Indices, Indices]:
        """The bits of moves that change a pattern's solved state, [patterns], and the bit of each move.

        All bits for patterns that add up or have orbits, whose bounds may be too low for an end.
        """
        stay = np.zeros((len(solved), len(self._patterns.follows)), np.bool_)
        for number, (pattern, table) in enumerate(zip(self._patterns.patterns, self._pattern_tables, strict=True)):
            alone = np.diff(self._begins)[np.searchsorted(self._begins, number, side="right") - 1] == 1
            if alone and pattern.vertices is None and len(pattern.edges) == 1:
                to = np.append(table.space.expand(solved[[number]])[0], solved[number])[pattern.edges[0]]
                stay[number] = to == solved[number]
        kinds, bit_of = np.unique(stay, axis=1, return_inverse=True)
        if kinds.shape[1] > _BITS:
            return np.full(len(solved), -1), np.zeros(stay.shape[1], np.int64)
        bits = 1 << np.arange(kinds.shape[1])
        return np.where(kinds.any(axis=1), (~kinds) @ bits, -1), bit_of.reshape(-1)

    def _bound(self, distances: Distances) -> int:
        return UNREACHED if (distances < 0).any() else int(np.add.reduceat(distances, self._begins[:-1]).max())

    def shortest(self, space: Space, index: int, spend: Spend, *, first: bool = False) -> Shortest:
        """As `GraphSearch.shortest`, in any space of the goal's states.

        With `first` a long search follows a first move only until it begins a solution. Far states have hundreds of
        them, so nearly every first move begins one soon. Paths whose bounds leave a margin come first, since they are
        few. Then only the states before and after first moves are known, and the other levels are empty.
        """
        text = self._puzzle.format(space.unrank(np.array([index]))[0])
        state, solved_after = LocatedState(text, *self._located(text)), partial(_solved_after, space, index)
        limit = self._bound(state.distances)
        if limit < 0:
            return Shortest(UNREACHED, 0)
        if index in space.goal_states:
            return Shortest(0, 0, (np.array([index]),))
        limit, visited = max(limit, 1), _transpositions()
        after: list[tuple[int, LocatedState, int]] = []
        with ThreadPoolExecutor(processors()) as pool:
            while spend(0, limit):
                if after:
                    begun = [partial(self._walk_after, limit, *each) for each in after]
                else:
                    begun = [partial(PathWalk, limit, self._blocks(state, limit, visited))]
                met, solved, looked = self._followed(begun, limit, spend, pool, solved_after)
                if met is None:
                    return Shortest(None, limit)
                if solved:
                    nearer = np.unique(space.expand(np.array([index]))[0, sorted(solved)])
                    return Shortest(limit, limit, (*[_NONE] * (limit - 1), nearer, np.array([index])), only_first=True)
                if met:
                    levels = _levels(space, index, limit, met)
                    return Shortest(limit, limit, levels if self._patterns.apart else _completed(space, levels))
                limit += self._patterns.step
                if first and not after and looked > _LONG:
                    after = self._after_each_move(state)
        return Shortest(None, limit)

    def _followed(
        self,
        begun: Iterable[Callable[[], PathWalk]],
        limit: int,
        spend: Spend,
        pool: ThreadPoolExecutor,
        solved_after: Callable[[PathWalk], set[int]],
    ) -> tuple[list[Array] | None, set[int], int]:
        """Follow all paths of walks, but none after a first move that is known to begin a solution.

        Returns the states met, or None if the budget ends before them, these moves, and the number of moves examined.
        """
        go_on = partial(PathWalk.go_on, tables=self._tables)
        waiting, paused, met, examined, may_go_on = deque(begun), list[PathWalk](), list[Array](), 0, True
        running, solved = dict[Future[int], PathWalk](), set[int]()
        while True:
            solved = solved.union(*(solved_after(walk) for walk in paused if walk.move != ANY and walk.met.count))
            met += [walk.met.rows for walk in paused if walk.level < 0 and walk.met.count]
            paused = [walk for walk in paused if walk.level >= 0 and walk.move not in solved]
            free = processors() - len(running) - len(paused)
            new = [] if waiting else [walk.share() for walk in paused[:free] if examined]
            while waiting and len(new) < free:
                walk = waiting.popleft()()
                new += [walk] if walk.move not in solved else []
            paused += new
            if not (paused or running):
                return met, solved, examined
            if not may_go_on:
                return None, solved, examined
            if len(paused) == 1 and not running:  # a short search needs no thread
                looked = go_on(paused[0])
            else:
                running |= {pool.submit(go_on, walk): walk for walk in paused}
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                paused, looked = [running.pop(each) for each in done], sum(each.result() for each in done)
            examined, may_go_on = examined + looked, spend(looked, limit)

    def _after_each_move(self, state: LocatedState) -> list[tuple[int, LocatedState, int]]:
        """Each legal move with the state after it, first with a margin from the median bound on, then without one."""
        moves = self._patterns.positions[self._patterns.position(state.text)] >= 0
        after = []
        for move in np.flatnonzero(moves).tolist():
            text = self._puzzle.play(state.text, self._puzzle.moves[move].name)
            after.append((move, LocatedState(text, *self._located(text))))
        median = sorted(self._bound(each.distances) for _, each in after)[len(after) // 2]
        return [(*each, margin) for margin in (median, _NONE_LEFT) for each in after]

    def _walk_after(self, limit: int, move: int, state: LocatedState, margin: int) -> PathWalk:
        """Begin the paths after a first move; none if the patterns rule them out, or if the margin has no effect."""
        level = -1 if self._bound(state.distances) >= limit or limit <= margin < _NONE_LEFT else 0
        blocks = self._blocks(state, limit - 1, _transpositions(), move, margin)
        return PathWalk(limit - 1, blocks, level, move)

    def _blocks(
        self, state: LocatedState, limit: int, visited: Array, move: int = ANY, margin: int = _NONE_LEFT
    ) -> PathBlocks:
        """The blocks of all levels of a limit, which begin with a state, after a first move or none."""
        text, indices, distances = state
        patterns, groups, moves = len(self._pattern_tables), len(self._begins) - 1, self._tables.choices.shape[2]
        together = max(kernels.CHILDREN // moves, 1)  # states that are expanded
        children = together * moves
        length = together + 2 * children
        levels = np.zeros((limit + 2, kernels.LEVEL_NUMBERS), np.int64)
        links = np.empty((limit + 1, length, kernels.LINKS), np.int32)
        keys = np.empty((limit + 1, length), np.int64)
        states = np.empty((limit + 1, length, 3 * patterns + groups), np.int32)
        codes = np.empty((limit + 1, length, len(self._tables.pieces.solved)), np.uint16)
        if isinstance(self._patterns, WithPieces):
            codes[0, 0] = self._patterns.codes(text)
        todo = np.empty((limit * length, 3), np.int64)
        levels[0, kernels.COUNT], levels[-1, kernels.MARGIN] = 1, margin
        links[0, 0] = -1, self._patterns.positions.shape[1] + 1 + move, self._patterns.position(text), -1, -1
        keys[0, 0] = indices @ self._weights
        words, columns = zip(*map(_word, self._pattern_tables, indices), strict=True)
        states[0, 0, : 3 * patterns] = np.stack([words, columns, distances], axis=1).reshape(-1)
        states[0, 0, 3 * patterns :] = np.add.reduceat(distances, self._begins[:-1])
        child, alive = np.empty((children, 2), np.uint32), np.empty(children, np.uint32)
        made = np.empty((groups, children, 4), np.uint32)
        cells, known = np.empty((2, max(children, patterns * together)), np.int64)
        ends, may = np.empty(children, np.int64), np.empty(together, np.int64)
        return PathBlocks(
            levels, links, keys, states, codes, todo, visited, child, alive, made, cells, known, ends, may
        )

    def _located(self, text: str) -> tuple[Indices, Distances]:
        """The index and the distance of a state in each abstraction."""
        pairs = [*zip(self._patterns.patterns, self._pattern_tables, strict=True)]
        indices = [np.array([each.puzzle.index(pattern.state(text), each.goal)]) for pattern, each in pairs]
        distances = [each.distances(index) for index, (_, each) in zip(indices, pairs, strict=True)]
        return np.concatenate(indices), np.concatenate(distances)


def _transpositions() -> Array:
    return np.full((_TRANSPOSITIONS, 2), -1, np.int64)


def _solved_after(space: Space, index: int, walk: PathWalk) -> set[int]:
    """The first moves of solutions to states that a walk's solutions reach in two moves; its own is one of them."""
    successors, rows = space.expand(np.array([index]))[0], walk.met.rows
    second = rows[rows[:, 2] == 0, 3]  # moves from the walk's first state
    states = space.expand(successors[[walk.move]])[0, second]
    return {*np.flatnonzero((successors >= 0) & np.isin(successors, space.expand(states))).tolist()}


def _levels(space: Space, index: int, limit: int, every: Sequence[Array]) -> tuple[Indices, ...]:
    """The indices of the states met, sorted, by distance: moves lead to each from the state before it."""
    levels: list[list[Indices]] = [[] for _ in range(limit + 1)]
    for met in every:
        indices = np.empty(len(met), np.int64)
        order = np.argsort(met[:, 1], kind="stable")
        ends = np.searchsorted(met[order, 1], np.arange(limit + 2))
        for left in range(limit, -1, -1):
            numbers = order[ends[left] : ends[left + 1]]
            before, moves = met[numbers, 2], met[numbers, 3]
            after = space.expand(indices[before]) if left < limit else None
            indices[numbers] = index if after is None else after[np.arange(len(numbers)), moves]
            levels[left].append(indices[numbers])
    return tuple(np.unique(np.concatenate(level)) for level in levels)


def _completed(space: Space, known: Sequence[Indices]) -> tuple[Indices, ...]:
    """All states on shortest paths, from those on paths with one order of moves that commute.

    A move leads to each from a state one farther, and one from it to a state one nearer. Moves can be taken back.
    """
    levels = [*known]
    beside = [np.unique(space.expand(level)) for level in levels]
    while True:
        found = 0
        for left in range(1, len(levels) - 1):
            between = np.intersect1d(beside[left - 1], beside[left + 1])
            new = np.setdiff1d(between[between >= 0], levels[left])
            if len(new):
                levels[left] = np.union1d(levels[left], new)
                beside[left] = np.union1d(beside[left], space.expand(new))
            found += len(new)
        if not found:
            return tuple(levels)


def _form(space: Space) -> ProductForm:
    """The moves of an abstraction as tables, or those of its vertices if rows are up to symmetry."""
    if classes := _symmetric(space):
        return classes.edges
    assert space.product
    return space.product()


def _symmetric(space: Space) -> SymmetricRows | None:
    """The classes of rows up to symmetry."""
    return space.storage if isinstance(space.storage, SymmetricRows) else None


def _word(pattern: OpenTable, index: int) -> tuple[int, int]:
    """The word and the column of a state, or of its vertex."""
    if not (classes := _symmetric(pattern.space)):
        return divmod(index, _form(pattern.space).width)
    vertices = classes.vertices
    symmetry = int(classes.by[index // vertices.width])
    row, column = divmod(int(vertices.expand(np.array([index]))[0, 0]), vertices.width)
    return row << (classes.symmetries - 1).bit_length() | symmetry, column


def _pieces(patterns: Patterns, goal: Goal, spaces: Sequence[Space]) -> PieceTables:
    if not isinstance(patterns, WithPieces):
        source, none, views = np.zeros((1, 0), np.int32), np.zeros(0, np.int64), np.zeros((0, 0, 3), np.int64)
        return PieceTables(source, source, source.astype(np.uint16), none, none, views, views, none)
    rows, made = patterns.rows, {number: make(spaces[number]) for number, make in patterns.inverses.items()}
    inverses, parts = {number: view for number, view in made.items() if view}, _JoinedArrays()
    parts.add(np.zeros(1, np.int64))  # of a view with fewer parts than others
    share = np.zeros((len(inverses), rows.source.shape[1], rows.turnings.shape[1]), np.int64)
    places = np.zeros((len(inverses), max((len(view.parts) for view in inverses.values()), default=0), 3), np.int64)
    for number, view in enumerate(inverses.values()):
        share[number] = view.share
        for at, (shift, mask, of) in enumerate(view.parts):
            places[number, at] = shift, mask, parts.add(of)
    solved, numbers = patterns.codes(goal.states[0]).astype(np.int64), np.array([*inverses], np.int64)
    turnings = rows.turnings.astype(np.uint16)
    return PieceTables(rows.source, rows.turning, turnings, solved, numbers, share, places, parts.array)


def _choices(patterns: Patterns) -> npt.NDArray[np.int16]:
    """The moves after each move, after none, and after each first move: [2 * moves + 1, positions, most].

    Behind the last one is -1. Moves that commute may follow a first move in either order.
    """
    follows = patterns.follows
    follows = np.concatenate([follows, np.ones((1, len(follows)), np.bool_), follows | follows.T])
    may = follows[:, None, :] & (patterns.positions >= 0)
    choices = np.argsort(~may, axis=2, kind="stable").astype(np.int16)
    choices[np.arange(choices.shape[2]) >= may.sum(axis=2, keepdims=True)] = -1
    return np.ascontiguousarray(choices[:, :, : may.sum(axis=2).max()])


class _Tables:
    """The moves of all abstractions joined, the blocks of their distances, and the numbers `of`.

    The moves of a row are stored side by side, in the order of the positions in which they are legal.
    """

    def __init__(self, patterns: Patterns, pattern_tables: Mapping[str, OpenTable]) -> None:
        self.of: dict[str, list[int]] = {}
        self.held: list[Array] = []  # distances that kernels read by their addresses
        self._orders: dict[str, Array] = {}
        self._images: dict[str, Array] = {}  # of edges under each symmetry
        self._moves, self._maps, *self._blocks = (_JoinedArrays() for _ in range(4))
        for pattern in patterns.patterns:
            if pattern.puzzle not in self.of:
                legal = pattern.edges[(pattern.edges >= 0) & (patterns.positions >= 0)]
                edges = _form(pattern_tables[pattern.puzzle].space).edges
                order = np.array([*dict.fromkeys([*legal.tolist(), *range(edges)])])
                self._orders[pattern.puzzle] = order
                symmetric = _symmetric(pattern_tables[pattern.puzzle].space)
                self._images[pattern.puzzle] = np.array(symmetric.images) if symmetric else np.arange(edges)[None, :]
                self.of[pattern.puzzle] = self._entered(pattern_tables[pattern.puzzle], order)
        self.arrays = self._moves.array, self._maps.array, *(some.array for some in self._blocks)

    def edges(self, patterns: Sequence[Pattern]) -> Array:
        """The edges of abstractions in the order of their moves here, [patterns, positions or symmetries, moves]."""
        found = []
        for pattern in patterns:
            order, images = self._orders[pattern.puzzle], self._images[pattern.puzzle]
            edges = np.concatenate([np.where(pattern.edges < 0, -1, image[pattern.edges]) for image in images])
            found.append(np.where(edges < 0, len(order), np.argsort(order)[edges]).astype(np.int64))
        most = max(map(len, found))
        return np.stack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in found])

    def _entered(self, pattern: OpenTable, order: Array) -> list[int]:
        known = pattern.table.load().packed()
        assert known  # since searches are made where tables are in memory
        size, packed, start, base, bits = known.arrays
        assert size == 1 << kernels.BLOCK_BITS
        assert pattern.space.connected  # so every number read is a distance
        assert bits.max() <= 16
        of = [0] * kernels.NUMBERS
        cells = base.astype(np.int64) << kernels.WIDTH_BITS | bits
        self.held.append(packed)
        of[kernels.BLOCKS_AT], _ = map(_JoinedArrays.add, self._blocks, (packed.ctypes.data + start, cells))
        form, storage = _form(pattern.space), pattern.space.storage
        vertices = storage.vertices if isinstance(storage, SmallerGraph) else None
        assert vertices is None or isinstance(vertices, ProductForm)
        if symmetric := _symmetric(pattern.space):
            form, of[kernels.SYMMETRY_BITS] = _with_symmetries(symmetric, form)
            of[kernels.THEN_AT] = self._moves.add(_then(symmetric))
        kinds = max(len(form.column_map), len(vertices.column_map) if vertices else 1)
        of[kernels.WIDTH], of[kernels.KIND_BITS] = form.width, max(_KIND_BITS, (kinds - 1).bit_length())
        of[kernels.MOVES_AT : kernels.MAPS_AT + 1] = self._form(form, [*order, -1], of[kernels.KIND_BITS])
        if vertices:
            edges = [*range(vertices.edges)]
            of[kernels.VERTICES_AT : kernels.VERTEX_MAPS_AT + 1] = self._form(vertices, edges, of[kernels.KIND_BITS])
        return of

    def _form(self, form: ProductForm, order: Sequence[int], bits: int) -> tuple[int, int, int]:
        """Add a product form: the begin of its moves, the moves of a row, and the begin of its column maps.

        A move is a row and a kind in one number, -1 if there is none; those of a row are stored side by side.
        """
        assert int(form.row_move.max()) < 1 << (31 - bits)
        moved = np.full((form.rows, len(order)), -1, np.int32)
        for at, edge in enumerate(order):
            if edge >= 0:
                row = form.row_move[edge]
                moved[:, at] = np.where(row < 0, -1, row << bits | form.kind[edge])
        return self._moves.add(moved), len(order), self._maps.add(form.column_map)


def _with_symmetries(classes: SymmetricRows, form: ProductForm) -> tuple[ProductForm, int]:
    """The edges between vertices, with the symmetry after the move in a kind's low bits; and their number."""
    bits = (classes.symmetries - 1).bit_length()
    pairs = form.kind << bits
    for edge, rows in enumerate(classes.product.rows_after(classes.least)):
        pairs[edge] |= classes.by[rows]
    numbers, known = np.zeros(len(form.column_map) << bits, np.int32), np.zeros((1 << bits), np.int32)
    maps = np.tile(form.column_map[0], (len(numbers), 1))
    for pair in np.flatnonzero(np.bincount(np.append(0, pairs.reshape(-1)))).tolist():  # the first one is the identity
        kind, symmetry = divmod(pair, 1 << bits)
        numbers[pair] = known[symmetry] << bits | symmetry
        maps[numbers[pair]], known[symmetry] = form.column_map[kind], known[symmetry] + 1
    return ProductForm(form.row_move, numbers[pairs], maps[: known.max() << bits]), bits


def _then(classes: SymmetricRows) -> Array:
    """The number of each symmetry followed by each other one, by the images of moves: equal ones lead states alike."""
    known: dict[bytes, int] = {}
    moves = [factor.moves for factor in classes.product.factors]
    effects = [b"".join(part.tobytes() for part in parts) for parts in zip(*moves, strict=True)]
    alike = np.array([known.setdefault(effect, move) for move, effect in enumerate(effects)])
    images = np.array(classes.images)
    numbers = {alike[image].tobytes(): number for number, image in enumerate(images)}
    then = np.zeros((1 << (len(images) - 1).bit_length(),) * 2, np.int32)
    for one, other in product(range(len(images)), repeat=2):
        then[one, other] = numbers[alike[images[other][images[one]]].tobytes()]
    return then


class _JoinedArrays:
    """Arrays stored one after another, each once."""

    def __init__(self) -> None:
        self._parts: list[Array] = []
        self._begins: dict[int, int] = {}
        self._size = 0

    def add(self, array: Array) -> int:
        """Add an array, and return its begin."""
        if id(array) not in self._begins:
            self._begins[id(array)] = self._size
            self._parts.append(array)
            self._size += array.size
        return self._begins[id(array)]

    @property
    def array(self) -> Array:
        """All arrays as one."""
        return np.concatenate([part.reshape(-1) for part in self._parts])

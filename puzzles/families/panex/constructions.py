"""The constructions of Manasse, Sleator,
Wei and Baxter for towers of any height, in parts of parts down to moves.

research/panex_theorem/README.md proves that they are legal and counts them.

Glossary
    operation       moves of the top tiles. Tiles below them do not matter, and larger tiles may
                    replace the largest.
    T, T-bar        takes the tower of 1 to n from the left to the centre; of T-bar tile 1 ends on
                    the right.
    S, S-bar        begins with the tower of 1 to n - 1 in the centre, perhaps on a tile of size n,
                    and tile n on the left. The tower ends on the left, the tile in the centre. Of
                    S-bar tile 1 begins on the right.
    FOUR            swaps the two top tiles of the centre. The other tracks have tiles of n - 2, and
                    layer 0 is free.
    W               takes a tower of three from the centre to the left and one of two from the right
                    to the centre, while the tiles 2 change sides.
    X               exchanges the towers of 1 to n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import NamedTuple, TypeVar

from puzzlebase.plugins.methods.record import Construction, MethodPath
from puzzlebase.puzzles import Goal, ImpossibleState, Puzzle, states_after_moves
from puzzlebase.puzzles.families.panex.board import MOVES, play, start_state

_WALK = 200  # random moves to a random state

_MIRRORED = str.maketrans("LR", "RL")
Tile = TypeVar("Tile")


class PanexOperation(NamedTuple):
    """An operation or, if `kind` is a move's name,
    a move; perhaps mirrored, and perhaps reversed.
    """

    kind: str
    n: int = 0
    mirrored: bool = False
    back: bool = False


PanexOperations = tuple[PanexOperation, ...]


def _mirrored(*some: PanexOperation) -> PanexOperations:
    """The operation with left and right exchanged."""
    return tuple(each._replace(mirrored=not each.mirrored) for each in some)


def _reversed(*some: PanexOperation) -> PanexOperations:
    """The operation reversed."""
    return tuple(each._replace(back=not each.back) for each in reversed(some))


def _moves_of(names: str) -> PanexOperations:
    return tuple(map(PanexOperation, names.split()))


FOUR = _moves_of("CL CR LC RC")

_SHORT = {
    ("T", 1): "LC",
    ("T", 2): "LR LC RC",
    ("T", 3): "LR LC LC RL CL CR LC RC LC",
    ("T-bar", 1): "LR",
    ("T-bar", 2): "LR LC",
    ("T-bar", 3): "LR LC LC RL CL CR LC RC LR",
    ("S", 2): "LR CL RC",
    ("S", 3): "LR CL CL RC LC LR CL RL",
    ("S-bar", 2): "LC RL",
    ("S-bar", 3): "LC RL CL CR LC LC RL CL",
    ("X", 1): "LC RL CR",
    ("X", 2): "LR LC RL RL RC LR LR CL RC RL CL CR LR",
    ("X", 3): "LR LC LC RL CL CR LC LC RL CL RL RC RC LR CR CL RC RC LR LR LR "
    "CL CL RC LC LR CL RL RL RC LR LR CL RL CL CR LC RC RL CR CR LR",
    ("W", 0): "CL CL CR LC LC RL RL RL CR LR LC RL RL",
}
"""The moves of shortest paths between their ends, which a search found.
T and S leave the right tower alone.
"""

_EXCHANGING_THREE = _moves_of("RL RC RC LR CR CL RC RC LR LR LR CL CL RC LC LR CL CL RL RL RC")
"""From ab|c|ABC to aAbC|Bc|."""


def _tower_and_sink(tower: int, sunk: int) -> PanexOperations:
    """T and then S, or both with tile 1 in the corner between them where that is shorter."""
    plain, corner = (
        (PanexOperation(f"T{bar}", tower), PanexOperation(f"S{bar}", sunk)) for bar in ("", "-bar")
    )
    return min(plain, corner, key=lambda both: sum(map(construction_length, both)))


@cache
def _parts(operation: PanexOperation) -> PanexOperations:
    """The parts of an operation, in order; a move has none."""
    kind, n, is_mirrored, is_back = operation
    made = _made_of(kind, n)
    turned = _mirrored(*made) if is_mirrored else made
    return _reversed(*turned) if is_back else turned


def _made_of(kind: str, n: int) -> PanexOperations:
    if kind in MOVES:
        return ()
    if (kind, n) in _SHORT:
        return _moves_of(_SHORT[kind, n])
    if kind == "X":
        return tuple(_exchange(n))
    if kind.startswith("T"):
        return *_tower_and_sink(n - 1, n - 1), *FOUR, PanexOperation(kind, n - 2)
    return PanexOperation(kind, n - 1), *FOUR, *_reversed(*_tower_and_sink(n - 2, n - 1))


def _exchange(n: int) -> Iterator[PanexOperation]:
    """The parts of X of four tiles or more: the series of the paper."""
    sink, with_corner = PanexOperation("S", n), PanexOperation("S-bar", n)
    # 1. Both tiles n - 1 change sides; the left tile n is sunk.
    yield from (*_tower_and_sink(n - 1, n - 1), *FOUR)
    if n == 4:
        yield from (
            *_EXCHANGING_THREE,
            *_mirrored(with_corner),
            *_reversed(sink),
            PanexOperation("W"),
        )
        yield from _mirrored(
            PanexOperation("S", 3),
            *FOUR,
            *_reversed(PanexOperation("T", 3), PanexOperation("S", 3)),
        )
        return
    yield from _mirrored(*_tower_and_sink(n - 2, n - 1))
    # 2. Each tile n - 2, ..., 4 of the right goes to the left: C of the paper is back T, right T S,
    # back S.
    for i in range(n - 2, 3, -1):
        yield from (
            *_reversed(*_tower_and_sink(i - 1, i + 1)),
            *_mirrored(*_tower_and_sink(i - 1, i)),
        )
    # 3. So do 3 and 1, and their like come to the centre. The tiles 2 do not, which saves four
    # moves.
    yield from (
        *_reversed(PanexOperation("S-bar", 4)),
        *_moves_of("CL RL"),
        *_EXCHANGING_THREE,
        *_mirrored(with_corner),
    )
    # 4. Tiles n go up on their new sides, and towers over them; the tiles 2 change sides on the
    # way, for one move more.
    tower, sunk = _tower_and_sink(n - 1, n)
    yield from (
        *_reversed(sunk),
        *_reversed(*_behind_three(tower)),
        PanexOperation("W"),
        *_moves_of("RL CR CR LC RC RC"),
    )
    yield from _mirrored(*_behind_three(*_reversed(sunk)), *_reversed(tower))


def _behind_three(operation: PanexOperation) -> PanexOperations:
    """The parts of an operation after the T(3) with which it begins."""
    first, *others = _parts(operation)
    return (*(() if first == PanexOperation("T", 3) else _behind_three(first)), *others)


@cache
def construction_length(operation: PanexOperation) -> int:
    """The number of moves of a construction's operation."""
    return sum(map(construction_length, _parts(operation))) if operation.kind not in MOVES else 1


def construction_moves(operation: PanexOperation, skip: int = 0) -> Iterator[str]:
    """The moves of a construction's operation by name, without the first `skip`."""
    if operation.kind in MOVES:
        if not skip:
            name = operation.kind.translate(_MIRRORED) if operation.mirrored else operation.kind
            yield name[::-1] if operation.back else name
        return
    for part in _parts(operation):
        if skip < construction_length(part):
            yield from construction_moves(part, skip)
        skip = max(skip - construction_length(part), 0)


class Rearrangement(NamedTuple):
    """The effect of an operation on the top tiles:
    for each track, the places where its tiles were before.

    A place is a track, and the number of tiles above it there.
    """

    taken: tuple[int, ...]  # the number of tiles of each track that it touches
    left: tuple[tuple[tuple[int, int], ...], ...]


@cache
def _rearrangement(operation: PanexOperation) -> Rearrangement:
    """The effect of an operation: those of its parts, one after another."""
    if operation.kind in MOVES:
        [name] = construction_moves(operation)
        source, target = MOVES[name]
        places = range(3)
        return Rearrangement(
            tuple(int(track == source) for track in places),
            tuple(((source, 0),) if track == target else () for track in places),
        )
    taken = [0, 0, 0]
    tracks: list[list[tuple[int, int]]] = [[], [], []]
    for part in map(_rearrangement, _parts(operation)):
        for track, needed in enumerate(part.taken):
            while len(tracks[track]) < needed:
                tracks[track].append((track, taken[track]))
                taken[track] += 1
        tracks = _rearranged(part, tracks)
    return Rearrangement(tuple(taken), tuple(map(tuple, tracks)))


def _rearranged(done: Rearrangement, tracks: Sequence[Sequence[Tile]]) -> list[list[Tile]]:
    """The tracks, each from the top, after an operation."""
    below = (track[count:] for track, count in zip(tracks, done.taken, strict=True))
    return [
        [*(tracks[t][above] for t, above in left), *rest]
        for left, rest in zip(done.left, below, strict=True)
    ]


def construction_state(operation: PanexOperation, text: str, offset: int) -> str:
    """The state before move number `offset` of a construction's operation that begins at a state;
    or its last state.
    """
    tracks: list[list[str]] = [[*track] for track in text.split("|")]
    ahead = [operation]
    while ahead:
        part = ahead.pop()
        if construction_length(part) <= offset:
            tracks = _rearranged(_rearrangement(part), tracks)
            offset -= construction_length(part)
        elif offset:
            ahead = list(reversed(_parts(part)))
        else:
            break
    return "|".join(map("".join, tracks))


_OPERATIONS = {
    "exchange": "X",
    "centre": "T",
    "centre-corner": "T-bar",
    "sink": "S",
    "sink-corner": "S-bar",
}
"""By goal, the operation that leads there from its start."""


def panex_construction(puzzle: Puzzle) -> Construction:
    """The constructions as a method: from each goal's start alone."""
    n = len(puzzle.goals[0].start) // 2 - 1

    def operation(goal: Goal, text: str) -> PanexOperation:
        kind = _OPERATIONS.get(goal.name)
        if kind is None or text != goal.start:
            starts = ", ".join(f"{each.name} from {each.start!r}" for each in puzzle.goals)
            raise ImpossibleState(
                f"the seed's construction does not begin at {text!r}", f"it makes: {starts}"
            )
        return PanexOperation(kind, n)

    def bound(goal: Goal, text: str) -> int:
        return construction_length(
            operation(goal, text)
        )  # nothing is shorter, by the Panex theorem

    def path(goal: Goal, text: str) -> MethodPath:
        made = operation(goal, text)
        return MethodPath(
            construction_length(made),
            construction_length(made),
            True,
            partial(construction_moves, made),
            partial(construction_state, made, text),
        )

    return Construction(bound=bound, path=path)


METHODS = {"seed": panex_construction}


def draw(n: int, _goal: Goal, below: Callable[[int], int]) -> str:
    """A state that random moves lead to from a random place on the exchange."""
    choose = Random(below(1 << 256))  # noqa: S311 -- no secret
    exchanging = PanexOperation("X", n)
    state = construction_state(
        exchanging, start_state(n), choose.randrange(construction_length(exchanging) + 1)
    )
    for _ in range(_WALK):
        state = choose.choice([*states_after_moves(play, state, MOVES).values()])
    return state

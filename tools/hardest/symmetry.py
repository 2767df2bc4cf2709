"""Symmetries: renamings of the moves under which a puzzle and its goal stay unchanged.

An example is a mirror image that exchanges left and right turns. A symmetry maps the goal to itself, and the state
after any moves from the goal to the state after the renamed moves. So if two paths lead to one state, the renamed paths
do too.

Candidates are renamings that leave the states of the first layers unchanged. A candidate is checked at all states, or
at random ones of a large space with their neighbours: it must map the state after a move to the one after the renamed
move. A check for moves that equal two others was dropped: it removed no candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Indices, Signed, Space

Symmetry = npt.NDArray[np.int64]  # the move that each move becomes, int64[moves]

_MOST_MOVES = 24
_MOST_STEPS = 100_000
_MOST_TRIED = 5000
_NEAR = 300
_CHECKED = 20_000
_ALL_CHECKED = 1 << 22  # states times God's number


def symmetries(space: Space, distances: Signed, gods_number: int) -> list[Symmetry] | None:
    """Find every symmetry, the identity first; None if none is sought. `distances`: of all states.

    None is sought for games, several goal states, more than 24 moves, too many candidates, or solutions above 100,000
    moves.
    """
    if space.directed or len(space.goal_states) != 1 or gods_number > _MOST_STEPS:
        return None
    moves = space.expand(space.goal_states).shape[1]
    if moves > _MOST_MOVES:
        return None
    try:
        candidates = _candidates(space, moves)
    except _TooMany:
        return None
    found = [each for each in candidates if _holds(space, distances, gods_number, each)]
    return sorted(found, key=lambda symmetry: symmetry.tolist())


def images(space: Space, distances: Signed, states: Indices, symmetry: Symmetry) -> Indices:
    """The states that a symmetry maps states to, int64[n] -> int64[n]; -1 if it proves to be none.

    The walk follows a shortest solution of each state to the goal, and takes its renamed moves back from there.
    """
    if (symmetry == np.arange(len(symmetry))).all():
        return states
    at, path = states, []
    rows = np.arange(len(states))
    while (distances[at] > 0).any():
        successors = space.expand(at)
        nearer = (successors >= 0) & (distances[successors] == distances[at][:, None] - 1)
        to = np.where(distances[at] > 0, successors[rows, nearer.argmax(axis=1)], at)
        back = (space.expand(to) == at[:, None]).argmax(axis=1)
        path.append(np.where(distances[at] > 0, back, -1))
        at = to
    image = at
    for back in reversed(path):
        image = np.where(back >= 0, space.expand(image)[rows, symmetry[back]], image)
    return image


def _holds(space: Space, distances: Signed, gods_number: int, symmetry: Symmetry) -> bool:
    """True if a candidate is a symmetry: it maps the state after a move to the state after the renamed move."""
    if space.size * max(gods_number, 1) <= _ALL_CHECKED:
        states = np.flatnonzero(distances >= 0)
    else:
        drawn = np.random.default_rng(0).integers(0, space.size, min(_CHECKED, _ALL_CHECKED // gods_number + 1))
        states = np.unique(drawn[distances[drawn] >= 0])
    every = images(space, distances, states, symmetry)
    if (every < 0).any():
        return False
    after, renamed = space.expand(states), space.expand(every)[:, symmetry]
    legal = after >= 0
    if (legal != (renamed >= 0)).any():
        return False
    reached, at = np.unique(after[legal], return_inverse=True)
    return bool((images(space, distances, reached, symmetry)[at.reshape(-1)] == renamed[legal]).all())


class _TooMany(Exception):
    """Possible renamings are too many to be tried."""


def _candidates(space: Space, moves: int) -> list[Symmetry]:
    """Renamings that may be symmetries, completed move by move until one is contradicted; raises _TooMany.

    Moves come in the order in which they are first legal near the goal, so each is tried where it leads somewhere.
    """
    near = _near(space)
    first_legal = (move for each in near for move, to in enumerate(each) if to != -1)
    order = [*dict.fromkeys(chain(first_legal, range(moves)))]
    tried = count(1)

    def completed(chosen: dict[int, int]) -> Iterator[Symmetry]:
        if len(chosen) == moves:
            yield np.array([chosen[move] for move in range(moves)], np.int64)
            return
        for image in set(range(moves)) - {*chosen.values()}:
            if next(tried) > _MOST_TRIED:
                raise _TooMany
            more = {**chosen, order[len(chosen)]: image}
            if _fits(more, near):
                yield from completed(more)

    return [*completed({})]


def _near(space: Space) -> list[list[int]]:
    """The states of the first layers by number, the goal first: each move's target, -1 for none, -2 beyond them."""
    numbers = {int(space.goal_states[0]): 0}
    successors: list[list[int]] = []
    layer = [*numbers]
    while layer and len(numbers) < _NEAR:
        found = space.expand(np.array(layer, np.int64)).tolist()
        successors += found
        layer = []
        for to in chain.from_iterable(found):
            if to >= 0 and to not in numbers:
                numbers[to] = len(numbers)
                layer.append(to)
    return [[-1 if to < 0 else numbers.get(to, -2) for to in each] for each in successors]


def _fits(chosen: dict[int, int], near: list[list[int]]) -> bool:
    """True if the moves renamed so far take the states near the goal to one another."""
    image, taken, queue = {0: 0}, {0}, [0]
    for state in queue:
        other = image[state]
        if state >= len(near) or other >= len(near):
            if min(state, other) < len(near):
                return False
            continue
        for move, renamed in chosen.items():
            to, now = near[state][move], near[other][renamed]
            if min(to, now) < 0:
                if to != now:
                    return False
            elif to not in image:
                if now in taken:
                    return False
                image[to] = now
                taken.add(now)
                queue.append(to)
            elif image[to] != now:
                return False
    return True

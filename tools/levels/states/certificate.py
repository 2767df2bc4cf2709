"""The certificate of a game: a proof over every state and move that its states and their distances are right.

The set of states holds the start, and the states after all moves of its members: so it holds all that the start leads
to. A walk from the start visits every member: so it holds nothing else. The key of a state's number has that number. A
state is at distance 0 exactly where it is solved. At a distance d above 0, no move leads below d - 1 and one leads to
d - 1. Without a distance, a state is not solved and no move leads to one that has a distance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.kernels import kernel
from puzzlebase.puzzles import Distances
from puzzlebase.tools.levels.states.numbered import NONE, LevelStates
from puzzlebase.tools.levels.states.packed import Indices, Keys

Probe = Callable[[Indices], Distances]

_FAULTS = {
    1: "has a move to a state that is not in the set",
    2: "is not one more than the least distance after a move",
}


def certify(states: LevelStates, probe: Probe, threads: int) -> tuple[list[int], int]:
    """Check every state and move; `probe` reads distances, int64[n] -> int32[n], -1 where there is none.

    Returns how many states are at each depth from the start, and how many moves there are. Raises VerificationError.
    """
    ranking, start = states.ranking, states.rules.start[None, :]
    moves: deque[int] = deque()  # which several threads may append to

    def visit(numbers: Indices, keys: Keys, after: Indices) -> None:
        if (ranking.rank(keys) != numbers).any():
            raise VerificationError("a state's number is not that of its key")
        distances = probe(numbers)
        if ((distances == 0) != states.rules.solved(keys)).any():
            raise VerificationError("a state is at distance 0 that is not solved, or a solved one is not")
        moves.append(int((after >= 0).sum()))
        row, fault = _first_fault(distances, after, probe(after.reshape(-1)).reshape(after.shape))
        if fault:
            raise VerificationError(f"state {int(numbers[row]):,} {_FAULTS[fault]}")

    if ranking.rank(start)[0] < 0:
        raise VerificationError("the start is not in the set")
    walk = states.walk(visit, threads)
    if sum(walk.layers) != ranking.size:
        other = int(np.argmax(walk.depths == NONE))
        raise VerificationError(f"the start does not lead to state {other:,}")
    return walk.layers, sum(moves)


@kernel
def _first_fault(distances, after, distances_after):  # type: ignore[no-untyped-def]
    """The first state that breaks a rule and the number of the fault; 0, 0 where there is none."""
    for i in range(after.shape[0]):
        least = np.int64(-1)
        for k in range(after.shape[1]):
            if after[i, k] == -1:
                break
            if after[i, k] < 0:
                return i, 1
            distance = np.int64(distances_after[i, k])
            if distance >= 0 and (least < 0 or distance < least):
                least = distance
        expected = least + 1 if least >= 0 else -1
        if distances[i] != 0 and distances[i] != expected:
            return i, 2
    return 0, 0

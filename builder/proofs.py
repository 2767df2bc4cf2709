"""The proofs that a table gives the distances of all states: one for each way to store these."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import ClassVar

import numpy as np

from puzzlebase.builder.certificate import (
    Readable,
    RowCheck,
    StateMakingCheck,
    VerificationError,
    certify,
)
from puzzlebase.builder.counting import Counted, count_ranges, histograms_by_counting
from puzzlebase.builder.progress import Reporter
from puzzlebase.db.block_cache import Packed, PackedBlocks
from puzzlebase.db.blocks import BLOCK_SIZE, DistanceType
from puzzlebase.db.histograms import Histograms, range_length
from puzzlebase.db.table_file import Certificate
from puzzlebase.hooks import load_attribute
from puzzlebase.puzzles import UNREACHED, Distances, Graph, Indices, Signed, Space
from puzzlebase.puzzles.contract.space import Read, Storage
from puzzlebase.puzzles.machinery.orbits import WheelOrbits
from puzzlebase.puzzles.machinery.smaller_graph import put_goal_of_smaller_graph
from puzzlebase.threads import for_all

# If there are more states, only the stored graph is certified, which implies the certificate of the
# states.
STATES_IN_MEMORY = 1 << 28


@dataclass
class Proof:
    """A proof of a table that is stored in any way: of the stored graph, and then of all states.

    The distances of the states are read as readers do.
    They are certified if they fit into memory, and else counted.
    """

    space: Space
    graph: Graph
    stored: PackedBlocks
    read: Read
    threads: int
    report: Reporter
    certificates: list[Certificate] = field(default_factory=list)

    bytes_of_state: ClassVar[int] = 1  # if all states are in memory
    # Of one thread for each state, beside the stored graph; measured as those in preflight.py.
    seconds_in_memory: ClassVar[float] = 1.7e-8
    seconds_beyond: ClassVar[float] = 2e-9
    seconds_of_vertex: ClassVar[float] = 0.0  # more than the certificate of other graphs takes

    @property
    def in_rows(self) -> bool:
        """True if the graph has a product form, and its distances are in memory."""
        return self.graph.product is not None and self.stored.in_memory

    def run(self) -> tuple[tuple[int, ...], Histograms]:
        """Prove it; returns the layers of the stored graph, and the histograms of the states.

        Raises VerificationError and DamagedTable.
        """
        stored_layers = self.certify(self.space.storage.name, self.graph, self.stored).layers
        return stored_layers, self.of_all(stored_layers)

    def of_all(self, layers: tuple[int, ...]) -> Histograms:  # noqa: ARG002
        """Read, prove and count the distances of all states, by the layers of the stored graph."""
        states = StateDistances(self.space, self.stored.dtype(0, self.graph.size))
        with self.report.phase("states", self.space.size, "states") as phase:
            states.read(self.read, self.threads, phase.advance)
        return self.of_states(states)

    def certify(
        self,
        name: str,
        graph: Graph,
        readable: Readable,
        of_rows: Callable[..., RowCheck] | None = None,
    ) -> Histograms:
        """Certify the distances of a graph, and count them."""
        with self.report.phase(f"certificate of the {name}", graph.size, name) as phase:
            certificate, histograms = certify(
                name, graph, readable, self.threads, phase.advance, of_rows
            )
        self.certificates.append(certificate)
        return histograms

    def of_states(self, states: StateDistances) -> Histograms:
        """Certify the distances of the states, or count them alone."""
        if proof_fits_in_memory(self.space):
            return self.certify("states", self.space, states)
        return histograms_by_counting(
            range_length(self.space.size), sorted(states.counted, key=itemgetter(0))
        )


class OfStates(Proof):
    """The proof of a table that stores the distances of the states: one certificate."""

    bytes_of_state = 0
    seconds_in_memory = Proof.seconds_beyond

    def run(self) -> tuple[tuple[int, ...], Histograms]:
        """Prove it by the stored graph alone."""
        histograms = self.certify("states", self.graph, self.stored)
        return histograms.layers, histograms


class OfWheels(Proof):
    """The proof of orbits of wheels: of distances in memory,
    their certificate makes those of the states.
    """

    def run(self) -> tuple[tuple[int, ...], Histograms]:
        """Prove it; raises VerificationError too if edges of orbits lead through other states."""
        if not self.in_rows:
            return super().run()
        states, storage = (
            StateDistances(self.space, self.stored.dtype(0, self.graph.size)),
            self.space.storage,
        )
        assert isinstance(storage, WheelOrbits)
        to_states = storage.states()
        rows, expected = (
            np.sort(to_states.row_move[to_states.row_move >= 0]),
            self.space.size // to_states.width,
        )
        if not np.array_equal(rows, np.arange(expected)):
            raise VerificationError(
                f"the edges of the orbits lead through {len(rows)} rows of states of {expected}"
            )
        making = partial(StateMakingCheck, to_states=to_states, take=states.take)
        return self.certify(storage.name, self.graph, self.stored, making).layers, self.of_states(
            states
        )


def proof_of(storage: Storage) -> type[Proof]:
    """The proof that a way to store distances names."""
    named: type[Proof] = load_attribute(storage.proof)
    return named


def proof_fits_in_memory(space: Space) -> bool:
    """True if a proof has memory for the distances of all states."""
    return space.size <= STATES_IN_MEMORY


class StateDistances:
    """The distances of states, which follow from those of orbits:
    in memory if they fit there, else counted.
    """

    def __init__(self, space: Space, dtype: DistanceType) -> None:
        self._space = space
        self._distances: Signed | None = (
            np.full(space.size, UNREACHED, dtype) if proof_fits_in_memory(space) else None
        )
        self.counted: list[Counted] = []

    def read(self, read: Read, threads: int, advance: Callable[[int], None]) -> None:
        """Read all distances as readers do, range by range."""
        size = self._space.size

        def take(first: int) -> None:
            distances = self._space.distance_range(first, min(first + BLOCK_SIZE, size), read)
            self.take(first, distances)
            advance(len(distances))

        with ThreadPoolExecutor(threads) as pool:
            for_all(pool, take, range(0, size, BLOCK_SIZE))

    def take(self, first: int, distances: Signed) -> None:
        """Take the distances of consecutive states, in which the goal's zeros may be missing.

        Raises VerificationError if one is too large for the type of all.
        """
        put_goal_of_smaller_graph(self._space, first, distances)
        if self._distances is None:
            self.counted.extend(
                [*count_ranges(range_length(self._space.size), first, distances)]
            )  # at once, since other threads do so too
            return
        if distances.max() > np.iinfo(self._distances.dtype).max:
            raise VerificationError(f"a distance of {distances.max()} in a table of orbits")
        self._distances[first : first + len(distances)] = distances

    def probe(self, indices: Indices) -> Distances:
        """Distances of any states in memory, int64[n] -> int32[n]; -1 for -1."""
        assert self._distances is not None
        return np.where(indices < 0, UNREACHED, self._distances[indices]).astype(np.int32)

    def packed(self) -> Packed:
        """Those in memory as one block, in which a distance has as many bits as there."""
        assert self._distances is not None
        one, dtype = np.zeros(1, np.int32), self._distances.dtype
        width, codes = np.full(1, 8 * dtype.itemsize, np.uint8), self._distances.view(np.uint8)
        return Packed(
            np.iinfo(dtype).max, (len(self._distances), codes, one.astype(np.int64), one, width)
        )

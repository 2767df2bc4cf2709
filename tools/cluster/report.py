"""What is said of a build on a cluster while it runs, and kept in the table's log."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from puzzlebase.builder.preflight import text_of_bytes
from puzzlebase.builder.progress import Phase
from puzzlebase.builder.table import LayerReport
from puzzlebase.puzzles import Graph
from puzzlebase.tools.cluster.part import Told


class ClusterReport(LayerReport):
    """Reports each layer: its states, the rate, the bytes exchanged, the slowest part and the time left.

    `bytes` and `messages` are those of all layers of this run, `busy` each part's seconds of work.
    """

    def __init__(self, phase: Phase, graph: Graph, stored: str, parts: int) -> None:
        super().__init__(phase, graph, stored, 0)
        self.bytes = self.messages = 0
        self.busy = [0.0] * parts
        self.seconds = 0.0
        self._begun = False
        self._at = monotonic()
        self._more = ""

    def told(self, distance: int, layers: Sequence[int], results: Sequence[Told]) -> None:
        """Report the layer at this distance, from what its parts told of it."""
        found, nodes = sum(layers), layers[distance]
        now = monotonic()
        took, self._at = now - self._at, now
        if not self._begun:  # what an earlier run found took no time of this one
            self._begun, self._began, self._before = True, now - took, found - nodes
        sent = sum(result.bytes for result in results)
        self.bytes += sent
        self.messages += sum(result.messages for result in results)
        self.seconds += took
        for part, result in enumerate(results):
            self.busy[part] += result.seconds
        slowest = max(range(len(results)), key=lambda part: results[part].seconds)
        rate = (found - self._before) / max(now - self._began, 1e-3)
        left = (self._size - found) / max(rate, 1)
        self._more = (
            f", {text_of_bytes(sent)} exchanged, slowest part {slowest}"
            f" ({results[slowest].seconds:.2f} of {took:.2f} s), at most {left:,.0f} s left"
        )
        if nodes:
            self(distance, nodes, found)

    def more(self) -> str:
        """What is said of a layer beside its states and the rate."""
        return self._more

    def log(self) -> dict[str, float]:
        """Seconds by what took them, for the table's log."""
        if not self.messages and not self.seconds:
            return {}
        exchange = {f"exchange of {self.bytes:,} bytes in {self.messages:,} messages": self.seconds}
        return exchange | {f"layers of part {part}": seconds for part, seconds in enumerate(self.busy)}

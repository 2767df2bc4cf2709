"""A part of a build: the actor that finds and stores the layers in a range of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from puzzlebase.atomic_files import locked
from puzzlebase.builder.journal import Journal
from puzzlebase.plugins.cluster.plan import Plan
from puzzlebase.plugins.cluster.search import Message, PartSearch
from puzzlebase.puzzles import Signed
from puzzlebase.version import program


class Part:
    """A process that becomes a part. After each layer it gives its number of vertices and its messages."""

    def program(self) -> str:
        """The program with its version."""
        return program()

    def open(self, plan: Plan, number: int) -> list[int]:
        """Become the part of this number, and return the number of vertices of each finished layer, at least one."""
        self._plan, self._number = plan, number
        self._graph = plan.graph()
        plan.folder.mkdir(parents=True, exist_ok=True)
        file = plan.layers(number)
        locked(file, wait=True).close()  # until a former process of this part has ended
        self._journal = Journal(file, plan.what(), plan.division.layout)
        if not self._journal.layers:
            for piece in plan.division.pieces(number):
                first, last = self._journal.layout.vertices(self._journal.pieces[piece])
                goal = self._graph.goal_states
                self._journal.add_vertices(piece, goal[(goal >= first) & (goal < last)])
            self._journal.end_layer()
        return self._journal.layers

    def begin(self, layer: int) -> tuple[int, list[Message]]:
        """Continue after this layer, without later ones: tell the others about it."""
        if len(self._journal.layers) > layer + 1:
            self._journal.close()
            plan = self._plan
            self._journal = Journal(plan.layers(self._number), plan.what(), plan.division.layout, layer + 1)
        self._search = PartSearch(self._graph, self._plan.division, self._number, self._journal)
        return self._journal.layers[layer], self._search.messages()

    def step(self, *messages: Sequence[Message]) -> tuple[int, list[Message]]:
        """Find the next layer from each part's messages about the last one, write it, and tell the others about it."""
        vertices = self._search.turn(chain(*messages))
        return vertices, self._search.messages()

    def distances(self, piece: int) -> Signed:
        """The distances of a piece of this part."""
        return self._journal.distances(piece)

    def finish(self) -> None:
        """Delete the part's file."""
        self._journal.close(remove=True)

"""The driver of a build: it starts parts, has all of them find each layer, and starts others if one is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import ray
from ray.util.placement_group import PlacementGroup, remove_placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from puzzlebase.builder.publishing import CONTINUES, BuildError
from puzzlebase.plugins.cluster.machines import SHARE, reserve
from puzzlebase.plugins.cluster.part import Part
from puzzlebase.plugins.cluster.plan import Plan
from puzzlebase.puzzles import Signed
from puzzlebase.version import program

Result = TypeVar("Result")

_PAUSE = 5.0  # seconds in which killed processes free their memory, and Ray notices what else is lost
_TRIES = 5  # failures in a row without a new layer


class Build:
    """The parts of a build as the driver sees them. `need` has the bytes of memory of each; `say` prints a line."""

    def __init__(self, plan: Plan, need: Sequence[int], say: Callable[[str], None]) -> None:
        self.plan = plan
        self.layers: list[int] = []  # the number of vertices in each complete layer
        self._need, self._say = need, say
        self._parts: list[Any] = []
        self._reserved: PlacementGroup | None = None

    def run(self, work: Callable[[], Result]) -> Result:
        """Do work that opens the parts, and all of it again in new parts if one is lost. Raises BuildError."""
        failures, layers = 0, 0
        while True:
            try:
                return work()
            except ray.exceptions.RayError as error:
                self.end()
                failures = failures + 1 if len(self.layers) == layers else 1
                layers = len(self.layers)
                if failures == _TRIES:
                    raise BuildError(f"the cluster failed {_TRIES} times: {_brief(error)}", CONTINUES) from error
                self._say(f"{_brief(error)}; going back to the last complete layer")
                time.sleep(_PAUSE)

    def open(self) -> None:
        """Make the parts, and find out which layers all of them have."""
        self._reserved = reserve(self._need)
        part = ray.remote(num_cpus=SHARE, max_restarts=0)(Part)
        for number, need in enumerate(self._need):
            where = PlacementGroupSchedulingStrategy(self._reserved, placement_group_bundle_index=number)
            self._parts.append(part.options(memory=need, scheduling_strategy=where).remote())
        if {*_got([each.program.remote() for each in self._parts])} != {program()}:
            wrong = "a machine of the cluster has another version of this program"
            raise BuildError(wrong, "install the same one on every machine")
        opened: list[list[int]] = _got([each.open.remote(self.plan, at) for at, each in enumerate(self._parts)])
        self.layers = [sum(layer) for layer in zip(*opened, strict=False)]

    def find_layers(self, told: Callable[[int, int, int], None]) -> None:
        """Find all layers that some part lacks; the last one has no vertices. Tell of each as `find_layers` does."""
        if not self.layers[-1]:
            self._say("all layers are there")
            return
        known = len(self.layers) - 1
        if known:
            self._say(f"continuing after layer {known}")
        _, messages = self._all("begin", known)
        while self.layers[-1]:
            vertices, messages = self._all("step", *messages)
            self.layers.append(vertices)
            if vertices:
                told(len(self.layers) - 1, vertices, sum(self.layers))

    def distances(self, piece: int) -> Signed:
        """The distances of a piece, from its part."""
        found: Signed = _got(self._parts[self.plan.division.part_of(piece)].distances.remote(piece))
        return found

    def finish(self) -> None:
        """Have all parts delete their files; a part that is lost now leaves its own."""
        with suppress(ray.exceptions.RayError):
            _got([part.finish.remote() for part in self._parts])

    def end(self) -> None:
        """End all parts; their files stay."""
        for part in self._parts:
            ray.kill(part)
        if self._reserved:
            remove_placement_group(self._reserved)
        self._parts, self._reserved = [], None

    def _all(self, method: str, *arguments: Any) -> tuple[int, list[Any]]:
        """Call a method of every part; returns the number of all vertices, and what Ray calls each part's messages.

        Ray carries messages from one part to another: the driver passes on no more than their names, and thin layers.
        """
        answers = [getattr(part, method).options(num_returns=2).remote(*arguments) for part in self._parts]
        vertices: list[int] = _got([each for each, _ in answers])
        return sum(vertices), [messages for _, messages in answers]


def _got(calls: Any) -> Any:
    """The result of a call or of several; raises the error that a part raised."""
    try:
        return ray.get(calls)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None


def _brief(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0].rstrip(".:")

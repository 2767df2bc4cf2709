"""The driver of a build: it starts processes, has every part find a layer, waits for all, and repairs what fails."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import ray

from puzzlebase.builder.publishing import CONTINUES, BuildError
from puzzlebase.db.blocks import Block
from puzzlebase.puzzles import Indices
from puzzlebase.tools.cluster.machines import Machine, end, machines_of, on, place
from puzzlebase.tools.cluster.part import PartLost, PartProcess, Progress, Told
from puzzlebase.tools.cluster.plan import Plan
from puzzlebase.tools.cluster.search import Message

Result = TypeVar("Result")

SILENCE = 120.0  # seconds without news of a layer after which a network or a machine counts as stalled
_LOOK = 1.0  # seconds between looks at the parts while the driver waits for them
_PREPARING = 15  # silences that a part may take to number the states
_TRIES = 5  # failures in a row without a new layer
_WATCH = {"concurrency_group": "watch"}  # of calls that are answered at any time


class Silence(Exception):
    """Nothing was heard of a layer for too long: the message names the parts that do not answer."""


@dataclass
class Build:
    """The parts of a build as the driver sees them."""

    plan: Plan
    need: Sequence[int]  # bytes of memory of each part
    silence: float  # seconds
    say: Callable[[str], None]  # prints a line

    def __post_init__(self) -> None:
        self.parts: list[Any] = [None] * self.plan.parts
        self.layers: list[int] = []
        self._attempt = 0
        self._machines: list[Machine | None] = [None] * self.plan.parts
        self._processes = [0] * self.plan.parts
        self._heard = time.monotonic()
        self._progress: dict[int, Progress] = {}

    @property
    def machines(self) -> list[str]:
        """The id of each part's machine."""
        return [machine.id for machine in self._machines if machine]

    def run(self, work: Callable[[], Result]) -> Result:
        """Do work in all parts, and again if a part is lost. Raises BuildError."""
        failures, layers = 0, 0
        while True:
            try:
                return work()
            except (PartLost, Silence, ray.exceptions.RayError) as error:
                failures = failures + 1 if len(self.layers) == layers else 1
                layers = len(self.layers)
                if failures == _TRIES:
                    raise BuildError(f"the cluster failed {_TRIES} times: {_brief(error)}", CONTINUES) from error
                self.say(f"{_brief(error)}; going back to the last complete layer")
                self._mend()

    def start(self) -> None:
        """Make the missing parts; raises Silence if one does not start."""
        missing = [number for number, part in enumerate(self.parts) if part is None]
        if not missing:
            return
        placed = place(self.plan, machines_of(self.plan.folder), self.need, missing, self._machines)
        part = ray.remote(num_cpus=0, max_restarts=0, concurrency_groups={"exchange": 1, "watch": 1})(PartProcess)
        for number, machine in placed.items():
            self.parts[number] = on(machine.id, part).remote()
            self._machines[number], self._processes[number] = machine, 0
        processes = [self.parts[number].become.remote(self.plan, number) for number in missing]
        for number, process in zip(missing, processes, strict=True):
            try:
                self._processes[number] = ray.get(process, timeout=self.silence * _PREPARING)
            except ray.exceptions.GetTimeoutError:
                ray.kill(self.parts[number])
                self.parts[number] = None
                raise Silence(f"part {number} on {placed[number].address} does not start") from None

    def find_layers(self, told: Callable[[int, list[Told]], None]) -> list[int]:
        """Find all layers that the parts lack, and return the numbers of their vertices; the last one has none."""
        attempt = self._attempt
        opened: list[list[int]] = self.all("open", ((attempt, self.parts) for _ in self.parts), _PREPARING)
        known = min(map(len, opened))
        self.layers[:] = [sum(layers[distance] for layers in opened) for distance in range(known)]
        if not self.layers[-1]:
            self.say("all layers are there")
            return self.layers
        if known > 1:
            self.say(f"continuing after layer {known - 1}")
        results: list[Told] = self.all("begin", ((attempt, known - 1) for _ in self.parts), _PREPARING)
        while self.layers[-1]:
            distance = len(self.layers)
            carried: dict[int, list[Message]] = defaultdict(list)
            for part, messages in chain.from_iterable(result.carried.items() for result in results):
                carried[part].extend(messages)
            results = self.all("step", ((attempt, distance, carried[part]) for part in range(len(self.parts))))
            self.layers.append(sum(result.vertices for result in results))
            told(distance, results)
        return self.layers

    def all(
        self,
        method: str,
        arguments: Iterable[tuple[Any, ...]] = (),
        patience: float = 1.0,
    ) -> list[Any]:
        """Call a method of every part, and wait for all results, in order; missing parts are made first.

        Raises the error of a part, RayError and PartLost if a part is lost, and Silence if nothing is heard for
        `patience` times the limit.
        """
        self.start()
        given = [*arguments] or [()] * len(self.parts)
        calls = [getattr(part, method).remote(*each) for part, each in zip(self.parts, given, strict=True)]
        self._heard = time.monotonic()
        pending = calls
        while pending:
            ready, pending = ray.wait(pending, num_returns=len(pending), timeout=_LOOK)
            for call in ready:
                _got(call)
            if pending:
                self._watch(self.silence * patience)
        return [_got(call) for call in calls]

    def blocks(self, part: int, numbers: Indices) -> list[Block]:
        """Blocks of a part by their numbers. Raises PartLost."""
        asked = self.parts[part].blocks.options(concurrency_group="exchange").remote(numbers)
        try:
            return [*_got(asked, self.silence)]
        except ray.exceptions.RayError as error:
            raise PartLost(f"{self._name(part)} does not send its blocks") from error

    def end(self) -> None:
        """End all parts; their files stay."""
        for part in filter(None, self.parts):
            ray.kill(part)

    def _watch(self, limit: float) -> None:
        """Ask every part for its progress; raises Silence if nothing has moved for as long as the limit."""
        asked = {part.progress.options(**_WATCH).remote(): number for number, part in enumerate(self.parts)}
        ready, _ = ray.wait([*asked], num_returns=len(asked), timeout=5 * _LOOK)
        seen: dict[int, Progress] = {asked[answer]: ray.get(answer) for answer in ready}  # RayError: the part is lost
        moved = any(self._progress.get(number) != progress for number, progress in seen.items())
        self._progress |= seen
        if moved:
            self._heard = time.monotonic()
        elif time.monotonic() - self._heard > limit:
            mute = [number for number in range(len(self.parts)) if number not in seen]
            parts = mute or sorted({part for progress in seen.values() for part in progress.waiting})
            who = ", ".join(map(self._name, parts)) or "any part"
            what = "does not answer" if mute else "does not get what the others send"
            raise Silence(f"nothing was heard of layer {len(self.layers)} for {limit:.0f} s: {who} {what}")

    def _name(self, number: int) -> str:
        machine = self._machines[number]
        return f"part {number} on {machine.address if machine else 'no machine'}"

    def _mend(self) -> None:
        """End what is left of the lost parts: their files must be free for their successors."""
        self._attempt += 1
        calls = [part and part.abandon.options(**_WATCH).remote(self._attempt) for part in self.parts]
        for number, call in enumerate(calls):
            try:
                if call:
                    ray.get(call, timeout=min(self.silence, 30.0))
                    continue
            except ray.exceptions.RayError as error:
                self.say(f"{self._name(number)} is lost: {_brief(error)}")
                ray.kill(self.parts[number])
                machine = self._machines[number]
                if machine and self._processes[number]:
                    with suppress(ray.exceptions.RayError):  # it may have ended with its machine
                        end(self._processes[number], machine.id)
            self.parts[number] = None


def _got(call: Any, timeout: float | None = None) -> Any:
    """The result of a call; raises the error that the part raised."""
    try:
        return ray.get(call, timeout=timeout)
    except ray.exceptions.RayTaskError as error:
        cause: BaseException = error
        while isinstance(cause, ray.exceptions.RayTaskError) and cause.cause is not None:
            cause = cause.cause
        raise cause from None


def _brief(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).partition("\n")[0].rstrip(".:")

"""How a part sends messages: small ones by way of the driver, others straight to their part, some at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import ray

from puzzlebase.tools.cluster.failures import PartLost
from puzzlebase.tools.cluster.messages import Message

_SMALL = 1 << 15
"""Bytes of a layer's messages that the driver carries: where layers are thin that saves a part to wait for others."""

_IN_FLIGHT = 4
"""Messages on the way from one part to another. Beyond it the part waits, so the object store holds no more."""

_LOOK = 1.0  # seconds after which a waiting part sees that it need not wait any more


class Outbox:
    """What a part tells the others of one layer. `wanted` says whether anybody still waits for it."""

    def __init__(self, parts: list[Any], attempt: int, layer: int, wanted: Callable[[], bool]) -> None:
        self._parts = parts
        self._attempt = attempt
        self._layer = layer
        self._wanted = wanted
        self._flying: dict[int, list[Any]] = defaultdict(list)
        self.carried: dict[int, list[Message]] = defaultdict(list)
        self.bytes = 0
        self.messages = 0

    def send(self, part: int, message: Message) -> None:
        """Send a message; waits while too many are on their way to this part. Raises PartLost."""
        small = self.bytes + len(message.data) <= _SMALL
        self.bytes += len(message.data)
        self.messages += 1
        if small:
            self.carried[part].append(message)
            return
        self._wait(part, _IN_FLIGHT - 1)
        receive = self._parts[part].receive.options(concurrency_group="exchange")
        self._flying[part].append(receive.remote(self._attempt, self._layer, message))

    def finish(self) -> None:
        """Wait until all messages have arrived; raises PartLost."""
        for part in [*self._flying]:
            self._wait(part, 0)

    @property
    def waiting(self) -> list[int]:
        """The parts that messages are on their way to."""
        return [part for part, flying in [*self._flying.items()] if flying]

    def _wait(self, part: int, most: int) -> None:
        while len(self._flying[part]) > most:
            ready, self._flying[part] = ray.wait(self._flying[part], num_returns=1, timeout=_LOOK)
            if not self._wanted():
                raise PartLost(part)
            try:
                ray.get(ready)
            except ray.exceptions.RayError as error:
                raise PartLost(part) from error

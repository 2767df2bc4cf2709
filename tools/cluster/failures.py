"""What can go wrong among machines and is mended: a part that is lost, a part that is silent."""

from __future__ import annotations


class PartLost(Exception):
    """A part does not answer another one any more: its process or its machine has died, or the network has."""

    def __init__(self, part: int) -> None:
        super().__init__(part)  # it is pickled
        self.part = part

    def __str__(self) -> str:
        return f"part {self.part} is lost"


class Silence(Exception):
    """Nothing has been heard of a layer for too long. `parts` are those that do not answer or that others wait for."""

    def __init__(self, message: str, parts: list[int]) -> None:
        super().__init__(message, parts)
        self.message = message
        self.parts = parts

    def __str__(self) -> str:
        return self.message

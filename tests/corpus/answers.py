"""The record: each request with its answer, as one compressed text."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

import zstandard

PATH = Path(__file__).with_name("answers.zst")
SHORT = 12  # lines of a difference that are shown
ALIKE = 100  # characters of a body from which on an equal one is named in its place
_AS = "as "


def text_of(path: Path = PATH) -> str:
    """The record as text: for each request a line that begins with ===, then its answer."""
    return zstandard.ZstdDecompressor().decompress(path.read_bytes()).decode()


def read() -> dict[str, str]:
    """The answer to each request. A body that is another's is written out."""
    found: dict[str, str] = {}
    for entry in text_of().removeprefix("=== ").removesuffix("\n").split("\n=== "):
        request, _, answer = entry.partition("\n")
        head, parted, body = answer.partition("\n\n")
        if body.startswith(_AS):
            body = found[body.removeprefix(_AS)].partition("\n\n")[2]
        found[request] = head + parted + body
    return found


def write(answers: dict[str, str]) -> None:
    """Write the record. A body that another request has,
    too, is written once: so it shows which faces agree.
    """
    first: dict[str, str] = {}
    lines = []
    for request, answer in answers.items():
        head, parted, body = answer.partition("\n\n")
        other = first.setdefault(body, request)
        if other != request and len(body) > ALIKE:
            body = _AS + other
        lines.append(f"=== {request}\n{head}{parted}{body}\n")
    PATH.write_bytes(zstandard.compress("".join(lines).encode(), 22))


def compared(request: str, expected: str, found: str) -> str:
    """The first lines that show where an answer differs from the record; else empty.

    Nine decimal digits count: threads add numbers in any order.
    """
    before, now = (re.sub(r"(\.\d{9})\d+", r"\1", text).splitlines() for text in (expected, found))
    lines = [*unified_diff(before, now, n=1, lineterm="")][2:]
    return "\n".join(
        [f"=== {request[:200]}", *(line[:200] for line in lines[:SHORT])] if lines else []
    )

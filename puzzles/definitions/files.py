"""Files of strangers, such as definitions, drawings and levels: regular, of bounded size, and read once."""

from __future__ import annotations

import errno
from pathlib import Path

from puzzlebase import system
from puzzlebase.puzzles.definitions.definition import FormatError

MOST_BYTES = 1 << 20  # the 20x20x20 cube takes 194,069


def content_of(path: Path) -> bytes:
    """The content of a file; raises OSError, at once for a pipe or a device, and beyond MOST_BYTES."""
    with system.regular(path, follow=True) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES:,} bytes", str(path))
    return content


def text_of(content: bytes) -> str:
    """The text of a content; raises FormatError with its line if it is no text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError("the file is not UTF-8", "text in ASCII or UTF-8", line) from None

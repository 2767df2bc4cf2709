"""Errors that name their remedy, and the words of other errors."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

_SPACE = "make room on the disk"
_PERMISSION = "name a folder that you may write to, or allow it there"
_FOLDER = "name a folder that is there or can be made"
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _SPACE),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _PERMISSION),
    **dict.fromkeys(
        (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP), _FOLDER
    ),
}


class ErrorWithHint(Exception):
    """An error whose `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint
        self.add_note(hint)  # which a traceback prints below the message


def unwritable_remedy(error: Exception, then: str) -> str:
    """Name the remedy for a file that cannot be written,
    and `then`; only `then` if the reason is unknown.
    """
    if isinstance(error, OSError):
        reason = error.errno
    else:  # the error of another library has the system's words for the reason
        reason = next((number for number in _REMEDIES if os.strerror(number) in str(error)), None)
    remedy = _REMEDIES.get(reason) if reason else None
    return f"{remedy}, then {then}" if remedy else then


def first_line(error: Exception) -> str:
    """The first line of an error's message."""
    return str(error).partition("\n")[0]


def close_names(wrong: str, names: Iterable[str]) -> list[str]:
    """The names most like a wrong one, two at most."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only errors need it

    known = {name.lower(): name for name in names}
    return [known[name] for name in get_close_matches(wrong[:100].lower(), known, n=2)]


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """Suggest the names most like a wrong one, with a space after them; empty if there is none."""
    close = close_names(wrong, names)
    return f"did you mean {' or '.join(map(repr, close))}? " if close else ""


def shorten(text: str, limit: int = 60) -> str:
    """Cut a caller's text to at most `limit` characters for an error message."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_out_of_memory(error: BaseException) -> bool:
    """True if an error means that the process has no more memory:
    for arrays, for a thread, for a library.
    """
    words_of = {RuntimeError: "can't start new thread", ImportError: "failed to map segment"}
    return isinstance(error, MemoryError) or any(
        isinstance(error, kind) and words in str(error) for kind, words in words_of.items()
    )

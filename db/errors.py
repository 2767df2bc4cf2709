"""The errors of stored files, and the remedy for a file that cannot be written."""

from __future__ import annotations

import errno
import os

from puzzlebase.errors import ErrorWithHint

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


class TableError(ErrorWithHint):
    """A stored file cannot be used."""


class MissingTable(TableError):
    """There is no file, but one is needed."""


class UnwritableTable(TableError):
    """A file cannot be written in its place."""


class DamagedTable(TableError):
    """A file does not hold what was stored, or has another format."""


class UnreadableTable(DamagedTable):
    """A file may not be read by the user of this program."""


class ReplacedTable(TableError):
    """Another file took the name of the one that was opened, and is not open yet."""


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

"""Files that may be replaced: each is opened when a request first needs it,
and again after a replacement.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from cachetools import FIFOCache

from puzzlebase.db.errors import DamagedTable, TableError
from puzzlebase.db.stored_file import Identity, forget
from puzzlebase.paths import build_remedy
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.sources.memory import Holding, Memory

_RETRY_DAMAGED_AFTER = (
    30.0  # seconds until a damaged file is opened once more: perhaps only a permission was missing
)
_MADE = 256  # objects made of one content that are cached: callers choose their names


class _Content(Protocol):
    """The content of an open file."""

    @property
    def nbytes(self) -> int: ...  # of all that is in memory

    of: tuple[str, ...]  # its puzzle, and the key of its goal unless it is of all goals


Content = TypeVar("Content", bound=_Content)


@dataclass(eq=False)
class Version(Holding, Generic[Content]):
    """A file as it was opened: its content, or its damage."""

    files: Files[Content]
    path: Path
    identity: Identity
    content: Content | None = None
    # The kind, message and hint of its error, whose traceback would keep alive all that was open
    # when it was raised.
    damage: tuple[type[TableError], str, str] = TableError, "", ""
    opened: float = field(default_factory=monotonic)
    checked: float = -inf
    # All that holds its content, freed with it; None once the version is dropped.
    made: MutableMapping[Any, Any] | None = field(default_factory=lambda: FIFOCache(_MADE))

    @property
    def nbytes(self) -> int:
        """Bytes of its content in memory."""
        return self.content.nbytes if self.content else 0

    def free(self) -> None:
        """Drop the content; the next request opens the file again."""
        self.files.drop(self)

    def is_current(self, recheck_after: float) -> bool:
        """True if the file is unchanged,
        by a check at most so many seconds old. A damaged one expires soon.
        """
        self.used = now = monotonic()
        if now - self.checked < recheck_after:
            return True
        same = Identity.at(self.path) == self.identity
        same &= self.content is not None or now - self.opened < _RETRY_DAMAGED_AFTER
        if same:
            self.checked = now
        return same

    def of(self, puzzle: Puzzle, goal: Goal) -> Content:
        """The content; raises its damage, a new exception each time,
        and DamagedTable if it is of another puzzle.
        """
        if self.content is None:
            kind, *words = self.damage
            raise kind(*words)
        of = self.content.of
        if of != (puzzle.name, goal.key)[: len(of)]:
            raise watched_file_error(self.path, of)
        return self.content


@dataclass(eq=False)
class Files(Generic[Content]):
    """The files of one kind, by puzzle and goal: those that were there when they were requested."""

    path: Callable[[Puzzle, Goal], Path]
    read: Callable[[Path], Content]
    recheck_after: float  # seconds
    memory: Memory
    _versions: dict[Path, Version[Content]] = field(default_factory=dict)
    _opening: dict[Path, Lock] = field(default_factory=dict)  # of files that were there

    def find(self, puzzle: Puzzle, goal: Goal) -> Content | None:
        """The content of the current file, None without one. Raises DamagedTable and NoSpace."""
        version = self.latest(puzzle, goal)
        return version.of(puzzle, goal) if version else None

    def latest(self, puzzle: Puzzle, goal: Goal) -> Version[Content] | None:
        """The current version of a file,
        or the former one while another thread opens it; None without a file.

        Raises NoSpace.
        """
        path = self.path(puzzle, goal)
        version = self._versions.get(path)
        if version and version.is_current(self.recheck_after):
            return version
        if version is None and Identity.at(path) is None:
            return None
        opening = self._opening.setdefault(path, Lock())
        if not opening.acquire(blocking=version is None):
            return version
        try:
            version = self._versions.get(path)  # another thread may have opened it meanwhile
            if version and version.is_current(self.recheck_after):
                return version
            opened = self._open(path)
            if version:
                self.drop(version)
            if opened:
                self._versions[path] = opened
                self.memory.hold(opened)
            return opened
        finally:
            opening.release()

    def drop(self, version: Version[Content]) -> None:
        """Drop a version after the last answer from it."""
        self.memory.forget(version)
        version.made = None
        if self._versions.get(version.path) is version:
            del self._versions[version.path]

    def _open(self, path: Path, tries: int = 3) -> Version[Content] | None:
        """Open a file, if there is one; again after an error if it was replaced meanwhile."""
        identity = Identity.at(path)
        if identity is None:
            return None
        try:
            return Version(self, path, identity, self.read(path))
        except TableError as error:
            damage = type(error), str(error), error.hint
            # the version has it, and a file that cannot be opened now may be later
            forget(identity)
        if tries > 1 and Identity.at(path) != identity:
            return self._open(path, tries - 1)
        return Version(self, path, identity, damage=damage)


def watched_file_error(path: Path, of: tuple[str, ...]) -> DamagedTable:
    """The error of a watched file that does not belong to its name:
    copied there, or built before the rules changed.
    """
    what = f"is of {', goal '.join(of)}, of another version or of another definition"
    if "~" in path.stem:
        what += ", or of another PUZZLEBASE_PATTERN_MEMORY than now"
    return DamagedTable(f"the table in {str(path)!r} {what}", build_remedy(path))

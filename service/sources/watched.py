"""Files that may be replaced: each is opened when a request first needs it, and again after a replacement."""

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
from puzzlebase.db.files import Identity
from puzzlebase.paths import remedy
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.sources.memory import Holding, Memory

_RETRY_DAMAGED_AFTER = 30.0  # seconds until a damaged file is opened once more: perhaps only a permission was missing
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

    file: WatchedFile[Content]
    part: str
    identity: Identity
    content: Content | None
    # The kind, message and hint of its error, whose traceback would keep alive all that was open when it was raised.
    damage: tuple[type[TableError], str, str]
    opened: float
    checked: float = -inf
    made: MutableMapping[Any, Any] | None = None  # all that holds its content, freed with it; None once it is gone
    right: str | None = None  # the rules of a puzzle and goal that the content was found to be of

    @property
    def nbytes(self) -> int:
        """Bytes of its content in memory."""
        return self.content.nbytes if self.content else 0

    def free(self) -> None:
        """Free the content's memory; the next request reads it again."""
        self.file.free(self)

    def is_current(self, recheck_after: float) -> bool:
        """True if the file is unchanged, by a check at most so many seconds old. A damaged one expires soon."""
        self.used = now = monotonic()
        if now - self.checked < recheck_after:
            return True
        same = Identity.at(self.file.path) == self.identity
        same &= self.content is not None or now - self.opened < _RETRY_DAMAGED_AFTER
        if same:
            self.checked = now
        return same

    def of(self, puzzle: Puzzle, goal: Goal) -> Content:
        """The content; raises its damage, a new exception each time, and DamagedTable if it is of another puzzle."""
        if self.content is None:
            kind, *words = self.damage
            raise kind(*words)
        of = self.content.of
        if of != (puzzle.name, goal.key)[: len(of)]:
            raise of_another(self.file.path, of)
        return self.content


@dataclass(eq=False)
class WatchedFile(Generic[Content]):
    """One file of the folder, and its open version."""

    path: Path
    _files: Files[Content]
    version: Version[Content] | None = None
    _opening: Lock = field(default_factory=Lock)

    def latest(self) -> Version[Content] | None:
        """The current version in the folder, or the former one while another thread opens it; None without a file."""
        version = self.version
        if version is not None and version.is_current(self._files.recheck_after):
            return version
        if not self._opening.acquire(blocking=version is None):
            return version
        try:
            version = self.version  # another thread may have opened it meanwhile
            if version is None or not version.is_current(self._files.recheck_after):
                self.version = self._open()
                if version is not None:
                    self._end(version)
                version = self.version
                if version is not None:
                    self._files.memory.hold(version)
        finally:
            self._opening.release()
        return version

    def free(self, version: Version[Content]) -> None:
        """Free the content of a version, or close it; not while a new one is opened."""
        if not self._opening.acquire(blocking=False):
            return
        try:
            version.made = FIFOCache(_MADE)
            if self._files.unload and version.content is not None:
                self._files.unload(version.content)
                return
            if self.version is version:
                self.version = None
            self._end(version)
        finally:
            self._opening.release()

    def _end(self, version: Version[Content]) -> None:
        self._files.memory.forget(version)
        version.made = None

    def _open(self, tries: int = 3) -> Version[Content] | None:
        """Open the file, if there is one; again after an error if it was replaced meanwhile."""
        identity = Identity.at(self.path)
        if identity is None:
            return None
        content, damage = None, (TableError, "", "")
        try:
            content = self._files.read(self.path)
        except TableError as error:
            damage = type(error), str(error), error.hint
        if content is None and tries > 1 and Identity.at(self.path) != identity:
            return self._open(tries - 1)
        return Version(self, self._files.part, identity, content, damage, monotonic(), made=FIFOCache(_MADE))


@dataclass(eq=False)
class Files(Generic[Content]):
    """The files of one kind, by puzzle and goal: those that were there when they were requested."""

    part: str
    path: Callable[[Puzzle, Goal], Path]
    read: Callable[[Path], Content]
    recheck_after: float  # seconds
    memory: Memory
    unload: Callable[[Content], None] | None = None  # evicts a content while its file stays open; else it is closed
    _lock: Lock = field(default_factory=Lock)  # never held while a file is read
    _watched: dict[Path, WatchedFile[Content]] = field(default_factory=dict)

    def find(self, puzzle: Puzzle, goal: Goal) -> Content | None:
        """The content of the current file, None without one. Raises DamagedTable and NoSpace."""
        version = self.latest(puzzle, goal)
        return version.of(puzzle, goal) if version else None

    def latest(self, puzzle: Puzzle, goal: Goal) -> Version[Content] | None:
        """The current version of the file of a puzzle and goal, None without one. Raises NoSpace."""
        path = self.path(puzzle, goal)
        with self._lock:
            if path not in self._watched and Identity.at(path):
                self._watched[path] = WatchedFile(path, self)
            file = self._watched.get(path)
        return file.latest() if file else None


def of_another(path: Path, of: tuple[str, ...]) -> DamagedTable:
    """The error of a file that does not belong to its name: copied there, or built before the rules changed."""
    what = f"is of {', goal '.join(of)}, of another version or of another definition"
    return DamagedTable(f"the table in {str(path)!r} {what}", remedy(path))

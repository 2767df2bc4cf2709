"""Files that may be replaced: each is opened when a request first needs it, and again after a replacement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Generic, Protocol, TypeVar

from puzzlebase.db.errors import MissingTable, TableError
from puzzlebase.db.files import Identity
from puzzlebase.paths import remedy
from puzzlebase.service.sources.memory import Holding, Memory

_RETRY_DAMAGED_AFTER = 30.0  # seconds until a damaged file is opened once more: perhaps only a permission was missing


class _Content(Protocol):
    """The content of an open file."""

    @property
    def nbytes(self) -> int: ...  # of all that is in memory


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
    gone: bool = False
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

    def sound(self) -> Content:
        """The content; raises its damage, a new exception each time."""
        if self.content is None:
            kind, *words = self.damage
            raise kind(*words)
        return self.content


@dataclass(eq=False)
class WatchedFile(Generic[Content]):
    """One file of the folder, and its open version."""

    path: Path
    _files: Files[Content]
    version: Version[Content] | None = None
    _opening: Lock = field(default_factory=Lock)

    def latest(self) -> Version[Content]:
        """The current version in the folder, or the former one while another thread opens it. Raises MissingTable."""
        version = self.version
        if version is not None and version.is_current(self._files.recheck_after):
            return version
        if not self._opening.acquire(blocking=version is None):
            assert version is not None
            return version
        try:
            version = self.version  # another thread may have opened it meanwhile
            if version is None or not version.is_current(self._files.recheck_after):
                self.version = self._open()
                if version is not None:
                    self._end(version)
                version = self.version
                if version is None:
                    raise MissingTable(f"there is no table of {self.path.stem} yet", remedy(self.path))
                self._files.memory.hold(version)
        finally:
            self._opening.release()
        return version

    def free(self, version: Version[Content]) -> None:
        """Free the content of a version, or close it; not while a new one is opened."""
        if not self._opening.acquire(blocking=False):
            return
        try:
            if self._files.unload and version.content is not None:
                self._files.unload(version.content)
                self._files.on_gone(version)
                return
            if self.version is version:
                self.version = None
            self._end(version)
        finally:
            self._opening.release()

    def _end(self, version: Version[Content]) -> None:
        self._files.memory.forget(version)
        version.gone = True
        self._files.on_gone(version)

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
        return Version(self, self._files.part, identity, content, damage, monotonic())


@dataclass(eq=False)
class Files(Generic[Content]):
    """The files of one kind, by path: those that were requested and exist."""

    part: str
    read: Callable[[Path], Content]
    recheck_after: float  # seconds
    memory: Memory
    on_gone: Callable[[Version[Content]], None] = lambda _version: None  # called with each one replaced or evicted
    unload: Callable[[Content], None] | None = None  # evicts a content while its file stays open; else it is closed
    _lock: Lock = field(default_factory=Lock)  # never held while a file is read
    _watched: dict[Path, WatchedFile[Content]] = field(default_factory=dict)

    def latest(self, path: Path) -> Version[Content]:
        """The current version of a file in the folder; raises MissingTable."""
        with self._lock:
            file = self._watched.get(path)
            if file is None:
                file = self._watched[path] = WatchedFile(path, self)
        try:
            return file.latest()
        except MissingTable:
            with self._lock:
                if file.version is None and self._watched.get(path) is file:
                    del self._watched[path]
            raise

    def content(self, path: Path) -> Content | None:
        """The content of a file; None if there is no file. Raises DamagedTable."""
        try:
            return self.latest(path).sound()
        except MissingTable:
            return None

"""`@kernel`: a function that numba compiles when it is first called.

A kernel uses only its own file; a test over the syntax trees holds it. Where that file has a function
`before_compiling`, it is called first, to tell numba what functions of Python are in machine code. numba is loaded
with the first kernel that is called, because to load it takes longer than to answer about one state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, update_wrapper
from pathlib import Path
from threading import Event, RLock
from typing import Any

import numpy as np

_ROOT = Path(__file__).parent
_MARK = "@kernel\n"

_compiling = RLock()  # one thread at a time; a kernel that is made may call another file's `before_compiling`

_numba_is_here = Event()
"""Set when numba is wholly loaded; it is among the modules from the beginning of its half second."""

_interpreting = ContextVar("_interpreting", default=False)  # so that other threads go on as they did


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, without the interpreter lock, and keep its machine code."""
    return _Kernel(function)


class _Kernel:
    """A function before it is compiled. Then its file names numba's function in its place."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._compiled: Callable[..., Any] | None = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled
        if compiled is None:
            if _interpreting.get() and not _numba_is_here.is_set():
                return self._function(*arguments)
            compiled = self._compile()
        return compiled(*arguments)

    def _compile(self) -> Callable[..., Any]:
        """Make all kernels of the file functions of numba, since they may call each other."""
        with _compiling:
            from puzzlebase.machine_code import compiled  # noqa: PLC0415 -- this loads numba

            _numba_is_here.set()
            if self._compiled is not None:  # by another thread, since this one looked
                return self._compiled
            names = self._function.__globals__
            if "before_compiling" in names:
                names["before_compiling"]()
            for name, value in [*names.items()]:
                if isinstance(value, _Kernel) and value._function.__globals__ is names:  # noqa: SLF001
                    names[name] = value._compiled = compiled(value._function)  # noqa: SLF001
        assert self._compiled is not None
        return self._compiled


@contextmanager
def interpreted() -> Iterator[None]:
    """Inside, kernels run as plain Python as long as numba is not loaded; for the answer about a single state."""
    former = _interpreting.set(True)
    try:
        with np.errstate(over="ignore"):  # as in machine code
            yield
    finally:
        _interpreting.reset(former)


def sources(root: Path = _ROOT) -> list[Path]:
    """The files where kernels may be: all of the folders beside this file, which may be links."""
    return sorted(path for folder in root.iterdir() if folder.is_dir() for path in folder.rglob("*.py"))


@cache
def source_hash(root: Path = _ROOT) -> str:
    """A hash of the source of every kernel below the folders of `root`, 16 hexadecimal digits."""
    hashed = hashlib.blake2b(digest_size=8)
    for path in sources(root):
        text = path.read_text("utf-8")
        if _MARK in text:
            hashed.update(path.relative_to(root).as_posix().encode())
            for definition in text.split("\n\n\n"):
                if definition.startswith(_MARK):
                    hashed.update(definition.encode())
    return hashed.hexdigest()

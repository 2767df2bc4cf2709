"""`@kernel`: numba compiles the function at its first call.

A kernel may call kernels of any file. A function `before_compiling` of its own file is called
first, and tells numba how functions of Python look in machine code.

The first kernel that is called loads numba, which takes longer than an answer about one state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, update_wrapper
from threading import Event, RLock
from typing import Any

import numpy as np

# one thread at a time, in which a kernel that is compiled may need another one
_compiling = RLock()

# numba is wholly loaded; it is among the modules from the beginning of its half second
_numba_is_here = Event()
_interpreting = ContextVar("_interpreting", default=0)  # so that other threads go on as they did


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call,
    without the interpreter lock, and store its machine code.
    """
    return _Kernel(function)


class _Kernel:
    """A function that is not compiled yet. Once it is,
    numba's function takes its name in its file.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._compiled: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled
        if compiled is None:
            if (how := _interpreting.get()) > 1 or (how and not _numba_is_here.is_set()):
                return self._function(*arguments)
            compiled = self._compile()
        return compiled(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba knows this function if another kernel calls it."""
        return self._compile()._numba_type_

    def _compile(self) -> Any:
        with _compiling:
            from puzzlebase.machine_code import machine_code_of  # noqa: PLC0415 -- this loads numba

            _numba_is_here.set()
            if self._compiled is None:  # else another thread has done it since this one looked
                names, name = self._function.__globals__, self._function.__name__
                if "before_compiling" in names:
                    _tell(names["before_compiling"])
                self._compiled = machine_code_of(self._function)
                if names.get(name) is self:
                    names[name] = self._compiled
        return self._compiled


@cache
def _tell(before_compiling: Callable[[], None]) -> None:
    before_compiling()


@contextmanager
def interpreted(*, always: bool = False) -> Iterator[None]:
    """Run kernels inside as plain Python,
    `always` or until numba is loaded; for an answer about few states.
    """
    former = _interpreting.set(1 + always)
    try:
        with np.errstate(over="ignore"):  # as in machine code
            yield
    finally:
        _interpreting.reset(former)

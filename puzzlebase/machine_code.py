"""The machine code of kernels, in a cache that is never older than its source.

All machine code lies in a folder whose name is a hash of every kernel's source. Neither an edit nor an upgrade can run
code of an earlier source. Whoever makes a new folder removes those that no process has used for a month.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import pickle
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from puzzlebase.kernels import source_hash

_DIGEST = 16  # bytes
_FOLDER = "kernels-"
_UNUSED = 30 * 24 * 3600.0
"""Seconds without use, after which a folder of machine code is removed."""


def compiled(function: Callable[..., Any]) -> Any:
    """Have numba compile a function when it is first called, and keep its machine code.

    The code lies below NUMBA_CACHE_DIR where that is set, else in __pycache__ beside this file. Where it cannot be
    written, kernels are compiled again at each start. Nothing in C calls them, and to make them ready for it takes a
    tenth of the time.
    """
    njit: Any = numba.njit  # whose types leave out one of these
    made = njit(nogil=True, no_cfunc_wrapper=True)(function)
    if made is not function:  # with numba's compiler off it is
        made._cache = _MachineCode(function)  # noqa: SLF001 -- numba has no public place for a cache of one's own
    return made


class _MachineCode(NullCache):
    """The machine code of one kernel, in a file for each types of arguments.

    numba's own cache raises where its folder cannot be written or a file was cut short. This one compiles anew. It
    also does not depend on where the sources lie, so that copies of them share one folder.
    """

    def __init__(self, function: Any) -> None:
        code = function.__code__
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._source = f"{self._name} {code.co_firstlineno} {_hash_of_file(code.co_filename)}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these types of arguments; None where it is not there or damaged."""
        target_context.refresh()
        try:
            content = self._path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        if content[:_DIGEST] != _digest(content[_DIGEST:]):
            return None
        reduced = pickle.loads(content[_DIGEST:])  # noqa: S301 -- save_overload wrote it
        return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]  # noqa: SLF001

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, if that is possible."""
        path = self._path(sig, data.codegen)
        content = dumps(data._reduce())  # type: ignore[no-untyped-call]  # noqa: SLF001
        new = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(_digest(content) + content)
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink()
            _warn(f"{path.parent}: {error.strerror}")

    def _path(self, sig: Any, codegen: Any) -> Path:
        depends_on = sig, codegen.magic_tuple(), numba.__version__, sys.version, self._source
        folder = _folder()
        _use(folder)
        return folder / f"{self._name}-{_digest(repr(depends_on).encode()).hex()}"


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


@cache
def _hash_of_file(name: str) -> str:
    return _digest(Path(name).read_bytes()).hex()


def _folder() -> Path:
    config: Any = numba.config
    return Path(config.CACHE_DIR or Path(__file__).parent / "__pycache__") / f"{_FOLDER}{source_hash()}"


@cache
def _use(folder: Path) -> None:
    """Make a folder of machine code, and mark it as in use: by its time, and by a lock until this process ends.

    Where that cannot be done the folder may be removed, and its kernels are compiled again.
    """
    with suppress(OSError):
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            _remove_unused(folder.parent)
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)  # never closed
        os.utime(folder)


def _remove_unused(among: Path) -> None:
    """Remove the folders of machine code that no process has used for a month, or uses now."""
    for folder in among.glob(f"{_FOLDER}{'[0-9a-f]' * 16}"):
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if time() - os.fstat(descriptor).st_mtime > _UNUSED:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)
            finally:
                os.close(descriptor)


@cache
def _warn(reason: str) -> None:
    logging.getLogger(__name__).warning(
        "compiled kernels cannot be kept (%s) and are compiled again at each start; "
        "set NUMBA_CACHE_DIR to a folder that can be written",
        reason,
    )

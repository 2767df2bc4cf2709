"""A cache of the kernels' machine code, which is never older than the source.

The name of a file has a hash of all that was compiled: the kernel's code object and the values of
its globals, as they are in memory. Other kernels are among them. If several processes need one
kernel at once, one compiles it, and the others wait and load it.
"""

from __future__ import annotations

import dis
import hashlib
import logging
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from inspect import unwrap
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from puzzlebase.atomic_files import locked_file, new_file

_DIGEST = 16  # bytes
_LIBRARIES = ("builtins", "math", "numpy")


def machine_code_folder() -> Path:
    """The folder of stored machine code."""
    config: Any = numba.config
    return Path(config.CACHE_DIR or Path(__file__).parent / "__pycache__", "kernels")


def machine_code_of(function: Callable[..., Any]) -> Any:
    """Have numba compile a function at its first call; the cache holds its machine code.

    The code lies below NUMBA_CACHE_DIR, or by default in __pycache__ beside this file. If that
    cannot be written, kernels are compiled again at each start. C cannot call them: a wrapper for
    that took a tenth of the time.

    References are not counted where a file has `MAKES_ARRAYS = False`:
    its kernels make no arrays, and return none.
    """
    njit: Any = numba.njit  # whose types leave out one of these
    made = njit(nogil=True, no_cfunc_wrapper=True, _nrt=_makes_arrays(function))(function)
    if made is function:  # with numba's compiler off
        # as in machine code: hashes are products modulo 2^64
        return np.errstate(over="ignore")(function)
    made._cache = _MachineCode(function)  # noqa: SLF001 -- numba has no public place for a cache of one's own
    compiler = made._compiler  # noqa: SLF001
    compiler.compile = partial(made._cache.compiled_once, made.targetctx, compiler.compile)  # noqa: SLF001
    return made


class _MachineCode(NullCache):
    """The machine code of one kernel,
    a file for each combination of argument types. Copies of the sources share it.

    numba's own cache raises if its folder cannot be written or a file was cut short.
    This one compiles anew.
    """

    def __init__(self, function: Any) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these argument types; None if it is missing or damaged."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            content = path.read_bytes() if path else b""
        except OSError:
            return None
        if not path or content[:_DIGEST] != _digest(content[_DIGEST:]):
            return None
        try:
            reduced = pickle.loads(content[_DIGEST:])  # noqa: S301 -- `compiled_once` wrote it
        except ImportError:  # of a file that was executed and has changed since
            return None
        return CompileResult._rebuild(target_context, *reduced)  # type: ignore[no-untyped-call]  # noqa: SLF001

    def compiled_once(
        self, target_context: Any, compile_anew: Callable[..., Any], sig: Any, result: Any
    ) -> Any:
        """Compile and store the function for these argument types,
        or load it if another process has compiled it.
        """
        path = self._path(sig, target_context.codegen())
        if not path:
            return compile_anew(sig, result)
        with _locked(path.with_name(f"{path.name}.lock")):
            if loaded := self.load_overload(sig, target_context):
                # As compiling does; else a kernel that calls this one could not be compiled.
                target_context.insert_user_function(
                    loaded.entry_point, loaded.fndesc, [loaded.library]
                )
                return loaded
            made = compile_anew(sig, result)
            content = dumps(made._reduce())  # type: ignore[no-untyped-call]  # noqa: SLF001
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with new_file(path) as new:
                    new.write_bytes(_digest(content) + content)
            except OSError as error:
                _warn(f"{path.parent}: {error.strerror}")
        return made

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """The file of the machine code for these argument types;
        None for a kernel that was changed in memory.
        """
        source = _source(self._function)
        if source is None:
            return None
        versions = codegen.magic_tuple(), numba.__version__, np.__version__, sys.version
        depends_on = sig, *versions, _makes_arrays(self._function), source
        name = f"{_full_name(self._function)}-{_digest(repr(depends_on).encode()).hex()}"
        return machine_code_folder() / name


def _makes_arrays(function: Any) -> bool:
    return bool(function.__globals__.get("MAKES_ARRAYS", True))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lock a file if possible, and remove it at the end.
    A process that has waited for it looks for the result.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked_file(path, wait=True))
            stack.callback(path.unlink, missing_ok=True)
        yield


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


_Source = tuple[str, bytes, tuple[tuple[str, str], ...]]

# each function as it was when a kernel with it was first compiled
_first: dict[FunctionType, _Source] = {}


def _source(kernel: FunctionType) -> list[_Source] | None:
    """The source of a kernel: its code, the values of its globals,
    and the same of the kernels that it calls.

    None if one of them has changed since it was first compiled: this process may hold its old
    machine code. Raises TypeError.
    """
    functions, source = [kernel], []
    for function in functions:  # which grows
        meanings = []
        for name, value in _named(function):
            meaning, called = _meaning(value)
            if not meaning:
                raise TypeError(
                    f"kernel {function.__qualname__!r} names {name!r}, {type(value)}: a kernel may "
                    "name kernels, numbers, texts, tuples of these, numpy, math and their types"
                )
            meanings.append((name, meaning))
            functions += [each for each in called if each not in functions]
        source.append((_full_name(function), _code(function.__code__)[0], tuple(meanings)))
        if _first.setdefault(function, source[-1]) != source[-1]:
            return None
    return source


def _full_name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _named(function: FunctionType) -> list[tuple[str, object]]:
    """The values that a function takes from outside, by name:
    globals, defaults and variables of outer functions.
    """
    names, cells = _code(function.__code__)[1], function.__closure__ or ()
    return [
        *((name, function.__globals__[name]) for name in names if name in function.__globals__),
        *zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True),
        ("defaults", (function.__defaults__ or (), *(function.__kwdefaults__ or {}).items())),
    ]


@cache
def _code(code: CodeType) -> tuple[bytes, list[str]]:
    """A digest of a code object, independent of its file, and the names of the globals in it."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}
    constants: list[object] = []
    for constant in code.co_consts:
        inside = _code(constant) if isinstance(constant, CodeType) else None
        names |= {*inside[1]} if inside else set()
        constants.append(inside or constant)
    parts = (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_cellvars,
        code.co_argcount,
        code.co_flags,
    )
    return _digest(repr(parts).encode()), sorted(names)


def _meaning(value: object) -> tuple[str, list[FunctionType]]:
    """The meaning of a value to a kernel, "" if unknown,
    and the functions that are compiled for it.
    """
    function: Any = unwrap(value)  # type: ignore[arg-type]
    if isinstance(function, FunctionType):
        if function is not value:
            return _full_name(function), [function]  # a kernel
        # which tells numba of this function
        if before := function.__globals__.get("before_compiling"):
            return _full_name(function), [function, before]
    if isinstance(value, bool | int | float | complex | str | bytes | np.generic | None):
        return f"{type(value)} {value!r}", []
    if type(value) is tuple:
        meanings = [*map(_meaning, value)]
        texts = [text for text, _ in meanings]
        return "" if "" in texts else repr(texts), [
            each for _, called in meanings for each in called
        ]
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    if home in _LIBRARIES and isinstance(value, ModuleType | type | BuiltinFunctionType):
        return f"{home} {value.__name__}", []
    return "", []


@cache
def _warn(reason: str) -> None:
    logging.getLogger(__name__).warning(
        "compiled kernels cannot be kept (%s) and are compiled again at each start; "
        "set NUMBA_CACHE_DIR to a folder that can be written",
        reason,
    )

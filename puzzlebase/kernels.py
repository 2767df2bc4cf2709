"""`@kernel`: a function that numba compiles, and a cache of machine code that is never older than its source.

A kernel uses only its own file (a test over the syntax trees holds it), and all machine code lies in a folder whose
name is a hash of every kernel's source. Neither an edit nor an upgrade can run code of an earlier source.
"""

from __future__ import annotations

import hashlib
from functools import cache, update_wrapper
from pathlib import Path
from threading import RLock
from typing import Any

_ROOT = Path(__file__).parent
_MARK = "@kernel\n"


def kernel(function: Any) -> Any:
    """Compile a function when it is first called, without the interpreter lock, and keep its machine code.

    The code lies below NUMBA_CACHE_DIR where that is set, else in __pycache__ beside this file. Where it cannot be
    written, kernels are compiled again at each start.
    """
    return _Kernel(function)


class _Kernel:
    """Stands for a kernel until it is first called, so that numba, half a second, is loaded only by who needs it.

    Kernels call one another by names of their file. So at the first call the compiled functions of the whole file take
    the places of what stood for them. Who holds a `_Kernel` from before can go on calling it.
    """

    def __init__(self, function: Any) -> None:
        update_wrapper(self, function)
        self._function = function
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled function."""
        return (self._compiled or self._compile_file())(*arguments)

    def _compile_file(self) -> Any:
        names = self._function.__globals__
        for name, value in list(names.items()):
            if isinstance(value, _Kernel):
                names[name] = value.compile()
        return self.compile()

    def compile(self) -> Any:
        """The function that numba compiles, once it knows the types of arguments."""
        with _COMPILING:
            if self._compiled is None:
                from puzzlebase.machine_code import compiled  # noqa: PLC0415 -- this is what loads numba

                self._compiled = compiled(self._function)
        return self._compiled


_COMPILING = RLock()


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

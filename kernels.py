"""`@kernel`: a function that numba compiles, and a cache of machine code that is never older than its source.

numba keeps what it has compiled by the file that holds the function, and knows nothing of other files. So a kernel
uses only its own file (a test over the syntax trees holds it), and all machine code lies in a folder whose name is
a hash of every kernel's source. Neither an edit nor an upgrade can run code of an earlier source.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numba

FOLDERS = ("builder", "db", "puzzles", "service")
"""Where kernels are, beside this file."""

_ROOT = Path(__file__).parent
_MARK = "@kernel\n"


def kernel(function: Any) -> Any:
    """Compile a function when it is first called, without the interpreter lock, and keep its machine code.

    The code lies below NUMBA_CACHE_DIR where that is set, else in __pycache__ beside this file.
    """
    config: Any = numba.config
    given = config.CACHE_DIR
    config.CACHE_DIR = str(Path(given or _ROOT / "__pycache__") / f"kernels-{source_hash()}")
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = given


@cache
def source_hash(root: Path = _ROOT) -> str:
    """A hash of the source of every kernel below the folders of `root`, 16 hexadecimal digits."""
    sources = hashlib.blake2b(digest_size=8)
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        text = path.read_text("utf-8")
        if _MARK in text:
            sources.update(path.relative_to(root).as_posix().encode())
            for definition in text.split("\n\n\n"):
                if definition.startswith(_MARK):
                    sources.update(definition.encode())
    return sources.hexdigest()

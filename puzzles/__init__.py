"""The rules of puzzles: all names that a puzzle's own file needs,
and the search for puzzles by name.

They are loaded, with numpy, when the first of them is needed: errors and the help of verbs need
none. Their types are in `__init__.pyi`.
"""

from importlib import import_module
from typing import Any

from puzzlebase import hooks


def __getattr__(name: str) -> Any:
    exports = import_module("puzzlebase.puzzles.exports")
    maker = None if name in vars(exports) else hooks.find("makers", name)
    return maker or getattr(exports, name)

"""The rules of puzzles: all names that a puzzle's own file needs, and the search for puzzles by name.

They are loaded, with numpy, when the first of them is needed: errors and the help of verbs need none.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlebase.puzzles.exports import *  # noqa: F403 -- its names are these
else:

    def __getattr__(name: str) -> Any:
        return getattr(import_module("puzzlebase.puzzles.exports"), name)

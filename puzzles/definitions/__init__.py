"""Puzzles from definition files, as ksolve, twsearch and cubing.js have them: docs/your-own-puzzle.md."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlebase.puzzles._puzzle import Family
from puzzlebase.puzzles.definitions.definition import InvalidDefinition
from puzzlebase.puzzles.definitions.folder import DefinitionFile, files


def families() -> tuple[Family, ...]:
    """A family for each file of the folder that can be read."""
    wrong = unreadable(())
    return tuple(file.family() for file in files() if file.name not in wrong)


def unreadable(ours: Sequence[Family]) -> dict[str, InvalidDefinition]:
    """By name, what is wrong with the other files. Two files of one name are both wrong, and so is a name of `ours`."""
    wrong: dict[str, InvalidDefinition] = {}
    seen: dict[str, DefinitionFile] = {}
    for file in files():
        clash = next((family for family in ours if family.pattern.fullmatch(file.name)), None)
        if clash:
            wrong[file.name] = InvalidDefinition(
                f"{file.path} and our own {clash.title} are both called {file.name!r}", "rename the file"
            )
        elif file.name in seen:
            wrong[file.name] = InvalidDefinition(
                f"{seen[file.name].path} and {file.path} both define {file.name!r}", "rename one of them"
            )
        elif error := file.error:
            wrong[file.name] = error
        seen.setdefault(file.name, file)
    return wrong

"""The commands of a document, what it shows of their output, and how they are run."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from tests.commands import command, printed
from tests.needs import PRESENT, plugin_of

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


class Example(NamedTuple):
    """A command in a document and the output shown under it; "..." stands for anything."""

    command: str
    shown: str


def fenced(document: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def links_lead_somewhere(document: Path) -> bool:
    """True if all files are there that a document links to, and the plugins in whose folders
    they and the document lie can be used; else it speaks of a plugin whose folder is gone.
    """
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text("utf-8"))
    files = [(document.parent / link).resolve() for link in links if "://" not in link]
    return all(file.exists() and plugin_of(file) <= PRESENT for file in [document, *files])


def examples(document: Path, language: str = "console") -> list[Example]:
    found = []
    for block in fenced(document, language):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append(Example(command, shown))
    assert found, f"{document.name} shows no command"
    return found


def assert_shown(example: Example, output: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(example.shown, output, flags), (
        f"$ {example.command}\n{output}"
    )


def run(example: Example, folder: Path, data: Path) -> str:
    program, *words = shlex.split(example.command)
    # else a copy of the tree has its own
    if program == "puzzlebase" and not (folder / "Makefile").exists():
        here = command(data, *words, folder=folder)
        assert here.status in (0, None), here.stdout + here.stderr
        return here.stdout.replace(str(data), "data")
    programs = {
        "puzzlebase": [sys.executable, "-m", "puzzlebase", "--data", str(data)],
        "python": [sys.executable],
    }
    return printed([*programs[program], *words], folder).replace(str(data), "data")

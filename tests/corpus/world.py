"""The puzzles of the corpus: files of its own,
what `tables.txt` has built of them, and a published folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

from puzzlebase.puzzles import discovery
from tests.commands import command

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


class Built(NamedTuple):
    """A line of `tables.txt`: the puzzle, its goal unless it is the first,
    other options, and states to ask about.
    """

    name: str
    goal: str | None
    options: tuple[str, ...]
    states: tuple[str, ...]

    @property
    def published(self) -> bool:
        """True for a table of the first goal, if a page can have it."""
        return not self.options and self.name not in {"dial", "dead-dial", "rings"}


def built() -> Iterator[Built]:
    """What is built, in its order."""
    for line in (HERE / "tables.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            words, _, states = line.partition(" | ")
            name, *options = words.split()
            goal = options[1] if options[:1] == ["--goal"] else None
            yield Built(name, goal, tuple(options), tuple(states.split()))


@contextmanager
def world(tables: Sequence[Built], *, published: bool = True) -> Iterator[Path]:
    """Make the tables in a temporary folder; meanwhile the environment names its puzzles."""
    with TemporaryDirectory() as name, mock.patch.dict(os.environ):
        folder = Path(name).resolve()
        copytree(HERE / "puzzles", folder / "puzzles")
        copytree(HERE / "rules", folder / "rules")
        for example in ("frogs.py", "leaping.py"):
            copy(EXAMPLES / example, folder / "rules")
        os.environ["PUZZLEBASE_DATA"] = str(folder / "data")
        os.environ["PUZZLEBASE_PUZZLES"] = str(folder / "puzzles")
        os.environ["PUZZLEBASE_RULES"] = ":".join(map(str, sorted(folder.glob("rules/*.py"))))
        os.environ["PUZZLEBASE_PATTERN_MEMORY"] = "20000"
        discovery.forget()
        for each in tables:
            _succeed(folder, "build", each.name, *each.options)
        if published:
            _succeed(
                folder, "publish", *(each.name for each in tables if each.published), "published"
            )
        whole = (folder / "data" / "panex-2.duckdb").read_bytes()
        (folder / "data" / "panex-1.duckdb").write_bytes(whole[:60_000])  # a damaged file
        yield folder
    discovery.forget()


def _succeed(folder: Path, *words: str) -> None:
    done = command(folder / "data", *words, folder=folder)
    assert done.status in (0, None), (words, done.stderr)

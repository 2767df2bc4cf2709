"""A picture of the site: the file, what it shows, and the command that writes the same file again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file of the site and the words behind `puzzlebase` that write or print the same bytes."""

    name: str
    content: bytes
    words: Sequence[str]

    @property
    def command(self) -> str:
        """The words as one types them."""
        return shlex.join(["puzzlebase", *self.words])


@dataclass(frozen=True)
class Figure:
    """A picture, what it is in words, and what it rests on.

    Attributes:
        picture: the file.
        label: what it shows, for those who do not see it.
        caption: the same with what was found, for all. It may be empty.
        numbers: its numbers as CSV, where it is a chart of a query.
        query: the SQL behind it, as it can be asked.
    """

    picture: File
    label: str
    caption: str = ""
    numbers: File | None = None
    query: str = ""


@dataclass(frozen=True)
class Section:
    """Figures under one heading, with a sentence or two before them. `commands` print what these say."""

    id: str
    title: str
    text: str
    figures: Sequence[Figure]
    commands: Sequence[str] = ()
    small: bool = False
    """Whether its figures are states, which need less room than charts."""

    def files(self) -> Iterator[File]:
        """Every file of it."""
        for figure in self.figures:
            yield figure.picture
            if figure.numbers:
                yield figure.numbers

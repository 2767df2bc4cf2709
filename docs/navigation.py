"""The README's list of documents: the parts of it, and the pages of each part."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")
_PART = re.compile(r"^\*\*([^*]+)\.\*\* (.+?)\n$", re.DOTALL | re.MULTILINE)


class Page(NamedTuple):
    """A document in the list, and its path from the project's root."""

    title: str
    path: str


def parts() -> dict[str, list[Page]]:
    """The pages of each part of the list, by the part's title.
    A link to a place within a page is not among them.
    """
    return {
        title: [_page(words, path) for words, path, place in LINK.findall(links) if not place]
        for title, links in _PART.findall(README.read_text("utf-8"))
    }


def _page(words: str, path: str) -> Page:
    title = " ".join(words.split())
    return Page(title[0].upper() + title[1:], path)

"""The documents read easily: each has a least Flesch reading ease, and no sentence is longer than 40 words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pyphen
import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FIRST = ("README", "docs/games", "docs/page", "docs/python", "docs/command-line", "docs/operating")
LEAST = dict.fromkeys((ROOT / f"{name}.md" for name in FIRST), 85)
LEAST_ELSEWHERE = 75
"""Flesch's plain English begins at 60. These are what the documents have reached."""
MOST_WORDS, MOST_WORDS_ON_AVERAGE = 40, 25


class Read(NamedTuple):
    """The sentences of a document's paragraphs, and those of its tables, where one cell may be a few words."""

    prose: list[str]
    cells: list[str]


def read(document: Path) -> Read:
    found = Read([], [])
    tokens = MarkdownIt().enable("table").parse(document.read_text("utf-8"))
    for opening, token in pairwise(tokens):
        if token.type == "inline" and opening.type in {"paragraph_open", "td_open"}:
            text = "".join(
                {"text": part.content, "code_inline": "X", "softbreak": " "}.get(part.type, "")
                for part in token.children or ()
            )
            (found.prose if opening.type == "paragraph_open" else found.cells).extend(sentences(text))
    return found


def sentences(text: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.!?:])[)\"]?\s+(?=[A-Z0-9(\"])", text):
        if words(sentence):
            yield sentence


def words(text: str) -> list[str]:
    return re.findall(r"\w[\w'.,^/-]*", text)


def reading_ease(prose: list[str]) -> float:
    """Flesch, A new readability yardstick, Journal of Applied Psychology 32, 1948."""
    hyphens = pyphen.Pyphen(lang="en_US")
    written = [word for sentence in prose for word in words(sentence)]
    syllables = sum(len(hyphens.positions(word)) + 1 for word in written)
    return 206.835 - 1.015 * len(written) / len(prose) - 84.6 * syllables / len(written)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_a_document_reads_easily(document: Path) -> None:
    prose, cells = read(document)
    assert sum(len(words(sentence)) for sentence in prose) / len(prose) <= MOST_WORDS_ON_AVERAGE
    assert reading_ease(prose) >= LEAST.get(document, LEAST_ELSEWHERE)
    assert not [sentence for sentence in prose + cells if len(words(sentence)) > MOST_WORDS]

"""A page of HTML, read as a browser does."""

from __future__ import annotations

import shlex
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "hr", "img", "input", "wbr"}


class Page(HTMLParser):
    """The elements of a page;
    raises AssertionError for an element that is not closed in its place.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.described: list[str] = []
        self.files: list[str] = []
        self.cells: list[str] = []
        self.code: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.described += (given.get("aria-labelledby") or given.get("for") or "").split()
        assert "style" not in given
        assert not any(name.startswith("on") for name in given)
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag in ("link", "img", "script"):
            self.files.append(given.get("href") or given["src"] or "")
        if tag == "img":
            assert given["alt"] is not None
        if tag in ("dt", "dd"):
            self.cells.append("")
        if tag == "code":
            self.code.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content, of a picture."""

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        self.texts.append(data)
        if self.cells and {"dt", "dd"} & set(self.open):
            self.cells[-1] += data.strip()
        if "code" in self.open:
            self.code[-1] += data

    def commands(self, program: str = "curl") -> list[list[str]]:
        """The words of every command of a program that is shown, without its name."""
        lines = [
            line
            for code in self.code
            for line in code.splitlines()
            if line.startswith(program + " ")
        ]
        return [shlex.split(line)[1:] for line in lines]

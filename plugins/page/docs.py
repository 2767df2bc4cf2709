"""The page /docs, which is docs/http-api.md with the kinds of problems."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint
from markdown_it import MarkdownIt
from markupsafe import Markup
from werkzeug.wrappers import Response

from puzzlebase.plugins.page import pages
from puzzlebase.service.error_status import EVERY_KIND

DOCS = Blueprint("docs", __name__, template_folder="templates")

_REFERENCE = Path(__file__).parent / "templates" / "http-api.md"
# a link to another document, which a service lacks
_ELSEWHERE = re.compile(r"\[([^]]*)\]\((?!#)[^)]*\)")
_NOT_IN_ANCHORS = re.compile(r"[^\w -]")


class Heading(NamedTuple):
    """A heading of the reference."""

    text: str
    anchor: str


@DOCS.get("/docs")
def docs() -> Response:
    """The page."""
    headings, text = _reference()
    return pages.page("docs.html", "", headings=headings, text=text, kinds=EVERY_KIND)


@cache
def _reference() -> tuple[list[Heading], Markup]:
    """The headings of its parts, and its text as HTML, with the anchors that its links name."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_ELSEWHERE.sub(r"\1", _REFERENCE.read_text("utf-8")))
    headings = []
    anchors = set[str]()
    for begin, inside in pairwise(tokens):
        if begin.type == "heading_open":
            heading = Heading(
                inside.content, _NOT_IN_ANCHORS.sub("", inside.content.lower()).replace(" ", "-")
            )
            if heading.anchor not in anchors:
                begin.attrSet("id", heading.anchor)
            anchors.add(heading.anchor)
            if begin.tag == "h2":
                headings.append(heading)
    return headings, Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 -- our own document

"""The page /docs: docs/http-api.md and docs/http-types.md, with the kinds of problems."""

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

_REFERENCE = [Path(__file__).parent / "templates" / f"http-{name}.md" for name in ("api", "types")]
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
    page, types = (path.read_text("utf-8") for path in _REFERENCE)
    _, part, fields = types.partition("## Types\n")
    text = f"{page}\n{part}{fields}".replace("(http-types.md#", "(#")
    tokens = parser.parse(_ELSEWHERE.sub(r"\1", text))
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

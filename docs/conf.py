"""Sphinx: a site of all documents, by `make docs-site`.
The README gives its navigation; no list stands here.
"""

import re
from typing import Any

from docs.navigation import LINK, ROOT, parts
from puzzlebase.version import VERSION

project = "Puzzlebase"
root_doc = "README"
include_patterns = [
    "*.md",
    "docs/**.md",
    "plugins/*/README.md",
    "puzzles/families/*/README.md",
    "research/**.md",
    "benchmarks/RESULTS.md",
]
extensions = ["myst_parser"]
myst_heading_anchors = 6
suppress_warnings = ["misc.highlighting_failure"]  # in answers that are shown with "..."
html_theme = "furo"
html_title = f"Puzzlebase {VERSION}"
html_favicon = "../page/static/icon.svg"
html_copy_source = html_show_sphinx = html_use_index = False

_PAGES_OF = {"docs/decisions/README": "[0-9]*", "research/README": "*/README"}
"""The pages below a page, of which the navigation in the README names the first alone."""


def adapt(app: Any, name: str, source: list[str]) -> None:
    """Append the navigation where it begins,
    and leave the text alone of links to files that are no documents.

    A link to a file that is not there stays a link, which Sphinx then names.
    """
    folder = (ROOT / name).parent

    def document(path: str) -> str | None:
        return app.project.path2doc((folder / path).resolve()) if path.endswith(".md") else None

    if name == root_doc:
        for title, pages in parts().items():
            entries = "\n".join(f"{page.title} </{document(page.path)}>" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"
    elif name in _PAGES_OF:
        source[0] += f"\n```{{toctree}}\n:glob:\n:titlesonly:\n\n{_PAGES_OF[name]}\n```\n"

    def shown(link: re.Match[str]) -> str:
        there = (folder / link[2]).exists() and document(link[2]) not in app.project.docnames
        return link[1] if there else link[0]

    source[0] = LINK.sub(shown, source[0])


def setup(app: Any) -> None:
    """Connect what this file adds."""
    app.connect("source-read", adapt)

"""Sphinx: a site of all documents, by `make docs-site`.
The README gives its navigation; no list stands here.
"""

import re
from pathlib import Path
from typing import Any

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
_ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)")
_PART = re.compile(r"^\*\*([^*]+)\.\*\* (.+?)\n$", re.DOTALL | re.MULTILINE)


def adapt(app: Any, name: str, source: list[str]) -> None:
    """Append the navigation where it begins,
    and leave the text alone of links to files that are no documents.

    A link to a file that is not there stays a link, which Sphinx then names.
    """
    folder, text = (_ROOT / name).parent, source[0]

    def document(path: str) -> str | None:
        return app.project.path2doc((folder / path).resolve()) if path.endswith(".md") else None

    if name == root_doc:
        for title, links in _PART.findall(text):
            pages = [
                (" ".join(words.split()), path)
                for words, path, anchor in _LINK.findall(links)
                if not anchor
            ]
            entries = "\n".join(
                f"{words[0].upper()}{words[1:]} </{document(path)}>" for words, path in pages
            )
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"
    elif name in _PAGES_OF:
        source[0] += f"\n```{{toctree}}\n:glob:\n:titlesonly:\n\n{_PAGES_OF[name]}\n```\n"

    def shown(link: re.Match[str]) -> str:
        there = (folder / link[2]).exists() and document(link[2]) not in app.project.docnames
        return link[1] if there else link[0]

    source[0] = _LINK.sub(shown, source[0])


def setup(app: Any) -> None:
    """Connect what this file adds."""
    app.connect("source-read", adapt)

"""Writes llms.txt, the list of documents in the form of https://llmstxt.org, from the README:
`make docs`.
"""

from __future__ import annotations

import re

from docs.navigation import README, ROOT, Page, parts

LIST = ROOT / "llms.txt"
_PARAGRAPH = re.compile(r"\n\n(?=[A-Z*`])(.+?)\n\n", re.DOTALL)
_LINK_TEXT = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def written() -> str:
    """The whole file: a heading, what the project is, and each page with its first sentence.
    Pages of a plugin that has been taken away are left out.
    """
    lines = ["# Puzzlebase", "", f"> {_first_paragraph(README.name)}"]
    for title, pages in parts().items():
        present = [page for page in pages if (ROOT / page.path).exists()]
        lines += ["", f"## {title}", "", *map(_line, present)]
    return "\n".join(lines) + "\n"


def _line(page: Page) -> str:
    sentence, end, _ = _first_paragraph(page.path).partition(". ")
    return f"- [{page.title}]({page.path}): {sentence}{end.strip()}"


def _first_paragraph(path: str) -> str:
    """The first paragraph of a document, in one line, without marks."""
    paragraph = _PARAGRAPH.search((ROOT / path).read_text("utf-8") + "\n\n")
    assert paragraph, f"{path} has a paragraph"
    words = _LINK_TEXT.sub(r"\1", paragraph[1]).replace("**", "")
    return " ".join(words.split())


if __name__ == "__main__":
    LIST.write_text(written(), "utf-8")

"""The words of docs/architecture.md, in place of those that they replaced; and the beginnings of docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

REPLACED = {
    r"coarser": "abstraction, or pattern",
    r"spill(s|ed|ing)?": "journal",
    r"refuted": "transposition table",
    r"(states )?as they are met": "on-the-fly state space",
    r"le(t|ts|tting)[ _]go": "free, drop, or close",
    r"whence": "origin",
    r"room for memory": "memory, or budget",
}
"""Patterns of words that are written nowhere, and what is written in their place."""

NAMES = {
    "census": "histograms",
    "guest": "client",
    "head": "header, or first",
    "kept": "cached, or stored",
    "leaves": "dropped",
    "room": "memory, or capacity",
    "said": "reported, or a header's fields",
    "twin": "reference implementation",
    "way": "path, or kind",
}
"""Names that nothing of the package has, and what such a thing is called."""

GRAPHS = {"link": "edge, or move", "links": "edges", "node": "vertex, or state", "nodes": "vertices"}
GRAPH_FOLDERS = ("builder/", "db/", "puzzles/engines/", "service/sources/", "tools/hardest/", "tools/mixing/")
"""Names that nothing of a state graph has. Elsewhere are the nodes of automata and of decision diagrams."""

QUESTIONS = r"(What|How|Whether|Where|Which|When|That|Those|Who|Why)\b"
"""Words that no docstring begins with: it begins with a verb in the imperative, or names the thing."""

MOST_WORDS = 40
"""The longest sentence, as in the documents (test_reading_ease.py)."""

FIELDS = {
    "tools/check/verb.py": {"coarser"},
}
"""Names in answers, which stay."""


def test_replaced_words_are_written_nowhere() -> None:
    words = re.compile(rf"(?<![a-zA-Z])({'|'.join(REPLACED)})(?![a-zA-Z])", re.IGNORECASE)
    found = []
    for path in written():
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found += [
                f"{name}:{number}: {word[0]}, in place of {meant(word[0])}"
                for word in words.finditer(line)
                if word[0] not in FIELDS.get(name, ())
            ]
    assert not found, "\n".join(found)


def test_replaced_names_are_given_to_nothing_in_the_package() -> None:
    found = []
    for path in written():
        place = path.relative_to(ROOT).as_posix()
        names = NAMES | GRAPHS if place.startswith(GRAPH_FOLDERS) else NAMES
        if path.suffix == ".py":
            found += [
                f"{place}:{line}: {name}, in place of {names[name]}"
                for line, name in given(path).names
                if name in names
            ]
    assert not found, "\n".join(found)


def test_one_class_has_one_name() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for path in written():
        place = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py" and not place.startswith(("tests/", "benchmarks/", "docs/", "examples/")):
            for name in given(path).classes:
                files[name].add(place)
    assert len(files) > 400
    assert not {name: places for name, places in files.items() if len(places) > 1}


def test_docstrings_begin_with_their_subject() -> None:
    beginnings = re.compile(rf'^\s*r?"""{QUESTIONS}.*', re.MULTILINE)
    found = []
    for path in written():
        if path.suffix == ".py":
            text = path.read_text("utf-8")
            found += [f"{path.relative_to(ROOT)}: {begun[0].strip()}" for begun in beginnings.finditer(text)]
    assert not found, "\n".join(found)


def test_no_sentence_of_a_docstring_or_of_a_message_is_long() -> None:
    found = []
    for path in written():
        place = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py":
            messages = [] if place.startswith("tests/") else given(path).messages
            found += [
                f"{place}:{line}: {sentence}"
                for line, text in given(path).docstrings + messages
                for sentence in sentences(text)
                if len(re.findall(r"\w[\w'.,^/-]*", sentence)) > MOST_WORDS
            ]
    assert not found, "\n".join(found)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text; an entry of a list, which is indented, ends the one before."""
    entries = re.split(r"\n\s*\n|\n {4}(?=\S)|\n(?=- )|\n(?=\S+ {3})", inspect.cleandoc(text))
    for entry in entries:
        yield from re.split(r"(?<=[.!?:])[)\"]?\s+(?=[A-Z0-9(\"`*])", entry)


class Given(NamedTuple):
    """The lines of a file with replaced names, its classes, its docstrings, and its other texts of one line."""

    names: list[tuple[int, str]]
    classes: list[str]
    docstrings: list[tuple[int, str]]
    messages: list[tuple[int, str]]


@cache
def given(path: Path) -> Given:
    """Read a file once; no tree is stored."""
    found = Given([], [], [], [])
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for field in ("id", "arg", "attr", "name"):
            name = str(getattr(node, field, "")).strip("_").lower()
            if name in NAMES or name in GRAPHS:
                found.names.append((getattr(node, "lineno", 0), name))
        if isinstance(node, ast.ClassDef):
            found.classes.append(node.name)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.docstrings.append((node.lineno, node.value.value))
        elif isinstance(node, ast.JoinedStr | ast.Constant):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)
            if "\n" not in text:
                found.messages.append((node.lineno, text))
    return found


def meant(word: str) -> str:
    """The term in place of a word."""
    return next(term for pattern, term in REPLACED.items() if re.fullmatch(pattern, word, re.IGNORECASE))


def written() -> list[Path]:
    """Our texts: programs, pages and documents. The changelog says what was, and this file what is not."""
    kinds = ("*.py", "*.md", "*.js", "*.html", "*.css", "*.sql", "Makefile", "*.toml", "*.ipynb")
    listed = subprocess.run(
        ["git", "ls-files", "-z", *kinds, ":!CHANGELOG.md", ":!tests/test_words.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    assert len(paths) > 500
    return [path for path in paths if path.is_file()]

"""`make size`: tokens of the project's Python beside their limits;
`python -m tests.size COMMIT` counts a commit.

A token is one of Python 3.11's tokenizer. Comments, docstrings, line ends and indentation count
nothing, so nobody saves by leaving a comment out or by squeezing two statements into a line. An
expression inside an f-string counts by its syntax tree. A string of more than 80 characters counts
one for each 8.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMITS = {"core": 115_000, "package": 300_000, "all but tests": 330_000, "tests": 250_000}
"""Tokens. No change raises one: what needs more takes something away first."""
CORE = {"builder", "db", "puzzlebase", "puzzles", "service"}
CORE_FAMILIES = {"__init__", "sliding", "wheels"}
FAMILIES = Path("puzzles", "families")
PLUGINS = {"plugins"}
KIT = Path("puzzlebase", "testing")
"""The laws that authors of plugins run over theirs."""

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_OPENS, _CLOSES = (getattr(tokenize, f"FSTRING_{end}", None) for end in ("START", "END"))
"""The ends of an f-string, which is one token before Python 3.12."""
_LONG, _PER_TOKEN = 80, 8


def families() -> set[str]:
    """The families that are plugins."""
    paths = (ROOT / FAMILIES).iterdir()
    return (
        {path.stem for path in paths if path.suffix in {"", ".py"}}
        - CORE_FAMILIES
        - {"__pycache__"}
    )


def plugins() -> set[str]:
    """The plugins in the folder plugins/."""
    return {path.name for path in (ROOT / "plugins").iterdir() if path.is_dir()} - {"__pycache__"}


def tokens(source: str) -> int:
    """The tokens of a file."""
    docstrings = set[tuple[int, int]]()
    count = 0
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            docstrings.add((node.lineno, node.col_offset))
        elif isinstance(node, ast.FormattedValue):
            count += sum(isinstance(part, ast.expr) for part in ast.walk(node.value))
    for start, length in _words(source):
        if start not in docstrings:
            count += length // _PER_TOKEN if length > _LONG else 1
    return count


def _words(source: str) -> Iterator[tuple[tuple[int, int], int]]:
    """The line and column of each token, and the characters of a string; 0 of others."""
    begins = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    opened = list[tuple[int, int]]()
    for word in tokenize.generate_tokens(io.StringIO(source).readline):
        if word.type == _OPENS:
            opened.append(word.start)
        start = opened[0] if opened else word.start
        if word.type == _CLOSES:
            opened.pop()
        if not opened and word.type not in _LAYOUT:
            characters = begins[word.end[0] - 1] + word.end[1] - begins[start[0] - 1] - start[1]
            yield start, characters if word.type in {tokenize.STRING, _CLOSES} else 0


def part(file: Path) -> str:
    """The part to which a file belongs, given by its path in the repository:
    core, plugins, kit, tests or other.
    """
    first, *others = file.parts
    if "tests" in file.parts[:-1] or (others and file.name.startswith("test_")):
        return "tests"
    if file.with_suffix("").is_relative_to(KIT):
        return "kit"
    family = (
        file.is_relative_to(FAMILIES) and file.parts[2].removesuffix(".py") not in CORE_FAMILIES
    )
    if family or first in PLUGINS or file.is_relative_to("plugins/definitions"):
        return "plugins"
    return "core" if first in CORE else "other"


def sources(root: Path, commit: str | None) -> Iterator[tuple[Path, str]]:
    """The Python files that git holds, links aside,
    as they are or in a commit; by their paths in the repository.
    """

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            encoding="utf-8",
        ).stdout

    listed = git("ls-tree", "-rz", commit) if commit else git("ls-files", "-sz")
    for entry in filter(None, listed.split("\0")):
        facts, _, name = entry.partition("\t")
        if name.endswith(".py") and not facts.startswith("120000"):
            if commit:
                yield Path(name), git("cat-file", "blob", facts.split()[2])
            elif (root / name).is_file():
                yield Path(name), (root / name).read_text("utf-8")


def counted(root: Path = ROOT, commit: str | None = None) -> dict[str, int]:
    """Tokens of each part and of the sums that have limits."""
    parts = Counter[str]()
    for file, source in sources(root, commit):
        parts[part(file)] += tokens(source)
    package = parts["core"] + parts["plugins"]
    return parts | {"package": package, "all but tests": package + parts["kit"] + parts["other"]}


def report(sizes: dict[str, int]) -> str:
    """The table that `make size` prints."""
    limits = {name: f" of {limit:,}" for name, limit in LIMITS.items()}
    return "\n".join(
        f"{name:13} {size:9,} tokens{limits.get(name, '')}" for name, size in sorted(sizes.items())
    )


if __name__ == "__main__":
    print(report(counted(commit=sys.argv[1] if sys.argv[1:] else None)))  # noqa: T201

"""Find out which of the changes in places.tsv the tests find:
`make mutants`. README.md says more.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from puzzlebase.plugins.small_graphs import small_graph_search
from tests.size import ROOT, sources
from tests.test_imports import imported

PLACES, RESULTS = (Path(__file__).with_name(name) for name in ("places.tsv", "results.tsv"))
CLONE = ROOT / "build" / "mutants" / "tree"
TESTS = "tests", "plugins", "puzzles", "research"
FIXTURES = {CLONE / "tests" / "fixtures.py"}
MARKS = "not matrix", "matrix"
"""The tests of `make test`, and those that `make test-all` runs besides."""
SECONDS = 100
"""Seconds after which no further file of tests begins; a place whose number is given goes on."""
MEMORY = 8 << 30
"""Bytes of data of each process that runs tests."""
LONGEST, UNCHANGED = 40, 20
"""The processor's seconds for a file of tests;
and for the same unchanged, where a time-out is to count as found.
"""
HANGS = 900
"""Seconds after which tests are ended that may no longer need the processor."""


class Place(NamedTuple):
    """A line of a function, unlike all others of its file,
    and its change; and why no answer can be another, if so.
    """

    number: str
    file: str
    function: str
    before: str
    after: str
    equivalent: str


def rows(path: Path) -> list[list[str]]:
    """The rows of a table without its heading."""
    return [line.split("\t") for line in path.read_text("utf-8").split("\n")[1:] if line]


def find(place: Place) -> tuple[Path, int] | None:
    """The file of a place, its own or the only one that has the line,
    and the line from 0; None if it is gone.
    """
    own = CLONE / place.file
    texts = [(Path(place.file), own.read_text("utf-8"))] if own.is_file() else []
    for files in texts, sources(CLONE, None):
        lines = ((file, *line) for file, text in files for line in enumerate(text.split("\n")))
        found = [(file, at) for file, at, line in lines if line.strip() == place.before]
        if len(found) == 1:
            return found[0]
    return None


@cache
def files_imported(file: Path) -> set[Path]:
    """The files of ours that a file imports."""
    names = (name.replace(".", "/") for name in imported(file))
    paths = (
        folder / f"{name}{end}"
        for name in names
        for folder in (CLONE, file.parent)
        for end in (".py", "/__init__.py")
    )
    return {path.resolve() for path in paths if path.is_file()}


@cache
def steps(test: Path) -> dict[Path, int]:
    """The files that a file of tests imports, and over how many imports."""
    found = dict[Path, int]()
    for file, before in small_graph_search([test], lambda file: files_imported(file) | FIXTURES):
        found[file] = found.get(before, -1) + 1
    return found


def tests_of(file: Path) -> list[Path]:
    """The files of tests, the nearest first: by imports,
    and by words of their paths. Families are discovered.
    """

    def words(path: Path) -> set[str]:
        return {*re.findall("[a-z]{4,}", str(path.relative_to(CLONE)))} - {
            "init",
            "service",
            "puzzles",
            "families",
            "plugins",
        }

    def place(test: Path) -> tuple[int, str]:
        return steps(test).get(file, 9) - 3 * len(words(file) & words(test)), str(test)

    tests = (test for folder in TESTS for test in (CLONE / folder).rglob("test_*.py"))
    return sorted(tests, key=place)


def run(tests: str, marks: str, seconds: int) -> tuple[str, str]:
    """Run the tests of these marks until one fails:
    passed, found or time-out, and the test that failed.
    """
    limits = ["prlimit", f"--data={MEMORY}", f"--cpu={seconds}", "timeout", "-k5", str(HANGS)]
    words = [*limits, ".venv/bin/python", "-m", "pytest", "-x", "-n0", "-m", marks, tests]
    output = CLONE / "output"
    with output.open("w") as file:
        done = subprocess.run(
            words, cwd=CLONE, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False
        )
    failed = re.search(
        r"^(?:FAILED|ERROR) (.+?)( - |$)", output.read_text("utf-8", "replace"), re.MULTILINE
    )
    verdicts = {0: "passed", 5: "passed", -9: "time-out", 124: "time-out", 137: "time-out"}
    return verdicts.get(done.returncode, "found"), failed[1] if failed else tests


@cache
def passes_unchanged(tests: str, marks: str) -> bool:
    """True if tests pass without a change, in good time."""
    return run(tests, marks, UNCHANGED)[0] == "passed"


def tried(place: Place, done: int) -> tuple[str, str, str, int]:
    """The verdict, the test, its marks, and the number of files of tests run on a changed line,
    after those done before.
    """
    found = find(place)
    if not found:
        return "gone", "", "", 0
    file, at = CLONE / found[0], found[1]
    source = file.read_text("utf-8")
    lines = source.split("\n")
    lines[at] = lines[at].replace(place.before, place.after)
    tests = tests_of(file)[done:]
    end = monotonic() + SECONDS
    for test in tests:
        if monotonic() > end:
            break
        done += 1
        for marks in MARKS:
            file.write_text("\n".join(lines), "utf-8")
            verdict, by = run(str(test.relative_to(CLONE)), marks, LONGEST)
            file.write_text(source, "utf-8")
            if verdict != "passed" and passes_unchanged(by.split("[")[0], marks):
                return verdict, by, marks, done
    return "not found", "", "", done


def main(*numbers: str) -> None:
    """Try these places, or all that have no result yet and are not equivalent,
    in a clone with an environment.
    """
    if not CLONE.exists():
        subprocess.run(["git", "clone", "-q", "--shared", ROOT, CLONE], check=True, timeout=600)
        subprocess.run(["make", "-C", CLONE, ".venv/npm"], check=True, timeout=3000)
    subprocess.run(["git", "-C", CLONE, "checkout", "-q", "."], check=True, timeout=600)
    os.environ["NUMBA_CACHE_DIR"] = str(CLONE / "build")
    ran = {number: int(files) for number, *_, files in rows(RESULTS)}
    for place in (Place(*row) for row in rows(PLACES)):
        if place.number in numbers or not (numbers or place.number in ran or place.equivalent):
            result = map(str, (place.number, *tried(place, ran.get(place.number, 0))))
            with RESULTS.open("a", encoding="utf-8") as lines:
                print(*result, sep="\t", file=lines)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""README.md, what takes minutes of it: `python -m tests.proofs.readme`,
at the end of a `make proof` of all puzzles.

The 3x3x3 is built in an empty folder with nothing but our examples, and random cubes are solved
there. The numbers of states and God's numbers in the README's list are those of the tables.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import click

from puzzlebase.plugins.definitions.tests.small_definitions import EXAMPLES, definitions_from
from puzzlebase.puzzles import find
from puzzlebase.service.sources.sources import Sources

README = Path(__file__).parents[2] / "README.md"
_CUBES = 2
_SECONDS = 3600  # for each


def numbers(tables: Sources) -> Iterator[str]:
    """Compare the README's list with the tables that are there; raises AssertionError."""
    rows = re.findall(
        r"^\| `([\w-]+)` \|.*\| ([\d,]+) \| (\d+)", README.read_text("utf-8"), re.MULTILINE
    )
    for name, states, gods_number in rows:
        if (tables.folder.data / f"{name}.duckdb").exists():
            info = tables.table(name).table.info
            assert (f"{info.states:,}", info.gods_number) == (states, int(gods_number)), name
            yield f"{name}: {states} states and God's number {gods_number}, as README.md has them"


def cubes(folder: Path) -> Iterator[str]:
    """Build the 3x3x3 in an empty folder and solve random cubes;
    raises AssertionError, and CalledProcessError.
    """
    (folder / "examples").symlink_to(EXAMPLES)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PUZZLEBASE_")
    }
    environment |= {"XDG_DATA_HOME": str(folder / "own"), "PYTHONPATH": str(README.parent)}

    def puzzlebase(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "puzzlebase", "--puzzles", "examples", *words]
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=2 * _SECONDS,
        )

    began = monotonic()
    puzzlebase("build", "3x3x3")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    (table,) = folder.rglob("3x3x3~p1.duckdb")
    (mapped,) = folder.rglob("*.distances")
    assert table.stat().st_size // 10**6 == 661
    assert mapped.stat().st_size < 1.7e9
    yield (
        f"3x3x3: built in {monotonic() - began:.0f} s with {memory / 1e9:.1f} GB of memory, in "
        "an empty folder"
    )
    for seed in map(str, range(_CUBES)):
        state = json.loads(
            puzzlebase("random", "3x3x3", "--seed", seed, "--max-seconds", "0", "--json").stdout
        )["state"]
        began = monotonic()
        done = puzzlebase("solve", "3x3x3", state, "--max-seconds", str(_SECONDS), "--json")
        solved = json.loads(done.stdout)
        assert (done.stderr, solved["exact"], len(solved["solution"])) == (
            "",
            True,
            solved["distance"],
        )
        assert 15 <= solved["distance"] <= 20
        with definitions_from(EXAMPLES):
            cube = find("3x3x3")
            assert reduce(cube.play, solved["solution"], state) in cube.goal().states
        yield (
            f"  a random cube is {solved['distance']} moves from solved, found in "
            f"{monotonic() - began:.0f} s"
        )


def prove(data: Path) -> None:
    """Prove the words of README.md that take minutes, with the tables in a folder."""
    with TemporaryDirectory() as folder:
        for line in chain(numbers(Sources(data)), cubes(Path(folder))):
            click.echo(line)


if __name__ == "__main__":
    prove(Path("data"))

"""A published table gives the service's answers to the letter:
`python -m tests.proofs.published [PUZZLE]`.

100,000 random states are looked up in Chromium and by the service's own functions, and 1,000 random
games graded. `make proof` leaves this out: it needs the browser that `make test` installs. The
table is built unless it is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np
from playwright.sync_api import Page

from puzzlebase.builder import Reporter, TableJob
from puzzlebase.plugins.publish.publishing import publish
from puzzlebase.puzzles import find
from puzzlebase.service.answers import grades, lookups
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.browser.chromium import browser
from tests.browser.hosts import hosting

_TOGETHER = 500
_LONGEST = 30  # moves of a game
_BEST = 0.6  # of them that are the best ones
_ASK = """async ([name, method, cases]) => {
    globalThis.puzzles ??= {};
    puzzles[name] ??= import("/puzzlebase.js").then(({ table }) => table(`/${name}`));
    const puzzle = await puzzles[name];
    const found = [];
    for (const given of cases) found.push(JSON.stringify(await puzzle[method](...given)));
    return found;
}"""
Case = tuple[list[Any], Any]
"""The arguments of a method, and the service's answer."""


def compare(source: OpenTable, page: Page, states: int, games: int) -> int:
    """Compare so many lookups and games with those in a page of a host;
    returns the number of moves in the games.
    """
    random = np.random.default_rng(43)
    _compare(page, source, "lookup", _lookups(source, random, states))
    graded = [*_games(source, random, games)]
    _compare(page, source, "grade", iter(graded))
    return sum(len(given[1]) for given, _ in graded)


def _compare(page: Page, source: OpenTable, method: str, cases: Iterator[Case]) -> None:
    while some := [case for case, _ in zip(cases, range(_TOGETHER), strict=False)]:
        found = page.evaluate(_ASK, [source.puzzle.name, method, [given for given, _ in some]])
        for (given, wanted), answer in zip(some, found, strict=True):
            assert json.loads(answer) == json.loads(json.dumps(wanted)), (method, given)


def _texts(source: OpenTable, random: np.random.Generator, count: int) -> list[str]:
    indices = random.integers(source.space.size, size=count)
    return [source.puzzle.format(board) for board in source.space.unrank(indices)]


def _lookups(source: OpenTable, random: np.random.Generator, count: int) -> Iterator[Case]:
    for text in _texts(source, random, count):
        yield [text], lookups.lookup(source, text)


def _games(source: OpenTable, random: np.random.Generator, count: int) -> Iterator[Case]:
    """Games of best moves and others, some of them with hints and stars of their own."""
    for text in _texts(source, random, count):
        moves: list[str] = []
        state = text
        for _ in range(random.integers(_LONGEST + 1)):
            listed = lookups.lookup(source, state)["moves"]
            move = listed[0 if random.random() < _BEST else random.integers(len(listed))]
            moves.append(move["move"])
            state = move["state"]
        shown = random.integers(1, 5, random.integers(3)).tolist()
        options: dict[str, Any] = {"hints": shown}
        if random.random() < _BEST:
            options["stars"] = sorted(random.integers(0, 10, 3).tolist())
        yield [text, moves, options], grades.grade(source, text, moves=moves, **options)


@click.command()
@click.argument("name", metavar="[PUZZLE]", default="avenger")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    show_default=True,
)
@click.option("--states", default=100_000, show_default=True)
@click.option("--games", default=1_000, show_default=True)
def main(name: str, data: Path, states: int, games: int) -> None:
    """Publish the table of a puzzle, and compare it with the service's answers."""
    puzzle = find(name)
    job = TableJob(puzzle, puzzle.goal(), data)
    if not job.path.exists():
        job.build()
    tables = Sources(data)
    with TemporaryDirectory(dir=data) as folder:
        publish(tables.folder, [tables.table(name)], Path(folder), Reporter())
        with hosting(Path(folder)) as host, browser() as chromium:
            page = chromium.new_page(base_url=host.address)
            page.goto("/")
            moves = compare(tables.table(name), page, states, games)
    click.echo(
        f"{states:,} lookups and {games:,} games of {moves:,} moves are the service's to the letter"
    )


if __name__ == "__main__":
    main()

"""Published tables in Chromium, from a host of files that delays every answer by 50 ms.

`puzzlebase publish` is a process of its own; memory is its peak, with the blocks of the table that
it has mapped. The host is a server in Python on the same processors, over HTTP 1.1, so the browser
has six connections to it. A *cold lookup* has an empty cache and a page that has loaded the
modules: it begins with the address of the table, and ends with the distances after all ten moves of
a random state. The *next* one is of the state after a random move. Bytes are those of the bodies.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.build import need
from benchmarks.figures import Figure, Measured
from benchmarks.lookup import random_texts
from benchmarks.process import run
from tests.browser.chromium import browser
from tests.browser.hosts import FileServer, hosting

_DELAY = 0.05
_COLD = 15
_PUBLISHED = {"avenger": "≤ 4", "panex-6": "≤ 60", "turnstile": ""}
"""The most megabytes of a puzzle's folder."""

_COLD_LOOKUP = """async ([name, text]) => {
    const began = performance.now();
    globalThis.puzzle = await table(`/${name}`);
    globalThis.found = await puzzle.lookup(text);
    return performance.now() - began;
}"""
_NEXT_LOOKUP = """async (at) => {
    const began = performance.now();
    await puzzle.lookup(found.moves[at].state);
    return performance.now() - began;
}"""


def measure(data: Path) -> Measured:
    """Needs the tables of avenger and turnstile, and builds them where they are missing."""
    measured: Measured = {}
    with TemporaryDirectory(dir=data) as folder:
        for name, target in _PUBLISHED.items():
            need(name, data)
            measured[f"`puzzlebase publish {name}`"] = _written(data, name, Path(folder), target)
        with hosting(Path(folder)) as host, browser() as chromium:
            host.delay = _DELAY
            measured["A lookup of turnstile with all ten moves"] = _lookups(
                chromium, host, random_texts(data, "turnstile", 43, _COLD)
            )
    return measured


def _written(data: Path, name: str, folder: Path, target: str) -> list[Figure]:
    done = run(["--data", data, "publish", name, folder])
    return [
        Figure("seconds", "s", [done.seconds]),
        Figure("memory", "MB", [done.peak / 1e6]),
        Figure(
            "folder",
            "MB",
            [sum(path.stat().st_size for path in (folder / name).iterdir()) / 1e6],
            target,
        ),
    ]


def _opened(chromium: Browser, host: FileServer) -> Page:
    """A page with the reader and an empty cache."""
    page = chromium.new_context(base_url=host.address).new_page()
    page.goto("/")
    reader = "['/modules/client.js', '/source/folder.js'].map((path) => import(path))"
    page.evaluate(f"Promise.all({reader}).then(([{{ table }}]) => {{ globalThis.table = table; }})")
    host.sent.clear()
    return page


def _lookups(chromium: Browser, host: FileServer, states: list[str]) -> list[Figure]:
    draw = np.random.default_rng(44)
    cold: list[list[float]] = []
    after: list[list[float]] = []
    for state in states:
        page = _opened(chromium, host)
        calls: list[tuple[list[list[float]], str, Any]] = [
            (cold, _COLD_LOOKUP, ["turnstile", state]),
            (after, _NEXT_LOOKUP, int(draw.integers(10))),
        ]
        for measured, *call in calls:
            host.sent.clear()
            measured.append([page.evaluate(*call) / 1000, len(host.sent), sum(host.sent)])
        page.context.close()
    figures = []
    for name, measured, most, bytes_at_most in (
        ("cold", cold, "≤ 0.4", "≤ 100,000"),
        ("next", after, "", "≤ 60,000"),
    ):
        seconds, requests, bodies = zip(*measured, strict=True)
        figures += [
            Figure(name, "s", seconds, most),
            Figure("- requests", "", requests),
            Figure("- bodies", "bytes", bodies, bytes_at_most),
        ]
    return figures

"""service/http/middleware.py: plain requests are answered from memory.
The corpus has their answers, and others.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, quote_plus

import numpy as np
import pytest

from puzzlebase.service.http.app import App, create_app
from puzzlebase.service.http.exchange import begin_wsgi
from tests.fixtures import build_table

SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
NAMES = ("novice", "panex-3", "hanoi-nnn-3", "quantum-2x2-3", "sliding-2x3")
"""A puzzle of each alphabet."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("alphabets")
    for name in NAMES:
        build_table(made, name)
    return made


@pytest.fixture(scope="module")
def app(folder: Path) -> App:
    return create_app(folder)


def taken(app: App, name: str, query: str) -> bool:
    """True if the fast path answers; then it has noted the fields for the log."""
    request = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": f"/v1/puzzles/{name}/lookup",
        "QUERY_STRING": query,
    }
    exchange = begin_wsgi(request)
    answered = app.middleware._from_memory(exchange) is not None
    noted = ("/v1/puzzles/{name}/lookup", "table") if answered else ("other", None)
    assert (exchange.route, exchange.source) == noted
    return answered


@pytest.mark.needs("panex", "hanoi", "quantum")
@pytest.mark.parametrize("name", NAMES)
def test_random_states_are_answered_from_memory(app: App, name: str) -> None:
    opened = app.sources.table(name)
    for index in np.random.default_rng(5).integers(opened.space.size, size=20):
        state = opened.puzzle.format(opened.space.unrank(np.array([index]))[0])
        for escaped in (quote(state, safe=""), quote_plus(state, safe=".")):
            assert taken(app, name, f"state={escaped}")


@pytest.mark.needs("panex", "hanoi", "quantum")
@pytest.mark.slow
@pytest.mark.usefixtures("unmapped")
def test_a_table_that_is_not_in_memory_is_left_to_the_app(folder: Path) -> None:
    assert not taken(create_app(folder, memory=1000), "novice", f"state={SOLVED}")

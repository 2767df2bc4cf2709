"""The corpus: today's program answers as the record says, which has all that can be asked.

Its levels are those of the plugin `publish`.
"""

from __future__ import annotations

import re

import click
import pytest

from puzzlebase.command_line.main import program
from puzzlebase.opened import OpenPuzzle
from puzzlebase.service.http.addresses import every_address
from tests.corpus.answers import compared, read
from tests.corpus.faces import all_faces
from tests.corpus.world import world

PLUGINS = (
    *(
        "check",
        "cluster",
        "cubing",
        "definitions",
        "experiments",
        "formulas",
        "hardest",
        "levels",
        "methods",
    ),
    *("mixing", "page", "patterns", "play", "publish", "release", "sql", "stickers"),
    *("classical", "hanoi", "oriented", "panex", "panguru", "quantum", "tiles"),
)
"""The plugins that the record asks."""

pytestmark = [pytest.mark.plugin, pytest.mark.needs(*PLUGINS)]


@pytest.mark.slow(60)
@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.matrix)])
def test_the_record_is_what_the_program_answers(step: int) -> None:
    """`make test` asks for a tenth of it, without published tables.
    If this fails, `make corpus` shows all.
    """
    published = step == 1
    asked = [
        each for each in [*read().items()][::step] if published or not each[0].startswith("js>")
    ]
    with world(published=published) as made, all_faces(made) as faces:
        found = [compared(request, answer, faces.answer(request)) for request, answer in asked]
    assert "\n".join(filter(None, found)) == ""


def test_it_asks_every_verb_address_and_method() -> None:
    asked = "\n".join(read())
    elsewhere = {"get", "serve"}  # whose own tests fetch from a host, and serve
    for verb in {*program.list_commands(click.Context(program))} - elsewhere:
        assert re.search(rf"^puzzlebase {verb} (?!--help)", asked, re.MULTILINE), verb
    for address in every_address():
        path = address.path.format(name="[^/?]+", family="[^/?]+")
        for method in address.methods:
            assert re.search(rf"^{method} {path}(?![^ ?\n])", asked, re.MULTILINE), (method, path)
    for name in (name for name, value in vars(OpenPuzzle).items() if callable(value)):
        assert name.startswith("_") or re.search(rf"^>>> .*\.{name}\b", asked, re.MULTILINE), name


def test_every_refusal_over_http_has_a_remedy() -> None:
    for request, answer in read().items():
        if request.startswith(("GET /v1", "POST /v1")) and answer.startswith(("4", "5")):
            assert '"hint": "' in answer, request

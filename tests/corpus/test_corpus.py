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
from tests.corpus.world import built, world

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


@pytest.mark.slow(15)
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.matrix)])
def test_the_record_is_what_the_program_answers(every: int) -> None:
    """`make test` builds the tables of each twelfth puzzle, publishes none,
    and asks each twelfth request that needs no other. If this fails, `make corpus` shows all.
    """
    names = dict.fromkeys(each.name for each in built())
    others = names.keys() - [*names][7 % every :: every]
    tables = [each for each in built() if each.name not in others]
    absent = others and others | {"js"}
    record = [
        (request, answer)
        for request, answer in read().items()
        if absent.isdisjoint(re.findall(r"[\w-]+", f"{request} {answer}"))
    ]
    with world(tables, published=not others) as folder, all_faces(folder) as faces:
        found = [
            compared(request, answer, faces.answer(request)) for request, answer in record[::every]
        ]
    assert "\n".join(filter(None, found)) == ""


def test_it_asks_every_verb_address_and_method() -> None:
    asked = "\n".join(read())
    # whose own tests fetch from a host, serve, and look at this machine
    elsewhere = {"get", "serve", "doctor"}
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

"""The corpus: today's program answers as the record says. Its levels are those of the plugin `publish`."""

from __future__ import annotations

import pytest

from tests.corpus.answers import compared, read
from tests.corpus.faces import all_faces
from tests.corpus.world import world


@pytest.mark.plugin
@pytest.mark.slow(60)
@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.matrix)])
def test_the_record_is_what_the_program_answers(step: int) -> None:
    """`make test` asks for a tenth of it, without published tables. If this fails, `make corpus` shows all."""
    published = step == 1
    asked = [each for each in [*read().items()][::step] if published or not each[0].startswith("js>")]
    with world(published=published) as made, all_faces(made) as faces:
        found = [compared(request, answer, faces.answer(request)) for request, answer in asked]
    assert "\n".join(filter(None, found)) == ""

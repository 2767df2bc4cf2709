"""A tenth of the corpus: today's program answers as the record says. Its levels are those of tests.tools.publish."""

from __future__ import annotations

import pytest

from tests.corpus.answers import compared, read
from tests.corpus.faces import all_faces
from tests.corpus.world import world


@pytest.mark.plugin
@pytest.mark.slow(60)
def test_a_tenth_of_the_record_is_what_the_program_answers() -> None:
    """If this fails, `make corpus` shows all that has changed."""
    asked = [*read().items()][::10]
    with world() as made, all_faces(made) as faces:
        found = [compared(request, answer, faces.answer(request)) for request, answer in asked]
    assert "\n".join(filter(None, found)) == ""

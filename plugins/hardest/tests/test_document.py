"""docs/results.md: its hardest states are the ones that the program finds,
and their pictures are there.
"""

from __future__ import annotations

import re
from pathlib import Path

from puzzlebase.plugins.hardest.answer import hardest
from puzzlebase.service.answers.pictures import state_picture
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import opened

PAGE = Path(__file__).parents[3] / "docs" / "results.md"
PICTURES = PAGE.parent / "pictures" / "hardest"


def test_the_states_of_novice_are_those_that_are_found(tables: Sources) -> None:
    source = opened(tables, "novice")
    section = PAGE.read_text("utf-8").partition("### `novice`")[2].partition("###")[0]
    for kind in hardest(source)["kinds"]:
        state = kind["named"][0]
        assert f"`{state}`" in section
        assert f"**{kind['distance']:,} moves**" in section
        assert f"{kind['count']:,} there" in section
        assert f"{kind['states']:,} of this kind in all" in section
        picture = state_picture(source.puzzle, source.goal, state)
        assert (PICTURES / f"novice-{kind['kind']}.svg").read_text("utf-8") == picture


def test_its_pictures_are_there_and_no_others() -> None:
    shown = re.findall(r"\(pictures/hardest/(\S+)\)", PAGE.read_text("utf-8"))
    assert sorted(shown) == sorted(path.name for path in PICTURES.iterdir())

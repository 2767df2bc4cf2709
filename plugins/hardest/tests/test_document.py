"""docs/results.md: its hardest states are the ones that the program finds, and their pictures are there."""

from __future__ import annotations

import re

from docs.hardest import PAGE, PICTURES, PUZZLES, part, written
from puzzlebase.plugins.hardest.answer import hardest
from puzzlebase.service.answers.pictures import drawn
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import opened

MOST_BYTES = 1 << 20


def test_a_part_is_what_is_found(tables: Sources) -> None:
    """If this fails, `make hardest` writes it anew."""
    source = opened(tables, "novice")
    found = hardest(source)
    page = PAGE.read_text("utf-8")
    assert part(found) in page
    for kind in found["kinds"]:
        picture = drawn(source.puzzle, source.goal, kind["named"][0])
        assert (PICTURES / f"novice-{kind['kind']}.svg").read_text("utf-8") == picture
    assert part(found) in written(page, [found])
    assert "`challenger`" not in written(page, [found]).partition("## Hardest states")[2].partition("\n## ")[0]


def test_its_pictures_are_there_and_no_others() -> None:
    shown = re.findall(r"\(pictures/hardest/(\S+)\)", PAGE.read_text("utf-8"))
    assert sorted(shown) == sorted(path.name for path in PICTURES.iterdir())
    assert all(f"{puzzle}-antipodes.svg" in shown for puzzle in PUZZLES)
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < MOST_BYTES

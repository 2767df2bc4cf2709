"""service/sources/source.py: what every source has is little."""

from __future__ import annotations

from puzzlebase.service.sources.source import Source


def test_every_source_has_nine_names_and_no_more() -> None:
    names = {name for name in [*vars(Source), *Source.__annotations__] if not name.startswith("_")}
    assert len(names) <= 9

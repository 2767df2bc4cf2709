"""Laws that hold for what plugins bring: families,
files of levels, sources, tables and plugins themselves.

Each law is a function that raises AssertionError.
A class of tests runs all of a kind, so three lines are enough:

    from puzzlebase.testing import FamilyLaws

    class TestSpinner(FamilyLaws):
        family = FAMILY
"""

import pytest

pytest.register_assert_rewrite(
    *(
        f"{__name__}.{kind}"
        for kind in ("families", "levels", "plugins", "puzzles", "sources", "tables")
    )
)

from puzzlebase.testing.families import FamilyLaws as FamilyLaws  # noqa: E402 -- after its asserts tell more
from puzzlebase.testing.levels import LevelLaws as LevelLaws  # noqa: E402
from puzzlebase.testing.plugins import PluginLaws as PluginLaws  # noqa: E402
from puzzlebase.testing.sources import SourceLaws as SourceLaws  # noqa: E402
from puzzlebase.testing.tables import TableLaws as TableLaws  # noqa: E402

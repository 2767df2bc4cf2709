"""Klotski obeys the laws of families. `pytest` runs this where the package is installed."""

from klotski import FAMILY

from puzzlebase.testing import FamilyLaws


class TestKlotski(FamilyLaws):
    family = FAMILY

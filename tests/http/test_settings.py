"""service/http/settings.py: workers do what `serve` was told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puzzlebase.service.http.settings import Settings
from puzzlebase.service.sources.budget import SearchLimits


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("PUZZLEBASE_")]:
        monkeypatch.delenv(name)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(Path("some where"), 12_345, log=False, limits=SearchLimits(0, 0.25, 1 << 20, 7)),
        Settings(limits=SearchLimits(seconds=float("inf"))),
    ],
)
def test_settings_come_through_the_environment(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    for name, text in settings.to_environment().items():
        monkeypatch.setenv(name, text)
    assert Settings.from_environment() == settings


def test_without_a_word_of_the_environment_they_are_the_default() -> None:
    assert Settings.from_environment() == Settings()

"""Tests of a plugin."""

from __future__ import annotations

from dataclasses import fields
from typing import ClassVar

import click

from puzzlebase.hooks import Plugin, attribute
from puzzlebase.service.answers.record import AnswerRecord


class PluginLaws:
    """A subclass names a plugin."""

    plugin: ClassVar[Plugin]

    def test_everything_that_it_names_is_there(self) -> None:
        """Each text "module:attribute" names something that can be imported; queries are files of packages."""
        for hook in fields(self.plugin):
            if hook.name != "queries":
                for reference in getattr(self.plugin, hook.name).values():
                    assert attribute(reference) is not None, reference

    def test_verbs_say_what_they_do(self) -> None:
        """A verb is a command of click with a help text, or an answer with a docstring."""
        for name, reference in self.plugin.verbs.items():
            verb = attribute(reference)
            assert isinstance(verb, click.Command | AnswerRecord), name
            assert verb.help if isinstance(verb, click.Command) else verb.sentence, name

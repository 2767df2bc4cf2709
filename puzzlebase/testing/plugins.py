"""Tests of a plugin."""

from __future__ import annotations

from dataclasses import fields

import click

from puzzlebase.hooks import Plugin, load_attribute
from puzzlebase.service.answers.record import AnswerRecord


class PluginLaws:
    """A subclass has a fixture `plugin`."""

    def test_everything_that_it_names_is_there(self, plugin: Plugin) -> None:
        """Each text "module:attribute" names something that can be imported;
        queries are files of packages.
        """
        for hook in fields(plugin):
            if hook.name not in {"needs", "queries"}:
                for reference in getattr(plugin, hook.name).values():
                    assert load_attribute(reference) is not None, reference

    def test_verbs_say_what_they_do(self, plugin: Plugin) -> None:
        """A verb is a command of click with a help text, or an answer with a docstring."""
        for name, reference in plugin.verbs.items():
            verb = load_attribute(reference)
            assert isinstance(verb, click.Command | AnswerRecord), name
            assert verb.help if isinstance(verb, click.Command) else verb.sentence, name

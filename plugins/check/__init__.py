"""The verb `check`: a definition file as it is understood, before a table is built of it."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(needs=("definitions",), verbs={"check": "puzzlebase.plugins.check.verb:verb"})

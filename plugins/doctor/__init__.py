"""The verb `doctor`: what is installed and stored here, and what is wrong with its remedy."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"doctor": "puzzlebase.plugins.doctor.verb:verb"})

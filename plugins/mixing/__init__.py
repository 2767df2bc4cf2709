"""Mixing by random turns: the exact distribution of a state after each turn,
over all states. README.md.
"""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"mixing": "puzzlebase.plugins.mixing.verb:verb"})

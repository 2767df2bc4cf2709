"""A puzzle played in the terminal: the game (game.py), line by line (terminal.py)."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"play": "puzzlebase.plugins.play.verb:verb"})

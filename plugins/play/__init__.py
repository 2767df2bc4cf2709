"""A puzzle played in the terminal: the game (game.py), its board in characters (drawing.py)."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"play": "puzzlebase.plugins.play.verb:verb"})

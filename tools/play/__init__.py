"""A puzzle played in the terminal: the game (game.py), its board in characters (drawing.py)."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"play": "puzzlebase.tools.play.verb:verb"})

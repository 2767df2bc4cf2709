"""A puzzle played in the terminal: the game (game.py), its board in characters (drawing.py), the keys (terminal.py)."""

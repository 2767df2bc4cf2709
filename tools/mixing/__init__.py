"""Mixing by random turns: the exact distribution of a state after each turn, over all states. docs/mixing.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"mixing": "puzzlebase.tools.mixing.verb:verb"})

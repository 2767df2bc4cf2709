"""Levels of games in files: for each its proven par, how many states it has, and how many of them are lost."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"levels": "puzzlebase.tools.levels.verb:verb"},
    files=dict.fromkeys((".xsb", ".cars", ".blocks", ".pegs", ".tubes"), "puzzlebase.tools.levels.files:LevelFile"),
)

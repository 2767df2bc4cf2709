"""Levels of games in files: for each its proven par, the number of its states, and the number of lost states."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"levels": "puzzlebase.tools.levels.verb:verb"},
    files={
        **dict.fromkeys(
            (".xsb", ".sok", ".cars", ".blocks", ".pegs", ".tubes"), "puzzlebase.tools.levels.files:LevelFile"
        ),
        ".txt": "puzzlebase.tools.levels.files:text_file",
    },
)

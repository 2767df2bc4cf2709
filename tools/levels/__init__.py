"""Levels of games in files: for each its proven par, the number of its states, and the number of lost states."""

from puzzlebase.plugins import Tool

FORMATS = {name: name for name in ("blocks", "cars", "pegs", "tubes", "xsb")} | {"sok": "xsb", "txt": "xsb"}
"""The format of each ending of files of levels."""

_FILES = "puzzlebase.tools.levels.files"
TOOL = Tool(
    verbs={"levels": "puzzlebase.tools.levels.verb:verb"},
    files={f".{ending}": f"{_FILES}:LevelFile" for ending in FORMATS} | {".txt": f"{_FILES}:text_file"},
)

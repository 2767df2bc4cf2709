"""Levels of games in files: for each its proven par,
the number of its states, and the number of lost states.
"""

from pathlib import Path

from puzzlebase.hooks import Plugin

FORMATS = {path.stem: path.stem for path in Path(__file__).with_name("formats").glob("[!_]*.py")}
FORMATS |= {"sok": "xsb", "txt": "xsb"}
"""The format of each ending of files of levels:
a module of `formats/` by its name, and endings of the same format.
"""

_FILES = "puzzlebase.plugins.levels.files"
PLUGIN = Plugin(
    verbs={"levels": "puzzlebase.plugins.levels.verb:verb"},
    files={f".{ending}": f"{_FILES}:LevelFile" for ending in FORMATS}
    | {".txt": f"{_FILES}:level_file"},
    methods={"lurd": "puzzlebase.plugins.levels.lurd:lurd"},
)

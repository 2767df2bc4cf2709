"""Puzzles as data: of letters and rules in Python,
and of files in the formats of ksolve and twsearch.
"""

from puzzlebase.hooks import Plugin

_HERE = "puzzlebase.plugins.definitions"
PLUGIN = Plugin(
    files={"definition": f"{_HERE}.definition_file:DefinitionFile"},
    readers=dict.fromkeys([".tws", ".def", ".ksolve"], f"{_HERE}.ksolve:read_ksolve"),
    makers={
        "letter_puzzle": f"{_HERE}.letter_puzzles:letter_puzzle",
        "rules_puzzle": f"{_HERE}.rules_puzzles:rules_puzzle",
        "text_squares": f"{_HERE}.text_squares:text_squares",
    },
)

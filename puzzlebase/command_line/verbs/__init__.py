"""The verbs by name: an answer's record, or a command of click, each imported when it is called."""

from puzzlebase.service.answers import ANSWERS

_COMMANDS = {
    "lookup_and_grade": ("grade", "lookup"),
    "of_puzzles": ("info", "list"),
    "of_files": ("build", "verify"),
    "serve": ("serve",),
}

# The core's verbs by name: "module:attribute", as plugins give theirs.
VERBS = {
    **{name: reference for name, reference in ANSWERS.items() if name != "lookup_batch"},
    **{
        name: f"{__name__}.{module}:{name}" for module, names in _COMMANDS.items() for name in names
    },
}

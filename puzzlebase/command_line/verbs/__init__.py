"""The verbs: each is a command of click, imported when it is called."""

_OF_A_STATE = ("board", "grade", "hint", "lookup", "picture", "random")
_OF_A_PUZZLE = ("antipodes", "histogram", "info", "list")
_OF_FILES = ("build", "verify")

# The core's verbs by name: "module:attribute", as tools give theirs.
VERBS = {
    **{name: f"{__name__}.of_state:{name}" for name in _OF_A_STATE},
    "solve": f"{__name__}.of_solutions:solve",
    **{name: f"{__name__}.of_puzzle:{name}" for name in _OF_A_PUZZLE},
    **{name: f"{__name__}.of_files:{name}" for name in _OF_FILES},
    "serve": f"{__name__}.of_service:serve",
}

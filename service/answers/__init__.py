"""Answers as plain objects, which know no HTTP.
Each is a function that `record.answer` declares.
"""

_BY_NAME = {
    "lookup": "lookups:lookup",
    "lookup_batch": "batches:lookup_batch",
    "solve": "solutions:solve",
    "hint": "hints:hint",
    "grade": "grades:grade",
    "random": "random_states:random_state",
    "picture": "pictures:state_picture",
    "board": "boards:board",
    "histogram": "whole_tables:histogram",
    "antipodes": "whole_tables:antipodes",
}
ANSWERS = {name: f"{__name__}.{reference}" for name, reference in _BY_NAME.items()}
"""The core's answers about a puzzle:
by name "module:attribute", in the order of docs/http-api.md.
"""

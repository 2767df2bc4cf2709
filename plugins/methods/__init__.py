"""Engines by a method of a puzzle's own: oracles,
which are exact, and constructions, which have bounds.
"""

from puzzlebase.hooks import Plugin

_HERE = "puzzlebase.plugins.methods"
PLUGIN = Plugin(
    sources={
        "oracle": f"{_HERE}.sources:open_oracle_source",
        "construction": f"{_HERE}.sources:OpenConstruction",
    },
    options={
        "build": f"{_HERE}.options:ORACLE",
        "verify": f"{_HERE}.options:VERIFIED_ORACLE",
        "solve": f"{_HERE}.method:SOLVE",
    },
)

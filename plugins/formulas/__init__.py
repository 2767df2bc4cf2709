"""The number of moves of solutions of any size,
for families that know it: by recurrence, closed form and exactly.
"""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    verbs={"formula": "puzzlebase.plugins.formulas.verb:verb"},
    addresses={"/v1/families/{family}/formula": "puzzlebase.plugins.formulas.answer:formula"},
)

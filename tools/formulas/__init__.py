"""The number of moves of solutions of any size, for families that know it: by recurrence, closed form and exactly."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"formula": "puzzlebase.tools.formulas.verb:verb"},
    addresses={"/v1/families/{family}/formula": "puzzlebase.tools.formulas.answer:formula"},
)

"""The moves that solutions take for any size, where a family knows them: by recurrence, by closed form and exactly."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"formula": "puzzlebase.tools.formulas.verb:verb"},
    addresses={"/v1/families/{family}/formula": "puzzlebase.tools.formulas.address:ADDRESS"},
)

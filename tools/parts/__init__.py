"""Tables in parts, whose data may lie anywhere: the verb that splits, and the reader. See docs/operating.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"split": f"{__name__}.splitting:verb"}, blocks={"part": f"{__name__}.parts:BlocksInParts"})

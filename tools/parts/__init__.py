"""Tables in parts, whose blocks' data lie in files anywhere: they are split, and read. docs/operating.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"split": f"{__name__}.splitting:verb"}, blocks={"part": f"{__name__}.parts:BlocksInParts"})

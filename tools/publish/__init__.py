"""Tables as static files that a page reads with no service: docs/publishing.md."""

from puzzlebase.plugins import Tool

_READER = "puzzlebase.tools.publish.reader:PublishedTables"
TOOL = Tool(
    verbs={"publish": "puzzlebase.tools.publish.verb:verb"},
    folders={"http": _READER, "https": _READER},
)

"""Tables as static files that a page reads with no service: docs/publishing.md."""

from puzzlebase.plugins import Tool

_READER = "puzzlebase.tools.publish.reader:PublishedSources"
TOOL = Tool(
    verbs={"publish": "puzzlebase.tools.publish.verb:verb"},
    folders={"http": _READER, "https": _READER},
)

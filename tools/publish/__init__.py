"""Tables as static files that a page reads with no service: docs/publishing.md."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"publish": "puzzlebase.tools.publish.verb:verb"})

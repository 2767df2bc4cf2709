"""Tables as static files that a page reads with no service: README.md."""

from puzzlebase.hooks import Plugin

_READER = "puzzlebase.plugins.publish.reader:PublishedSources"
PLUGIN = Plugin(
    needs=("page",),
    verbs={"publish": "puzzlebase.plugins.publish.verb:verb"},
    folders={"http": _READER, "https": _READER},
)

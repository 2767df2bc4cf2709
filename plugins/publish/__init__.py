"""Tables as static files that a page reads with no service: README.md."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"publish": "puzzlebase.plugins.publish.verb:verb"})

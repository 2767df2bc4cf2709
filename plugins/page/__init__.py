"""The service in a browser: the page to play on, the page of addresses, and their files."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    addresses={
        "/play/{name}": "puzzlebase.plugins.page.pages:PAGES",
        "/docs": "puzzlebase.plugins.page.docs:DOCS",
    }
)

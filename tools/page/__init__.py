"""The service in a browser: the page to play on, the page of addresses, and their files."""

from puzzlebase.plugins import Tool

TOOL = Tool(addresses={"/play/{name}": "puzzlebase.tools.page.pages:PAGES", "/docs": "puzzlebase.tools.page.docs:DOCS"})

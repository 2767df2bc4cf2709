"""Proxies in front of the service: named ones are trusted about clients, schemes and prefixes."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    options={"serve": f"{__name__}.forwarded:ADDED"}, before={"forwarded": f"{__name__}.forwarded:from_environment"}
)

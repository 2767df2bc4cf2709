"""Proxies in front of the service: named ones are trusted about clients, schemes and prefixes."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    options={"serve": f"{__name__}.forwarded:ADDED"},
    before={"forwarded": f"{__name__}.forwarded:from_environment"},
)

"""Headers in which a proxy describes a request that it passes on: X-Forwarded-For, -Proto and -Prefix.

Anybody can send such headers. They count if a request comes from an address that `--forwarded-allow-ips` names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import click

from puzzlebase.command_line.options import Added
from puzzlebase.service.http.connection.exchange import Exchange

_VARIABLE = "PUZZLEBASE_FORWARDED_ALLOW_IPS"
_PREFIX = re.compile(r"(/[\w.~-]{1,100}){1,10}", re.ASCII)

Networks = tuple[IPv4Network | IPv6Network, ...]


@dataclass(frozen=True)
class Proxies:
    """The trusted proxies."""

    networks: Networks

    def to_environment(self) -> dict[str, str]:
        """The environment variable that passes them to workers."""
        return {_VARIABLE: ",".join(map(str, self.networks))}

    def believe(self, exchange: Exchange, headers: Any) -> None:
        """Note the client, the scheme and the prefix that a proxy reports.

        The client is the last address that is not a proxy's: a caller may send any before it.
        """
        if not self._have(_address(exchange.client or "")):
            return
        told = [hop for name, value in headers.items() if name == "x-forwarded-for" for hop in value.split(",")]
        for address in map(_address, reversed(told)):
            exchange.client = str(address or exchange.client)
            if not self._have(address):
                break
        scheme, prefix = headers.get("x-forwarded-proto"), headers.get("x-forwarded-prefix", "").rstrip("/")
        if scheme in ("http", "https"):
            exchange.scheme = scheme
        if _PREFIX.fullmatch(prefix):
            exchange.prefix = prefix

    def _have(self, address: IPv4Address | IPv6Address | None) -> bool:
        return address is not None and any(address in network for network in self.networks)


def from_environment() -> Callable[[Exchange, Any], None] | None:
    """The function that trusts the proxies named to `serve`; None if there are none."""
    networks = _networks(os.environ.get(_VARIABLE, ""))
    return Proxies(networks).believe if networks else None


@lru_cache(256)  # of few proxies, and of callers who ask again; a header has at most 32 KiB
def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Read a text as an address, one of IPv6 also in brackets; None for any other text."""
    try:
        address = ip_address(text.strip().strip("[]"))
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def _networks(named: str) -> Networks:
    return tuple(ip_network(each.strip()) for each in named.split(",") if each.strip())


def _read(context: click.Context, parameter: click.Parameter, named: str) -> Networks:
    try:
        return _networks(named)
    except ValueError as error:
        hint = "name addresses such as 127.0.0.1 and networks such as 10.0.0.0/8, with commas between"
        raise click.BadParameter(f"{error}; {hint}", context, parameter) from None


_HELP = "Addresses and networks of proxies, with commas between, whose X-Forwarded-For, -Proto and -Prefix count."
_OPTION = click.option("--forwarded-allow-ips", "networks", callback=_read, default="", envvar=_VARIABLE, help=_HELP)
ADDED = Added(Proxies, (_OPTION,))

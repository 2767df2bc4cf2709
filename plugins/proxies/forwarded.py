"""Headers in which a proxy describes a request that it passes on:
X-Forwarded-For, -Proto and -Prefix.

Anybody can send such headers.
They count if a request comes from an address that `--forwarded-allow-ips` names.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line.options import Added

if TYPE_CHECKING:
    from puzzlebase.service.http.exchange import Exchange

_VARIABLE = "PUZZLEBASE_FORWARDED_ALLOW_IPS"

Networks = tuple[IPv4Network | IPv6Network, ...]


@dataclass(frozen=True)
class Proxies:
    """The trusted proxies."""

    networks: Networks

    def to_environment(self) -> dict[str, str]:
        """The environment variable that passes them to workers."""
        return {_VARIABLE: ",".join(map(str, self.networks))}


def from_environment() -> Callable[[Exchange, Any], None] | None:
    """The function that notes what the proxies named to `serve` say of a request;
    None if there are none.
    """
    networks = _networks(os.environ.get(_VARIABLE, ""))
    if not networks:
        return None
    from werkzeug.middleware.proxy_fix import ProxyFix

    fix = ProxyFix(lambda _environ, _start: [], x_prefix=1)

    @lru_cache(256)
    def trusted(client: str) -> bool:
        address = ip_address(client.strip("[]"))
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in networks)

    def believe(exchange: Exchange, headers: Any) -> None:
        if exchange.client and trusted(exchange.client):
            environ = {
                f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()
            }
            environ |= {"REMOTE_ADDR": exchange.client, "wsgi.url_scheme": exchange.scheme}
            fix(environ, lambda *_: lambda _: None)
            exchange.client, exchange.scheme = environ["REMOTE_ADDR"], environ["wsgi.url_scheme"]
            exchange.prefix = environ.get("SCRIPT_NAME", "")

    return believe


def _networks(named: str) -> Networks:
    return tuple(ip_network(each.strip()) for each in named.split(",") if each.strip())


def _read(context: click.Context, parameter: click.Parameter, named: str) -> Networks:
    try:
        return _networks(named)
    except ValueError as error:
        hint = (
            "name addresses such as 127.0.0.1 and networks such as 10.0.0.0/8, with commas between"
        )
        raise click.BadParameter(f"{error}; {hint}", context, parameter) from None


_HELP = (
    "Addresses and networks of proxies, with commas between, whose X-Forwarded-For, -Proto "
    "and -Prefix count."
)
_OPTION = click.option(
    "--forwarded-allow-ips", "networks", callback=_read, default="", envvar=_VARIABLE, help=_HELP
)
ADDED = Added(Proxies, (_OPTION,))

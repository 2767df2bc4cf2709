"""plugins/proxies: who is believed about the client,
the scheme and the prefix of a request, and who is not.
"""

from __future__ import annotations

import pytest

from puzzlebase.plugins.proxies import forwarded
from puzzlebase.service.http.exchange import Exchange
from tests.commands import command

NAMED = "127.0.0.1, 10.1.0.0/16,2001:db8::/32"


@pytest.mark.parametrize(
    ("sender", "sent", "expected"),
    [
        ("127.0.0.1", {"for": "203.0.113.9"}, ("203.0.113.9", "http", "")),
        # the caller sent the first
        ("10.1.2.3", {"for": "198.51.100.1, 203.0.113.9"}, ("203.0.113.9", "http", "")),
        ("[2001:db8::7]", {"for": "2001:4::1", "proto": "https"}, ("2001:4::1", "https", "")),
        ("[::ffff:10.1.2.3]", {"for": "203.0.113.9"}, ("203.0.113.9", "http", "")),
        ("127.0.0.1", {"proto": "https", "prefix": "/puzzles"}, ("127.0.0.1", "https", "/puzzles")),
        ("127.0.0.1", {}, ("127.0.0.1", "http", "")),
        (
            "203.0.113.7",
            {"for": "198.51.100.1", "proto": "https", "prefix": "/x"},
            ("203.0.113.7", "http", ""),
        ),
        ("10.2.0.1", {"for": "198.51.100.1"}, ("10.2.0.1", "http", "")),
    ],
)
def test_named_proxies_are_believed_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
    sender: str,
    sent: dict[str, str],
    expected: tuple[str, str, str],
) -> None:
    assert forwarded.from_environment() is None
    for name, text in forwarded.Proxies(forwarded._networks(NAMED)).to_environment().items():
        monkeypatch.setenv(name, text)
    believe = forwarded.from_environment()
    assert believe
    exchange = Exchange("id", 0.0, client=sender)
    believe(exchange, {f"x-forwarded-{name}": value for name, value in sent.items()})
    assert (exchange.client, exchange.scheme, exchange.prefix) == expected


@pytest.mark.parametrize("named", ["localhost", "10.0.0.1/8", "*", "127.0.0.1 10.0.0.1"])
def test_what_is_no_address_is_refused(
    tmp_path_factory: pytest.TempPathFactory, named: str
) -> None:
    refused = command(tmp_path_factory.mktemp("data"), "serve", "--forwarded-allow-ips", named)
    assert refused.status == 2
    assert named in refused.stderr
    assert "name addresses such as 127.0.0.1" in refused.stderr

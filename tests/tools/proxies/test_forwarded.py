"""tools/proxies: who is believed about the client, the scheme and the prefix of a request, and who is not."""

from __future__ import annotations

import pytest

from puzzlebase.service.http.connection.exchange import Exchange
from puzzlebase.tools.proxies import forwarded
from tests.commands import command

NAMED = "127.0.0.1, 10.1.0.0/16,2001:db8::/32"


class Sent:
    """The headers of a request, as granian gives them: a name may come twice."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs = [*pairs]

    def items(self) -> list[tuple[str, str]]:
        """All, in their order."""
        return self._pairs

    def get(self, name: str, default: str | None = None) -> str | None:
        """The first of a name."""
        return dict(reversed(self._pairs)).get(name, default)


@pytest.fixture
def told() -> forwarded.Proxies:
    return forwarded.Proxies(forwarded._networks(NAMED))


def client(told: forwarded.Proxies, sender: str, *hops: str) -> str | None:
    exchange = Exchange("id", 0.0, client=sender)
    told.believe(exchange, Sent(*(("x-forwarded-for", hop) for hop in hops)))
    return exchange.client


@pytest.mark.parametrize(
    ("sender", "hops", "expected"),
    [
        ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("127.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),  # a caller may send what he likes before it
        ("127.0.0.1", ["198.51.100.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),  # two proxies
        ("127.0.0.1", ["198.51.100.1", "203.0.113.9", "10.1.2.3"], "203.0.113.9"),  # in three headers
        ("127.0.0.1", ["10.1.2.4, 10.1.2.3"], "10.1.2.4"),  # a proxy asks
        ("127.0.0.1", ["203.0.113.9, unknown, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", ["203.0.113.9,"], "127.0.0.1"),
        ("127.0.0.1", ["<script>"], "127.0.0.1"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("[2001:db8::7]", ["[2001:4::1]"], "2001:4::1"),
        ("[::ffff:10.1.2.3]", ["203.0.113.9"], "203.0.113.9"),
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("10.2.0.1", ["198.51.100.1"], "10.2.0.1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_the_client_is_the_last_that_is_no_proxy(
    told: forwarded.Proxies, sender: str, hops: list[str], expected: str
) -> None:
    assert client(told, sender, *hops) == expected


@pytest.mark.parametrize(
    ("sender", "scheme", "prefix", "expected"),
    [
        ("127.0.0.1", "https", "/puzzles", ("https", "/puzzles")),
        ("127.0.0.1", "http", "/a/b-c/", ("http", "/a/b-c")),
        ("127.0.0.1", "javascript", "//evil.example", ("http", "")),
        ("127.0.0.1", "https,http", '/"><script>', ("http", "")),
        ("127.0.0.1", "https", "puzzles", ("https", "")),
        ("127.0.0.1", "https", "/" + "a" * 101, ("https", "")),
        ("127.0.0.1", "https", "/", ("https", "")),
        ("203.0.113.7", "https", "/puzzles", ("http", "")),
    ],
)
def test_schemes_and_prefixes_are_those_of_a_proxy(
    told: forwarded.Proxies, sender: str, scheme: str, prefix: str, expected: tuple[str, str]
) -> None:
    exchange = Exchange("id", 0.0, client=sender)
    told.believe(exchange, Sent(("x-forwarded-proto", scheme), ("x-forwarded-prefix", prefix)))
    assert (exchange.scheme, exchange.prefix) == expected


def test_workers_are_told_by_the_environment(told: forwarded.Proxies, monkeypatch: pytest.MonkeyPatch) -> None:
    assert forwarded.from_environment() is None
    for name, text in told.to_environment().items():
        monkeypatch.setenv(name, text)
    found = forwarded.from_environment()
    assert getattr(found, "__self__", None) == told


@pytest.mark.parametrize("named", ["localhost", "10.0.0.1/8", "*", "127.0.0.1 10.0.0.1"])
def test_what_is_no_address_is_refused(tmp_path_factory: pytest.TempPathFactory, named: str) -> None:
    refused = command(tmp_path_factory.mktemp("data"), "serve", "--forwarded-allow-ips", named)
    assert refused.status == 2
    assert named in refused.stderr
    assert "name addresses such as 127.0.0.1" in refused.stderr

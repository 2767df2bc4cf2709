"""deploy/nginx.conf and deploy/Caddyfile, run: TLS, a prefix,
limits, slow clients, and what the service's log says.

The programs are nginx, caddy, curl and openssl of the system. Where root runs the tests, apt-get
installs missing ones. Where they cannot be had, the tests are skipped, but never where CI is set:
there somebody counts on them.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from puzzlebase.puzzles import find
from tests.serving import Served, asking, free_port, running, serving
from tests.waiting import PATIENCE, wait_until

DEPLOY = Path(__file__).parents[3] / "deploy"
STATE = "RBBBBBBBBBBBBRRRRRRRR"
LOOKUP = f"v1/puzzles/novice/lookup?state={STATE}"
CURL = "curl", "-sS", "-k"


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    """The programs that these tests run, installed where they are missing."""
    wanted = ["nginx", "caddy", "curl", "openssl"]
    missing = [program for program in wanted if not shutil.which(program)]
    why = "there is no apt-get, or you are not root"
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        try:
            for words in (["update"], ["install", "--yes", "--no-install-recommends", *missing]):
                run("apt-get", "--quiet", *words)
        except AssertionError as error:
            why = str(error)
    if missing := [program for program in missing if not shutil.which(program)]:
        told = f"these tests run {' and '.join(missing)}, which are not here: {why}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(told)


def run(*words: str | Path) -> str:
    """The output of a command; fails with its error."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Behind(NamedTuple):
    """A service, the file of its log, and a proxy in front of it with TLS."""

    served: Served
    log: Path
    base: str  # the address by which the proxy has it, which ends in a slash

    def ask(self, path: str, *options: str) -> tuple[int, str, dict[str, str]]:
        """Status, body and headers of an answer by the proxy, to the address 127.0.0.2."""
        command = *CURL, "-i", "--http1.1", "--interface", "127.0.0.2", *options, self.base + path
        header, _, body = run(*command).partition("\n\n")
        status, *headers = header.splitlines()
        pairs = (line.partition(": ") for line in headers)
        return int(status.split()[1]), body, {name.lower(): value for name, _, value in pairs}

    def line(self, identity: str) -> dict[str, Any]:
        """The line of the service's log about a request."""

        def found() -> Any:
            lines = (json.loads(line) for line in self.log.read_text("utf-8").splitlines())
            return next((line for line in lines if line.get("id") == identity), None)

        line: dict[str, Any] = wait_until(found, "the log has the line")
        return line


def nginx(folder: Path, upstream: str, port: int, prefix: str) -> list[str | Path]:
    """The command that runs nginx as deploy/nginx.conf has it,
    with a certificate and ports of this test.
    """
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1".split()
    words += ["-keyout", str(key), "-out", str(certificate)]
    run(*words)
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for there, here in {
        "    server 127.0.0.1:8080 ": f"    server {upstream} ",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "/etc/ssl/puzzles.example.pem": str(certificate),
        "/etc/ssl/puzzles.example.key": str(key),
        'set $prefix "";': f'set $prefix "{prefix}";',
        "location / {": f"location {prefix}/ {{",
        "proxy_pass http://puzzlebase;": f"proxy_pass http://puzzlebase{'/' if prefix else ''};",
    }.items():
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    logs = f"error_log {folder}/error.log; access_log off;"
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in "client_body proxy fastcgi uwsgi scgi".split()
    )
    main = (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; "
        "events { worker_connections 8192; }"
    )
    outer = f"{main} http {{ {logs} {paths}\n{text}\n}}"
    (folder / "all.conf").write_text(outer, "utf-8")
    run("nginx", "-t", "-c", folder / "all.conf")
    return ["nginx", "-c", folder / "all.conf"]


def caddy(folder: Path, upstream: str, port: int, prefix: str) -> list[str | Path]:
    """The command that runs Caddy as deploy/Caddyfile has it,
    with an authority and a port of this test.
    """
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    if prefix:
        before, _, other = text.partition("\trespond /metrics 404")
        other = other.partition("put this in its place:\n")[2]
        text = before + re.sub(r"^\t#\t?", "\t", other, flags=re.MULTILINE)
        assert "handle_path /puzzles/*" in text
    options = (
        f"{{\n admin off\n skip_install_trust\n auto_https disable_redirects\n storage "
        f"file_system {folder}\n}}\n"
    )
    text = text.replace("{$DOMAIN:localhost}", f"https://127.0.0.1:{port}").replace(
        "{$UPSTREAM:127.0.0.1:8080}", upstream
    )
    if run("caddy", "version").startswith("2.6."):
        text = text.replace("request_buffers 2MiB", "buffer_requests").replace(
            "response_buffers 16MiB", "buffer_responses"
        )
        text = re.sub(
            "^(.*)buffer_requests$", r"\g<0>\n\1max_buffer_size 16MiB", text, flags=re.MULTILINE
        )
    (folder / "Caddyfile").write_text(options + text, "utf-8")
    words: list[str | Path] = ["--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    run("caddy", "validate", *words)
    return ["caddy", "run", *words]


@contextmanager
def behind(proxy: Any, data: Path, folder: Path, prefix: str = "") -> Iterator[Behind]:
    port, log = free_port(), folder / "log"
    with serving(
        data, "--workers", "1", "--forwarded-allow-ips", "127.0.0.1", errors=log
    ) as served:
        command = proxy(folder, served.address.removeprefix("http://"), port, prefix)
        with running(command, port, errors=None, HOME=str(folder)):
            base = f"https://127.0.0.1:{port}{prefix}/"
            asked = [*CURL, "-o/dev/null", base]
            wait_until(
                lambda: subprocess.run(asked, check=False).returncode == 0,
                "Caddy has made its certificate",
            )
            yield Behind(served, log, base)
    levels = {json.loads(line).get("level") for line in log.read_text("utf-8").splitlines()}
    assert levels <= {None, "info"}, "a plain stop warns of nothing"


@pytest.mark.slow(20)
@pytest.mark.matrix
@pytest.mark.parametrize("prefix", ["", "/puzzles"])
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_client_is_named_and_addresses_are_there(
    proxy: Any, prefix: str, data: Path, tmp_path: Path
) -> None:
    with behind(proxy, data, tmp_path, prefix) as there:
        status, body, headers = there.ask(
            LOOKUP, "-H", "X-Forwarded-For: 198.51.100.1", "-H", "X-Forwarded-Prefix: /evil"
        )
        assert (status, json.loads(body)["distance"]) == (200, 5)
        assert there.line(headers["x-request-id"])["client"] == "127.0.0.2"
        assert json.loads(there.ask("openapi.json")[1])["servers"] == [{"url": prefix or "/"}]
        assert there.ask("favicon.ico")[2]["location"] == f"{prefix}/icon.svg"
        assert there.ask("metrics")[0] == 404
        page = there.ask("play/novice")[1]
        for link in re.findall(r'href="([^"#?:]+\.css)"', page):
            assert there.ask(os.path.normpath(f"play/{link}"))[0] == 200
        status, _, headers = there.ask("v1/puzzles", "--compressed")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert (
            json.loads(there.ask(f"v1/puzzles/novice/lookup?state={'x' * 20_000}")[1])["status"]
            == 414
        )


@pytest.mark.slow(20)
@pytest.mark.matrix
def test_a_caller_who_asks_too_much_is_refused_by_nginx(data: Path, tmp_path: Path) -> None:
    with behind(nginx, data, tmp_path) as there:
        codes = "-o", "/dev/null", "-w", "%{http_code}\n", "--interface"
        many = f"{there.base}healthz#[1-1000]"  # by one connection
        answers = run(*CURL, *codes, "127.0.0.2", many).split()
        assert "429" in answers
        assert answers.count("200") >= 200
        assert run(*CURL, *codes, "127.0.0.3", f"{there.base}healthz").split() == ["200"]


IDLE, HALF, SLOW, UNREAD = 1500, 300, 300, 12
"""Connections that say nothing, that send half a header,
that send half a body, and that read no answer.
"""


@contextmanager
def slow_clients(there: Behind) -> Iterator[None]:
    """Thousands of connections to a proxy, of some hundred addresses,
    whose requests and answers never end.
    """
    host, port = there.base.removeprefix("https://").rstrip("/").split(":")
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    batch = json.dumps({"states": [find("novice").goal().start] * 10_000, "moves": True}).encode()
    header = (
        f"POST /v1/puzzles/novice/lookup HTTP/1.1\r\nHost: {host}\r\nContent-Type: "
        "application/json\r\n"
    )
    whole = f"{header}Content-Length: {len(batch)}\r\n\r\n".encode() + batch
    sent = (
        [b"GET /healthz HTTP/1.1\r\nHo"] * HALF
        + [whole[: len(whole) // 2]] * SLOW
        + [whole] * UNREAD
    )

    def connect(number: int) -> socket.socket:
        connection = stack.enter_context(socket.socket())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 13)
        connection.settimeout(PATIENCE)
        connection.bind((f"127.0.1.{1 + number % 100}", 0))
        connection.connect((host, int(port)))
        return connection

    with ExitStack() as stack:
        for number in range(IDLE):
            connect(number)
        for number, text in enumerate(sent):
            opened = stack.enter_context(
                trusting.wrap_socket(connect(number), server_hostname=host)
            )
            opened.sendall(text)
        yield


@pytest.mark.slow(60)
@pytest.mark.matrix
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_slow_and_idle_clients_change_nothing(proxy: Any, data: Path, tmp_path: Path) -> None:
    """The service has few connections,
    and is rid of the answers that nobody reads; all are answered meanwhile.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with behind(proxy, data, tmp_path) as there, slow_clients(there):
        (worker,) = there.served.workers()
        port = int(there.served.address.rpartition(":")[2])

        def connections() -> int:
            accepted = worker.net_connections("tcp")
            return sum(
                each.laddr.port == port and each.status == "ESTABLISHED" for each in accepted
            )

        with asking(there.served) as seconds:
            while len(seconds) <= 5:
                assert there.ask(LOOKUP)[0] == 200
                body = json.dumps({"states": [STATE] * 100})
                status, answer, _ = there.ask(
                    "v1/puzzles/novice/lookup", "-H", "Content-Type: application/json", "-d", body
                )
                assert (status, len(json.loads(answer)["results"])) == (200, 100)
        wait_until(lambda: connections() < 40, "the service is rid of every answer")

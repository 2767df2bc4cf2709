"""service/http/docs_page.py and its template: what /docs shows, read as a browser does."""

from __future__ import annotations

import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from puzzlebase.builder import LayersJob, OracleJob, TableJob
from puzzlebase.puzzles import families, find
from puzzlebase.service.http.app import create_app
from puzzlebase.service.problems import EVERY_KIND
from tests.conftest import TABLES, quiet
from tests.http.asking import get

VOID = {"meta", "br", "link", "hr", "img", "input"}
BASE = "http://localhost/"


class Page(HTMLParser):
    """What is on a page; raises AssertionError where an element is not closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.described: list[str] = []
        self.cells: list[str] = []
        self.tables = self.heads = 0
        self.code: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.described += (given.get("aria-labelledby") or "").split()
        if tag == "a":
            self.links.append(given["href"] or "")
        self.tables += tag == "table"
        self.heads += tag == "thead"
        if tag in ("td", "th"):
            self.cells.append("")
        if tag == "code":
            self.code.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content, of a picture."""

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        if self.cells and {"td", "th"} & set(self.open):
            self.cells[-1] += data.strip()
        if "code" in self.open:
            self.code[-1] += data

    def commands(self) -> list[list[str]]:
        """The words of every command shown."""
        lines = [line for code in self.code for line in code.splitlines() if line.startswith("curl ")]
        return [shlex.split(line)[1:] for line in lines]


@pytest.fixture(scope="module")
def page(client: FlaskClient) -> Page:
    return Page(client.get("/docs").text)


def test_every_link_leads_somewhere(client: FlaskClient, page: Page) -> None:
    assert len(set(page.ids)) == len(page.ids)
    inside = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inside | set(page.described) <= set(page.ids)
    outside = [link for link in page.links if not link.startswith("#")]
    assert "openapi.json" in outside
    for link in set(outside):
        assert client.get(f"/{link}").status_code == 200, link


def test_no_cell_is_empty_and_every_table_has_a_head(page: Page) -> None:
    assert len(page.cells) > 300
    assert all(page.cells)
    assert page.heads == page.tables


def test_every_address_says_what_it_takes_and_answers(client: FlaskClient, page: Page) -> None:
    spec: Any = client.get("/openapi.json").json
    text = client.get("/docs").text
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            anchor = f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}"
            article = text.partition(f'<article id="{anchor}"')[2].partition("</article>")[0]
            assert operation["description"] in article.replace("&#39;", "'"), anchor
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in article
            for status, answer in operation["responses"].items():
                for media, content in answer.get("content", {}).items():
                    if media == "application/problem+json" and status != "default":
                        assert f'href="#status-{status}"' in article, (anchor, status)
                    elif media == "application/json":
                        (reference,) = content["schema"].values()
                        assert f'href="#{reference.rpartition("/")[2]}"' in article, anchor
    answers = {name for name in page.ids if name in spec["components"]["schemas"]}
    assert {"LookupAnswer", "MoveAnswer", "Problem", "Limits"} <= answers


def test_every_command_works(client: FlaskClient, page: Page) -> None:
    commands = page.commands()
    assert {len(command) for command in commands} == {1, 3}
    for address, *body in commands:
        assert address.startswith(BASE)
        path = f"/{address.removeprefix(BASE)}"
        response = client.post(path, json=json.loads(body[1])) if body else client.get(path)
        assert response.status_code == 200, response.text
    posted = {address.rpartition("/")[2] for address, *body in commands if body}
    assert posted == {"lookup", "solve", "hint", "grade"}


def test_it_shows_the_largest_table_and_its_farthest_state(client: FlaskClient) -> None:
    text = client.get("/docs").text
    farthest = client.get("/v1/puzzles/avenger/antipodes?limit=1").json
    assert farthest is not None
    assert "52,390,800 states" in text
    assert farthest["states"][0] in text
    assert f"{farthest['distance']} moves from solved" in text
    assert text.count("<figure>") == 1, "all are of one family"
    assert set(TABLES) > {"avenger"}


def test_it_knows_the_address_it_was_asked_at(client: FlaskClient) -> None:
    text = client.get("/docs", headers={"Host": "puzzles.example", "X-Forwarded-Proto": "https"}).text
    assert "curl &#39;https://puzzles.example/" in text or "curl 'https://puzzles.example/" in text
    evil = client.get("/docs", headers={"Host": "x<script>"})
    assert "x<script>" not in evil.text


def test_a_service_without_tables_says_how_to_build_one(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    page = Page(client.get("/docs").text)
    assert "make build-db PUZZLE=avenger" in page.code
    assert not any("lookup?" in link for link in page.links)
    assert [link for link in page.links if link.startswith("v1")]


def test_layers_oracles_and_new_files_are_shown(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    novice, panex, small = find("novice"), find("panex-8"), find("panex-2")
    LayersJob(novice, novice.goal(), tmp_path, report=quiet(), depth=3).build()
    OracleJob(panex, panex.goal(), tmp_path).build()
    text = client.get("/docs").text
    assert "answered by search, from stored layers" in text
    assert "panex-8" in text
    TableJob(small, small.goal(), tmp_path, "test", 1, quiet()).build()
    text = client.get("/docs").text
    shown = {family.name for family in families()} & {novice.family, panex.family}
    assert text.count("<figure>") == len(shown) == 2
    assert "<code>panex-2</code>" in text
    (tmp_path / "panex-2.duckdb").write_bytes(b"damaged")
    assert client.get("/docs").status_code == 200


def test_the_docs_page_stands_alone(client: FlaskClient) -> None:
    page = client.get("/docs").text
    assert client.get("/").headers["Location"] == "/docs"
    assert not re.search(r"<(script|link|img)\b|@import|url\(", page)
    for address in get(client, "/openapi.json")["paths"]:
        assert address in page
    for kind in EVERY_KIND:
        assert f'id="{kind.slug}"' in page


def test_a_page_runs_nothing_and_repeats_no_strange_host(client: FlaskClient) -> None:
    page = client.get("/docs", headers={"Host": "example.org:8080"})
    assert "example.org:8080" in page.text
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "script" not in page.headers["Content-Security-Policy"]
    assert "<script" not in page.text
    assert "evil" not in client.get("/docs", headers={"Host": "evil$(reboot)"}).text
    assert client.get("/healthz").headers["X-Content-Type-Options"] == "nosniff"

"""plugins/page/docs.py and its template: the page /docs, read as a browser does."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from puzzlebase.plugins.page import files
from puzzlebase.puzzles import all_families, find
from puzzlebase.service.error_status import EVERY_KIND
from puzzlebase.service.http.app import create_app
from tests.fixtures import TABLES
from tests.html_page import Page
from tests.http.asking import get

BASE = "http://localhost/"


@pytest.fixture(scope="module")
def page(client: FlaskClient) -> Page:
    return Page(client.get("/docs").text)


def test_all_documents_are_there_if_they_were_made(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the site itself, `make docs-site` checks the links."""
    monkeypatch.setattr(files, "SITE", tmp_path / "documents")
    assert "make docs-site" in client.get("/docs").text
    assert "documents/" not in client.get("/").text
    assert client.get("/documents/").status_code == 404
    (tmp_path / "documents").mkdir()
    (tmp_path / "outside.txt").write_text("not one of them", "utf-8")
    (tmp_path / "documents" / "index.html").write_text("<h1>All documents</h1>", "utf-8")
    for page, link in (("/docs", "documents/"), ("/", "documents/"), ("/play/novice", "../documents/")):
        assert f'href="{link}"' in client.get(page).text
    given = client.get("/documents/")
    assert (given.text, given.content_type) == ("<h1>All documents</h1>", "text/html; charset=utf-8")
    assert "default-src 'self'" in given.headers["Content-Security-Policy"]
    assert client.get("/documents/../outside.txt").status_code == 404


def test_every_link_leads_somewhere(client: FlaskClient, page: Page) -> None:
    assert len(set(page.ids)) == len(page.ids)
    inside = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inside | set(page.described) <= set(page.ids)
    outside = [link for link in page.links if not link.startswith("#")]
    assert "openapi.json" in outside
    assert "./" in outside, "the way home"
    for link in set(outside):
        assert client.get(urljoin("/", link)).status_code == 200, link


def test_every_file_of_the_page_is_served(client: FlaskClient, page: Page) -> None:
    kinds = {client.get(f"/{file}").content_type.partition(";")[0] for file in set(page.files)}
    assert kinds == {"text/css", "text/javascript", "image/svg+xml"}
    assert client.get("/favicon.ico").headers["Location"] == "/icon.svg"
    assert client.get("/icon.svg").content_type.startswith("image/svg+xml")
    (folder,) = {file.rpartition("docs/docs.js")[0] for file in page.files if file.endswith("docs/docs.js")}
    assert client.get(f"/{folder}modules/search.js").status_code == 200  # which docs.js imports


def test_no_row_is_empty_and_no_markup_is_left(page: Page) -> None:
    assert len(page.cells) > 300
    assert all(page.cells)
    assert not [text for text in page.texts if "`" in text or "**" in text or "](" in text]


def test_every_family_shows_its_notation(client: FlaskClient) -> None:
    text = client.get("/docs").text
    for family in all_families():
        puzzle = find(family.example)
        article = entry(text, f"family-{family.name}")
        shown = html.unescape(re.sub(r"<[^>]*>", "", article))
        assert family.title in shown
        assert family.template in shown
        for part in (puzzle.notation.state, puzzle.notation.moves, *puzzle.notation.examples):
            assert part in shown
        for picture in re.findall(r'<img src="([^"]+)"', article):
            assert client.get("/" + html.unescape(picture)).content_type.startswith("image/svg+xml")
        assert article.count("<img") == len(puzzle.notation.examples)


def entry(text: str, anchor: str) -> str:
    """The content of an entry that unfolds."""
    inside = text.partition(f'<details class="entry" id="{anchor}">')[2].partition("</details>")[0]
    assert inside, anchor
    return inside


def test_every_address_says_what_it_takes_and_answers(client: FlaskClient, page: Page) -> None:
    spec: Any = client.get("/openapi.json").json
    text = client.get("/docs").text
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            anchor = f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}"
            article = entry(text, anchor)
            assert operation["description"] in html.unescape(article), anchor
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


def test_it_shows_the_largest_table(client: FlaskClient) -> None:
    assert "52,390,800 states" in client.get("/docs").text
    assert set(TABLES) > {"avenger"}


def test_it_knows_the_address_it_was_asked_at(client: FlaskClient) -> None:
    for headers in ({}, {"X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/p"}):  # from a caller that is no proxy
        text = client.get("/docs", headers={"Host": "puzzles.example", **headers}).text
        assert "curl 'http://puzzles.example/v1" in text.replace("<wbr>", "")
    evil = client.get("/docs", headers={"Host": "x<script>"})
    assert "x<script>" not in evil.text


def test_a_service_without_tables_says_how_to_build_one(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    page = Page(client.get("/docs").text)
    assert "make build-db PUZZLE=avenger" in page.code
    assert page.commands() == [[f"{BASE}v1/puzzles"]]
    assert [link for link in page.links if link.startswith("v1")]


def test_the_docs_page_stands_alone(client: FlaskClient) -> None:
    page = client.get("/docs").text
    assert not re.search(r'(src|href)="(https?:)?//|@import|url\(', page)
    for address in get(client, "/openapi.json")["paths"]:
        assert address in page.replace("<wbr>", "")
    for kind in EVERY_KIND:
        assert f'id="{kind.slug}"' in page

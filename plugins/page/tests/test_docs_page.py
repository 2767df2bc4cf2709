"""plugins/page/docs.py and its template: the page /docs, read as a browser does; and the site of all documents."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from docs import field_tables
from puzzlebase.plugins.page import files
from puzzlebase.service.error_status import EVERY_KIND
from tests.html_page import Page
from tests.http.asking import get


def test_every_link_leads_somewhere(client: FlaskClient) -> None:
    page = Page(client.get("/docs").text)
    assert len({*page.ids}) == len(page.ids)
    inside = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inside | {kind.slug for kind in EVERY_KIND} <= {*page.ids}
    outside = {link for link in page.links if not link.startswith("#")}
    assert "openapi.json" in outside
    for link in outside | {*page.files}:
        assert client.get(urljoin("/", link)).status_code == 200, link


def test_the_page_has_every_address_and_stands_alone(client: FlaskClient) -> None:
    page = client.get("/docs").text
    texts = {*Page(page).texts}
    for path, methods in get(client, "/openapi.json")["paths"].items():
        assert {f"{method.upper()} {path}" for method in methods} <= texts
    assert not [text for text in texts if "**" in text or "](" in text]
    assert not re.search(r'(src|href)="(https?:)?//|@import|url\(', page)


def test_all_documents_are_there_if_they_were_made(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the site itself, `make docs-site` checks the links."""
    monkeypatch.setattr(files, "SITE", tmp_path / "documents")
    assert "documents/" not in client.get("/").text
    assert client.get("/documents/").status_code == 404
    (tmp_path / "documents").mkdir()
    (tmp_path / "outside.txt").write_text("not one of them", "utf-8")
    (tmp_path / "documents" / "index.html").write_text("<h1>All documents</h1>", "utf-8")
    for page, link in (("/docs", "documents/"), ("/", "documents/"), ("/play/novice", "../documents/")):
        assert f'href="{link}"' in client.get(page).text
    site = client.get("/documents/")
    assert (site.text, site.content_type) == ("<h1>All documents</h1>", "text/html; charset=utf-8")
    assert "default-src 'self'" in site.headers["Content-Security-Policy"]
    assert client.get("/documents/../outside.txt").status_code == 404


def test_the_tables_of_fields_are_those_of_the_answers() -> None:
    """If this fails, `make docs` writes them anew."""
    document = field_tables.PAGE.read_text("utf-8")
    assert field_tables.written(document) == document

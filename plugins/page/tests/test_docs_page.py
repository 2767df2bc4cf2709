"""plugins/page/docs.py and its template: the page /docs, read as a browser does."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from docs import field_tables
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


@pytest.mark.needs("formulas")
def test_the_tables_of_fields_are_those_of_the_answers() -> None:
    """If this fails, `make docs` writes them anew."""
    pages = tuple(path.read_text("utf-8") for path in (field_tables.PAGE, field_tables.TYPES))
    assert field_tables.written(*pages) == pages

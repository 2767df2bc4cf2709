"""/docs in a browser: the search field, unfolding, links into the page, and nothing that axe or the console says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playing import watched
from tests.serving import Served


@pytest.fixture(scope="module")
def docs(chromium: Browser, service: Served) -> Iterator[Page]:
    """One page for all tests here: each begins with an address of its own."""
    context = chromium.new_context(base_url=service.address, viewport={"width": 1100, "height": 900})
    with watched(context.new_page()) as page:
        page.goto("/docs")
        yield page
    context.close()


def anew(page: Page, anchor: str = "") -> None:
    """The page as one who follows a link to it finds it."""
    page.goto("about:blank")
    page.goto(f"/docs{anchor}")
    expect(page.locator("#search-bar")).to_be_visible()


def test_the_search_field_leaves_what_has_every_word(docs: Page) -> None:
    anew(docs)
    entries = docs.locator("details.entry")
    texts = [text.lower() for text in entries.evaluate_all("all => all.map(({ textContent }) => textContent)")]
    for query in ("lookup", "PERCENTILE", "percentile daily", "lookup zebra"):
        having = [all(word in text for word in query.lower().split()) for text in texts]
        docs.fill("#search", query)
        shown = sum(having)
        expect(docs.locator("#found")).to_have_text(f"{shown} of {len(texts)}" if shown else "nothing has this")
        assert entries.evaluate_all("all => all.map((entry) => !entry.hidden)") == having
        opened = entries.evaluate_all("all => all.map((entry) => !entry.hidden && entry.open)")
        assert opened == [each and shown <= 6 for each in having]
    docs.press("#search", "Escape")
    expect(docs.locator("#search")).to_have_value("")
    expect(docs.locator("details.entry:not([hidden])")).to_have_count(len(texts))
    expect(docs.locator("details.entry[open]")).to_have_count(0)


def test_a_link_opens_the_entry_that_it_leads_to(docs: Page) -> None:
    """From elsewhere, and from the page's own list of contents; also to an entry that a search has hidden."""
    anew(docs, "#status-400")
    expect(docs.locator("#status-400")).to_have_attribute("open", "")
    expect(docs.locator("#status-400")).to_be_in_viewport()
    anew(docs)
    docs.fill("#search", "antipodes")
    link = docs.get_by_role("navigation", name="Contents").locator("ul ul a").first
    anchor = link.get_attribute("href") or ""
    link.click()
    entry = docs.locator(anchor)
    expect(entry).to_be_in_viewport()
    assert entry.evaluate("(entry) => entry.closest('details').open")
    assert docs.url.endswith(anchor)

"""The board of each family, at two widths, light and dark, is what the kept pictures show.

A picture that is missing is drawn and kept, and its test fails once: look at it before you commit it.
"""

from __future__ import annotations

import base64
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import ONE_AND_MORE
from tests.browser.playing import open_puzzle, watched

STORED = Path(__file__).parent / "pictures"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MOST_BYTES = 20_000
TOLERANCE = 0.01
"""The part of a picture's pixels that may differ: browsers smooth edges in their own ways."""

DIFFERENCE = """async ([one, other]) => {
    const pixels = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.getContext("2d").getImageData(0, 0, image.width, image.height);
    };
    const [first, second] = [await pixels(one), await pixels(other)];
    if (first.width !== second.width || first.height !== second.height) return 1;
    let different = 0;
    for (let at = 0; at < first.data.length; at += 4) {
        const far = (channel) => Math.abs(first.data[at + channel] - second.data[at + channel]);
        if (Math.max(far(0), far(1), far(2)) > 48) different += 1;
    }
    return (4 * different) / first.data.length;
}"""

ON_WHOLE_PIXELS = """() => {
    const board = document.querySelector("#board");
    const { width, height } = board.getBoundingClientRect();
    const { backgroundColor } = getComputedStyle(document.body);
    board.parentElement.style.minHeight = `${height}px`;
    const size = { width: `${Math.round(width)}px`, height: `${Math.round(height)}px` };
    Object.assign(board.style, { position: "fixed", inset: "0 auto auto 0", zIndex: 9, backgroundColor, ...size });
}"""
"""Put the board where no text is above it, whose height differs from font to font."""


def source(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def hinted(page: Page) -> None:
    """Have the arrow on the board, unless it is solved, and no letters: fonts differ from machine to machine."""
    for _ in range(0 if page.locator("#hint").get_attribute("aria-disabled") else 3):
        page.click("#hint")
        expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
    page.evaluate("document.querySelectorAll('#board text').forEach(text => text.style.visibility = 'hidden')")
    page.evaluate("document.activeElement.blur()")
    page.locator("#badge").evaluate("badge => badge.style.visibility = 'hidden'")


def drawn(page: Page, width: int, scheme: Literal["light", "dark"]) -> bytes:
    """The board alone, on a screen of this width."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.locator("#board").evaluate(
        "board => board.style.cssText = 'shape-rendering: crispEdges'"
    )  # a third of the bytes
    page.evaluate(ON_WHOLE_PIXELS)
    return page.locator("#board").screenshot(animations="disabled")


@pytest.mark.parametrize("name", ONE_AND_MORE)
def test_boards_look_as_they_did(context: BrowserContext, name: str) -> None:
    new = []
    with watched(context.new_page()) as page, watched(context.new_page()) as scale:
        state = page.request.get(f"/v1/puzzles/{name}/random?seed=picture").json()["state"]
        open_puzzle(page, name, state)
        hinted(page)
        for width, scheme in product((360, 1100), SCHEMES):
            picture = drawn(page, width, scheme)
            stored = STORED / f"{name}-{width}-{scheme}.png"
            if not stored.exists():
                stored.parent.mkdir(exist_ok=True)
                stored.write_bytes(picture)
                new.append(stored.name)
            assert stored.stat().st_size <= MOST_BYTES, stored.name
            assert scale.evaluate(DIFFERENCE, [source(stored.read_bytes()), source(picture)]) <= TOLERANCE, stored.name
    assert not new, f"look at these, then commit them: {new}"

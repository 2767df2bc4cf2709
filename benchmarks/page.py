"""The page of the Avenger in Chromium: its first view, and the time until a move is drawn.

The service is as `make serve` runs it, the browser without a window and without a graphics card, both over loopback on
the same processors. A *first view* has an empty cache. Bytes are those of bodies as they are sent. A round trip is a
step in the longest chain of requests that had to wait for one another. The page comes first, then the files that its
`<head>` names, then those that its modules ask for. The view is *drawn* when the board and its moves are there. A
click is a real one on the button of a random move. The time is from the event, as the browser stamps it, to the end of
the first frame in which pieces have moved: without motion they have arrived, with motion they are under way. The next
click comes a tenth of a second later, faster than people click, so the last move is still in motion. Frames are those
of a turn of 180 degrees, 420 ms.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.build import need
from benchmarks.figures import Figure, Measured
from tests.browser.chromium import browser
from tests.serving import Served, serving

_VIEWS = 15
_CLICKS = 200
_TURNS = 25
_PAUSE = 100
"""Milliseconds from a move that is drawn to the next click."""

_STATE = ".C.E.DAB.BDAEA.ECDBC."
_NOTE_DRAWN = """new MutationObserver((_, watch) => {
    if (!document.querySelector("#moves button")) return;
    window.drawnAt = performance.now();
    watch.disconnect();
}).observe(document, { childList: true, subtree: true });"""
_WATCH_CLICKS = """() => {
    window.drawn = [];
    const pieces = document.querySelector("#board .pieces");
    const turned = ({ transform: { baseVal } }) => {
        const { a, b, e, f } = Array.from(baseVal).reduce((all, { matrix }) => all.multiply(matrix), new DOMMatrix());
        return [a, b, e, f].map((number) => number.toFixed(2));
    };
    const paths = () => [...pieces.querySelectorAll("path")];
    const drawn = () => paths().map((path) => [path.getAttribute("d"), turned(path)]).join();
    let before = "";
    document.addEventListener("click", () => (before = drawn()), { capture: true });
    document.addEventListener("click", ({ timeStamp }) => {
        const frame = () => {  // asked for after the page's own, so it sees what this frame draws
            if (drawn() === before) return requestAnimationFrame(frame);
            const channel = new MessageChannel();  // a task after the frame
            channel.port1.onmessage = () => window.drawn.push(performance.now() - timeStamp);
            channel.port2.postMessage(null);
        };
        requestAnimationFrame(frame);
    });
}"""
_MIDDLES = """(buttons) => buttons.map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
})"""
_COUNT_FRAMES = """async () => {
    const button = [...document.querySelectorAll("#moves button")].find(({ textContent }) => textContent === "L3");
    const frames = [];
    let going = true;
    const frame = (now) => { frames.push(now); if (going) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    button.click();
    await new Promise((done) => setTimeout(done, 420));
    going = false;
    return 1000 * (frames.length - 1) / (frames.at(-1) - frames[0]);
}"""


def measure(data: Path) -> Measured:
    """Needs the table of avenger, and builds it if it is missing."""
    need("avenger", data)
    with serving(data) as served, browser() as chromium:
        return {
            "First view": _first_views(chromium, served),
            "Moves": [*_clicks(chromium, served), *_frames(chromium, served)],
        }


def _first_views(chromium: Browser, served: Served) -> list[Figure]:
    views = [_first_view(chromium, served) for _ in range(_VIEWS)]
    names = {
        "drawn after": "ms",
        "bytes": "bytes",
        "of them scripts": "bytes",
        "requests": "",
        "round trips until it is drawn": "",
    }
    targets = {"bytes": "< 100,000", "round trips until it is drawn": "2"}
    return [Figure(name, unit, [view[name] for view in views], targets.get(name, "")) for name, unit in names.items()]


def _first_view(chromium: Browser, served: Served) -> dict[str, float]:
    context = chromium.new_context(base_url=served.address)
    context.add_init_script(_NOTE_DRAWN)
    page = context.new_page()
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(f"/play/avenger?state={_STATE}")
    page.wait_for_selector("#moves button")
    page.wait_for_load_state("networkidle")
    drawn: float = page.evaluate("window.drawnAt")
    asked: list[Any] = page.evaluate(
        "performance.getEntriesByType('resource').map((each) => [each.name, each.startTime, each.initiatorType])"
    )
    needed = {served.address + f"/play/avenger?state={_STATE}"} | {name for name, start, _ in asked if start < drawn}
    ahead = f"{served.address}/v1/puzzles/avenger/lookup"  # for the next moves, in the moment of drawing
    late = [name for name, start, kind in asked if start < drawn and kind == "fetch" and name != ahead]
    context.close()
    return {
        "drawn after": drawn,
        "bytes": float(sum(sizes[name] for name in needed)),
        "of them scripts": float(sum(sizes[name] for name in needed if name.endswith(".js"))),
        "requests": float(len(needed)),
        "round trips until it is drawn": 3.0 if late else 2.0,
    }


def _clicks(chromium: Browser, served: Served) -> list[Figure]:
    figures = []
    for motion, what in (("reduce", "the move drawn"), ("no-preference", "the first frame of its motion")):
        context = chromium.new_context(base_url=served.address, reduced_motion=motion)  # type: ignore[arg-type]
        page = _opened(context.new_page())
        page.evaluate(_WATCH_CLICKS)
        draw = random.Random(21)  # noqa: S311 (the same moves each time)
        middles = page.locator("#moves button").evaluate_all(_MIDDLES)
        for clicked in range(_CLICKS):
            page.mouse.click(*draw.choice(middles))
            page.wait_for_function("count => window.drawn.length === count", arg=clicked + 1)
            page.wait_for_timeout(_PAUSE)
        taken: list[float] = sorted(page.evaluate("window.drawn"))
        figures.append(Figure(f"from a click to {what}", "ms", taken))
        figures.append(Figure("the same, 95 of 100 within", "ms", [taken[95 * _CLICKS // 100]], "< 50"))
        context.close()
    return figures


def _frames(chromium: Browser, served: Served) -> list[Figure]:
    context = chromium.new_context(base_url=served.address)
    page = _opened(context.new_page())
    rates: list[float] = [page.evaluate(_COUNT_FRAMES) for _ in range(_TURNS)]
    context.close()
    return [Figure("frames while a wheel turns", "per second", rates)]


def _opened(page: Page) -> Page:
    page.goto(f"/play/avenger?state={_STATE}")
    page.wait_for_selector("#moves button")
    page.wait_for_load_state("networkidle")
    return page

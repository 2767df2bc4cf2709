// The search field of /docs, and the entries that open when a link leads to them. The page is whole without it.

import { all, byId } from "../modules/dom.js";
import { hasAll, placesOf, wordsOf } from "../modules/search.js";

const FEW = 6; // entries that open by themselves when a search leaves no more of them

const bar = byId("search-bar");
const field = /** @type {HTMLInputElement} */ (byId("search"));
const found = byId("found");
const unfold = byId("unfold");
const entries = /** @type {HTMLDetailsElement[]} */ (all("details.entry"));
let unfolded = false;
const texts = new Map(entries.map((entry) => [entry, entry.textContent ?? ""]));

function search() {
  const words = wordsOf(field.value);
  const shown = entries.filter((entry) => hasAll(texts.get(entry) ?? "", words));
  for (const entry of entries) {
    entry.hidden = !shown.includes(entry);
    if (words.length) entry.open = shown.length <= FEW;
  }
  if (!words.length) fold(false);
  for (const section of all("main > section")) {
    section.hidden = words.length > 0 && !section.querySelector("details.entry:not([hidden])");
  }
  for (const part of all("[data-beside]")) part.hidden = words.length > 0;
  const count = shown.length === 0 ? "nothing has this" : `${shown.length} of ${entries.length}`;
  found.textContent = words.length ? count : "";
  mark(shown, words);
}

/** @param {HTMLElement[]} shown @param {string[]} words */
function mark(shown, words) {
  if (!("highlights" in CSS)) return;
  const ranges = words.length ? shown.flatMap((entry) => rangesIn(entry, words)) : [];
  CSS.highlights.set("found", new Highlight(...ranges));
}

/** @param {HTMLElement} entry @param {string[]} words */
function rangesIn(entry, words) {
  const ranges = [];
  const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [from, to] of placesOf(node.nodeValue ?? "", words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
  return ranges;
}

/** @param {boolean} open */
function fold(open) {
  for (const entry of entries) if (!entry.hidden) entry.open = open;
  unfold.textContent = open ? "Fold all" : "Unfold all";
  unfolded = open;
}

function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (field.value && target.closest("[hidden]")) {
    field.value = "";
    search();
  }
  for (let entry = target.closest("details"); entry; entry = entry.parentElement?.closest("details") ?? null) {
    entry.open = true;
  }
  target.scrollIntoView();
}

bar.hidden = false;
field.addEventListener("input", search);
unfold.addEventListener("click", () => fold(!unfolded));
addEventListener("hashchange", follow);
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (event.key === "Escape" && event.target === field) {
    field.value = "";
    search();
  } else if (event.key === "Enter" && event.target === field) {
    entries.find((entry) => !entry.hidden)?.querySelector("summary")?.focus();
  }
});
if (field.value) search();
follow();

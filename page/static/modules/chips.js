import { html } from "./dom.js";

/**
 * A button whose move stays is left where it is: it may be pressed or in focus just now.
 * @param {HTMLElement} element @param {BoardMove[]} moves @param {Player} player
 */
export function showChips(element, moves, player) {
  const there = new Map([...element.children].map((chip) => [chip.textContent, chip]));
  const chips = moves.map(({ move, group }) => {
    const label = `${move}, ${group}`;
    const chip = there.get(move);
    if (chip?.getAttribute("aria-label") === label) return chip;
    const click = () => player.press(move);
    return html("button", { type: "button", class: "chip", part: "button move", "aria-label": label, click, ...player.pointing(move) }, move);
  });
  const focused = element.contains(document.activeElement);
  for (const chip of [...element.children]) if (!chips.includes(chip)) chip.remove();
  for (const [at, chip] of chips.entries()) if (chip !== element.children[at]) element.insertBefore(chip, element.children[at] ?? null);
  const [first] = chips;
  if (focused && !element.contains(document.activeElement) && first instanceof HTMLElement) first.focus({ preventScroll: true });
}

import { button, counted, html } from "./dom.js";
import { givenUp } from "./problem.js";
import { noteSolved } from "./progress.js";

/** @param {Player} player @param {NewPositions} positions @param {Worth} worth @param {() => void} again */
export function afterGame(player, positions, worth, again) {
  const { harder, kind, level, name, next } = positions;
  const result = { stars: worth.stars, wasted: worth.wasted === null ? null : Number(worth.wasted) };
  const noted = noteSolved(name, level ? "start" : (kind.difficulty ?? ""), result, !player.game.shown, kind.daily);
  const share = button("Share", () => send(share, shared(player, positions, worth)));
  return [
    html("p", { class: "soft best" }, [bestOf(noted, result), daysOf(noted.days)].filter(Boolean).join(" ")),
    html("div", { class: "after" },
      level?.next ? html("a", { class: "main", href: level.next }, "Next level") : button("Next", () => positions.draw(next), { class: "main" }),
      harder ? button("Harder", () => positions.draw(harder)) : null,
      button("Again", again),
      share),
  ];
}

/** @param {ReturnType<typeof noteSolved>} noted @param {{ stars: number, wasted: number | null }} result */
function bestOf({ best, better }, result) {
  if (!best) return "";
  if (better) return "Your best of this kind so far!";
  if (best.stars === result.stars && best.wasted === result.wasted) return "";
  return `Your best of this kind: ${best.stars} of 3 stars${best.wasted === null ? "" : `, ${counted(best.wasted, "move")} wasted`}.`;
}

/** @param {number} days */
function daysOf(days) {
  return days > 1 ? `Daily games on ${days} days in a row.` : days === 1 ? "That was a daily game: come back tomorrow for the next." : "";
}

/** @param {Player} player @param {NewPositions} positions @param {Worth} worth */
function shared({ game }, { kind, title }, { stars, length, wasted, hints }) {
  const difficulty = kind.difficulty === "first" ? "first steps" : (kind.difficulty ?? "");
  const what = kind.daily ? `${title} daily ${kind.daily}` : [title, difficulty].join(" ").trim();
  const help = hints.includes(4) ? " · solution shown" : hints.length > 0 ? " · with hints" : "";
  const more = wasted === null ? "" : Number(wasted) <= 0 ? ", the fewest" : `, ${wasted} more than the fewest`;
  const address = new URL(location.href);
  const goal = address.searchParams.get("goal");
  address.search = "";
  if (goal) address.searchParams.set("goal", goal);
  address.searchParams.set(kind.daily ? "daily" : "state", kind.daily ?? game.start);
  return { text: `${what} · ${counted(length, "move")}${more} · ${"★".repeat(stars)}${"☆".repeat(3 - stars)}${help}`, url: address.href };
}

/**
 * Where sharing and copying are not allowed, show the line to be copied.
 * @param {HTMLElement} pressed @param {ReturnType<typeof shared>} line
 */
async function send(pressed, line) {
  const whole = `${line.text}\n${line.url}`;
  try {
    const shares = "share" in navigator;
    await (shares ? navigator.share(line) : navigator.clipboard.writeText(whole));
    pressed.textContent = shares ? "Shared" : "Copied";
  } catch (error) {
    if (givenUp(error)) return;
    const text = html("textarea", { readonly: true, rows: 2, "aria-label": "To be copied" }, whole);
    const place = pressed.closest(".solved");
    place?.querySelector("textarea")?.remove();
    place?.append(text);
    text.select();
  }
}

import { store, stored } from "./storage.js";

const PLACE = "puzzlebase looks";

/** The board looks as the player of this browser chose. @param {Controls} controls */
export function showLooks({ byId, player: { view } }) {
  const [theme, net] = /** @type {[HTMLSelectElement, HTMLInputElement]} */ ([byId("theme"), byId("net")]);
  const kept = stored("localStorage", PLACE) ?? {};
  theme.value = kept.theme ?? "letters";
  net.checked = kept.net ?? false;
  wear();
  byId("looks").addEventListener("change", wear);

  function wear() {
    const wanted = { theme: theme.value, net: net.checked };
    store("localStorage", PLACE, wanted);
    view.wear(wanted);
  }
}

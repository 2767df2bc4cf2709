import { store, stored } from "./storage.js";

const PLACE = "puzzlebase looks";

/** The board looks as the player of this browser chose. @param {Controls} controls */
export function showLooks({ byId, player: { view } }) {
  const theme = /** @type {HTMLSelectElement} */ (byId("theme"));
  theme.value = stored("localStorage", PLACE)?.theme ?? "letters";
  const wear = () => view.wear({ theme: theme.value });
  theme.addEventListener("change", () => {
    store("localStorage", PLACE, { theme: theme.value });
    wear();
  });
  wear();
}

/** The address always names the state: a link is a position, and the back button is undo. */

import { store, stored } from "./storage.js";

const PAUSE = 250;

export function stateInAddress() {
  return new URLSearchParams(location.search).get("state") ?? undefined;
}

/** Games are kept for the tab, so that they outlast a reload. @param {Player} player */
export function keepAddress(player) {
  const { game } = player;
  let id = "";
  let going = false;
  let timer = 0;

  player.on("change", ({ kind }) => {
    if (going) return;
    const first = id === "";
    if (kind === "begin") id = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    const entry = { id, at: game.at, before: kind === "begin" ? null : (history.state?.at ?? null) };
    if (["move", "redo", "line"].includes(kind) || (kind === "begin" && !first)) history.pushState(entry, "", present());
    else if (first) history.replaceState(entry, "", present());
    else replaceSoon();
    save();
  });
  game.on("help", save);
  addEventListener("popstate", () => {
    const { id: other, at } = history.state ?? {};
    const state = stateInAddress();
    if (location.hash) return;
    going = true;
    const saved = other === id ? null : savedGame(other ?? "");
    if (other === id && game.states[at] !== undefined) game.goTo(at);
    else if (saved) game.load(saved, at);
    else if (state) game.begin(state);
    if (other) id = other;
    going = false;
    player.restore();
  });

  /** Browsers bound how often the address may change. */
  function replaceSoon() {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState({ id, at: game.at, before: history.state?.before ?? null }, "", present()), PAUSE);
  }

  function present() {
    const address = new URL(location.href);
    address.searchParams.set("state", game.state);
    address.searchParams.delete("daily");
    address.searchParams.delete("moves");
    address.hash = "";
    return address.href;
  }

  function save() {
    const { moves, states, hints } = game;
    store("sessionStorage", `game ${id}`, { moves, states, hints });
  }

  return {
    /** Go back to the game that the address was left with, if there is one. */
    resume() {
      const { id: left, at } = history.state ?? {};
      const saved = typeof left === "string" ? savedGame(left) : null;
      if (!saved || saved.states[at] !== stateInAddress()) return false;
      id = left;
      going = true;
      game.load(saved, at);
      going = false;
      return true;
    },

    /** Undo goes back in the browser's history where the entry before this one is the move before. @param {number} by */
    go(by) {
      const { id: here, at, before } = history.state ?? {};
      if (here === id && at === game.at && by === -1 && before === at - 1) history.back();
      else game.goTo(game.at + by);
    },
  };
}

/** @param {string} id @returns {Saved | null} */
function savedGame(id) {
  return stored("sessionStorage", `game ${id}`);
}

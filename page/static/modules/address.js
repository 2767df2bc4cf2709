/** The address always names the state: a link is a position, and the back button is undo. */

import { store, stored } from "./storage.js";

const PAUSE = 250;

export class Address {
  #game = "";
  #going = false;
  #timer = 0;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    player.on("change", (detail) => this.#changed(detail.kind));
    player.game.on("help", () => this.#save());
    addEventListener("popstate", () => this.#popped());
  }

  static state() {
    return new URLSearchParams(location.search).get("state") ?? undefined;
  }

  /** Go back to the game that the address was left with, if there is one. */
  resume() {
    const { id, at } = history.state ?? {};
    const saved = typeof id === "string" ? savedGame(id) : null;
    if (!saved || saved.states[at] !== Address.state()) return false;
    this.#game = id;
    this.#going = true;
    this.player.game.load(saved, at);
    this.#going = false;
    return true;
  }

  /** Undo goes back in the browser's history where the entry before this one is the move before. @param {number} by */
  go(by) {
    const { game } = this.player;
    const { id, at, before } = history.state ?? {};
    if (id === this.#game && at === game.at && by === -1 && before === at - 1) history.back();
    else game.goTo(game.at + by);
  }

  /** @param {string} kind */
  #changed(kind) {
    if (this.#going) return;
    const { game } = this.player;
    const first = this.#game === "";
    if (kind === "begin") this.#game = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    const entry = { id: this.#game, at: game.at, before: kind === "begin" ? null : (history.state?.at ?? null) };
    if (["move", "redo", "line"].includes(kind) || (kind === "begin" && !first)) history.pushState(entry, "", this.#of(game.state));
    else if (first) history.replaceState(entry, "", this.#of(game.state));
    else this.#replaceSoon();
    this.#save();
  }

  /** Browsers bound how often the address may change. */
  #replaceSoon() {
    clearTimeout(this.#timer);
    this.#timer = Number(
      setTimeout(() => {
        const { game } = this.player;
        const before = history.state?.before ?? null;
        history.replaceState({ id: this.#game, at: game.at, before }, "", this.#of(game.state));
      }, PAUSE),
    );
  }

  /** @param {string} state */
  #of(state) {
    const address = new URL(location.href);
    address.searchParams.set("state", state);
    address.searchParams.delete("daily");
    address.hash = "";
    return address.href;
  }

  #popped() {
    const { id, at } = history.state ?? {};
    const { game } = this.player;
    const state = Address.state();
    if (location.hash) return;
    this.#going = true;
    const saved = id === this.#game ? null : savedGame(id ?? "");
    if (id === this.#game && game.states[at] !== undefined) game.goTo(at);
    else if (saved) game.load(saved, at);
    else if (state) game.begin(state);
    if (id) this.#game = id;
    this.#going = false;
    this.player.restore();
  }

  #save() {
    store(() => sessionStorage, `game ${this.#game}`, this.player.game.save());
  }
}

/** @param {string} id @returns {Saved | null} */
function savedGame(id) {
  return stored(() => sessionStorage, `game ${id}`);
}

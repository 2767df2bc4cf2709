export class Events extends EventTarget {
  /** @param {string} type @param {(detail: any) => unknown} listener */
  on(type, listener) {
    this.addEventListener(type, (event) => listener(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

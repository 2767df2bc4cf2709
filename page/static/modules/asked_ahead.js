/** The answers that the page's head asks for before any script runs. */

/**
 * A fetch that uses the very addresses of the head's preloads, however their fields are written, so that each is asked
 * for once.
 * @returns {typeof fetch}
 */
export function askedAhead() {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const links = document.querySelectorAll('link[rel="preload"][as="fetch"]');
  const ahead = new Map([...links].map(({ href }) => [plain(new URL(href)), href]));
  return (asked, request) => {
    const address = asked instanceof URL ? plain(asked) : "";
    const href = request?.method ? undefined : ahead.get(address);
    ahead.delete(address);
    return fetch(href ?? asked, request);
  };
}

/** @param {URL} address */
function plain({ pathname, searchParams }) {
  return JSON.stringify([decodeURIComponent(pathname), [...searchParams].sort()]);
}

const POSTED_OR_DRAWN = /\/(lookup|hint|grade|solve)$|\/random(\?|$)/;

/**
 * What this page has asked for before the worker saw it is asked for again through it, so that the first visit is kept
 * too.
 * @param {URL} base @param {string[]} more
 */
export async function keepForLater(base, more = []) {
  if (!("serviceWorker" in navigator)) return; // as on addresses without https
  const seen = navigator.serviceWorker.controller !== null;
  await navigator.serviceWorker.register(new URL("service-worker.js", base)).catch(() => null);
  const { active } = await navigator.serviceWorker.ready;
  const asked = seen ? [] : [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)];
  const names = asked.filter((name) => name.startsWith(base.href) && !POSTED_OR_DRAWN.test(name));
  active?.postMessage([...names, ...more.map((path) => new URL(path, base).href)]);
}

/**
 * Lets a published folder load without a connection. A release takes the place of the former one as a whole.
 *
 * `publish` puts a line before this one that sets `puzzlebase`: the digest of the release, the SHA-256 of every file,
 * and the files of the pages. Those come at once; the files of tables are kept when they have been fetched. Each is
 * compared with its SHA-256, so files of two releases are never kept together. Of tables that are read by ranges nothing
 * is kept.
 */

/** @typedef {{ release: string, files: Record<string, string>, pages: string[] }} Release */

const scope = /** @type {any} */ (self);
const { release, files: digests, pages } = /** @type {Release} */ (scope.puzzlebase);
/** @type {ServiceWorkerRegistration} */
const registration = scope.registration;
const FOLDER = new URL("./", self.location.href);
const OURS = `puzzlebase ${FOLDER.pathname} `;
const RELEASE = OURS + release;
const BEGIN = "begin";
const EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>';
/** Browsers may ask twice for what goes through a worker. */
const AHEAD = /<link rel="(module)?preload"[^>]*>/g;

scope.addEventListener("install", (/** @type {Lasting} */ event) => {
  event.waitUntil(arrive(event));
});
scope.addEventListener("activate", (/** @type {Lasting} */ event) => {
  event.waitUntil(clear().then(() => scope.clients.claim()));
});
scope.addEventListener("message", (/** @type {Lasting & { data: string | string[] }} */ event) => {
  if (event.data === BEGIN) scope.skipWaiting();
  else if (Array.isArray(event.data)) event.waitUntil(Promise.all(event.data.map((address) => have(pathOf(address), event))));
});
scope.addEventListener("fetch", (/** @type {Asked} */ event) => {
  const { method, mode, url, headers } = event.request;
  const path = pathOf(url);
  if (method !== "GET" || !Object.hasOwn(digests, path)) return;
  event.respondWith(headers.has("Range") ? part(event.request, path) : mode === "navigate" ? opened(event, path) : file(event, path));
});

/** @param {string} address */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  if (origin !== FOLDER.origin || !pathname.startsWith(FOLDER.pathname)) return "";
  return decodeURIComponent(pathname.slice(FOLDER.pathname.length)).replace(/(^|\/)$/, "$1index.html");
}

/** Have all files of the pages, and those of tables that the former release had as they are now. @param {Lasting} event */
async function arrive(event) {
  const former = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== RELEASE);
  for (const name of former) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) await keep(pathOf(url), await cache.match(url), event);
  }
  const found = await Promise.all(pages.map((path) => have(path, event)));
  if (found.includes(null)) throw new Error("these are files of two releases; the browser tries again later");
}

async function clear() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== RELEASE).map((name) => caches.delete(name)));
}

/** @param {string} path */
async function cached(path) {
  return (await caches.open(RELEASE)).match(new URL(path, FOLDER));
}

/** A file of this release, kept from now on; null where the host has none. @param {string} path @param {Lasting} event */
async function have(path, event) {
  if (!Object.hasOwn(digests, path)) return null;
  const found = await cached(path);
  // past what the browser holds of former releases
  return found ?? keep(path, await fetch(new URL(path, FOLDER), { cache: "no-cache" }).catch(() => undefined), event);
}

/** Null if it is not the file of this release. @param {string} path @param {Response | undefined} found @param {Lasting} event */
async function keep(path, found, event) {
  if (!Object.hasOwn(digests, path) || !found?.ok) return null;
  const content = await found.arrayBuffer();
  const digest = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", content)), (byte) => byte.toString(16).padStart(2, "0"));
  if (digest.join("") !== digests[path]) return null;
  const headers = new Headers(found.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const text = headers.get("Content-Type")?.startsWith("text/html") ? new TextDecoder().decode(content) : null;
  const answer = new Response(text?.replaceAll(AHEAD, "") ?? content, { headers });
  const copy = answer.clone();
  const put = async () => (await caches.open(RELEASE)).put(new URL(path, FOLDER), copy);
  event.waitUntil(put().catch(() => null)); // there may be no room
  return answer;
}

/** Whether another release was told to begin: this one shows no page any more. */
let leaving = false;

/** @param {Asked} event @param {string} path */
async function file(event, path) {
  const found = await have(path, event);
  if (found) return found;
  try {
    const answer = await fetch(event.request);
    return answer.ok ? new Response(null, { status: 409, statusText: "a file of another release" }) : answer;
  } catch (error) {
    if (event.request.destination !== "image") throw error;
    return new Response(EMPTY_PICTURE, { headers: { "Content-Type": "image/svg+xml" } });
  }
}

/** Some bytes of the file that is kept, else from the host. @param {Request} request @param {string} path */
async function part(request, path) {
  const [, from, last] = request.headers.get("Range")?.match(/^bytes=(\d+)-(\d+)$/) ?? [];
  const whole = from && last && (await (await cached(path))?.blob());
  if (!whole || Number(last) >= whole.size) return fetch(request);
  const headers = { "Content-Range": `bytes ${from}-${last}/${whole.size}` };
  return new Response(whole.slice(Number(from), Number(last) + 1), { status: 206, headers });
}

/**
 * Where the host has another release, that takes over first, once no other page is open.
 * @param {Asked} event @param {string} path
 */
async function opened(event, path) {
  const found = await have(path, event);
  if (!found) await newest();
  const { waiting } = registration;
  leaving ||= waiting !== null && (await scope.clients.matchAll({ type: "window" })).length < 2;
  if (leaving) {
    waiting?.postMessage(BEGIN);
    return new Response("", { headers: { "Content-Type": "text/html", Refresh: "1" } }); // the other begins between requests
  }
  if (found) return found;
  const answer = await fetch(event.request);
  return waiting && answer.ok ? new Response(CLOSE, { headers: { "Content-Type": "text/html" } }) : answer;
}

async function newest() {
  await registration.update().catch(() => null);
  const { installing } = registration;
  if (!installing) return;
  await new Promise((resolve) => installing.addEventListener("statechange", resolve, { once: true }));
}

const CLOSE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Puzzles</title>
<p>There is a new release of these puzzles. Close their other tabs, then reload this page.</p></html>`;

/**
 * Lets a published folder load without a connection. A release takes the place of the former one as a whole.
 *
 * `publish` puts a line before this one that sets `puzzlebase`: the digest of the release, the SHA-256 of every file, and
 * the files of the pages. Those come at once; the files of tables are kept when they have been fetched. Each is compared
 * with its SHA-256, so files of two releases are never kept together. Of tables that are read by ranges nothing is kept.
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
/** What a page's head asks for ahead: the files are here, and browsers may ask twice for what goes through a worker. */
const AHEAD = /<link rel="(module)?preload"[^>]*>/g;

scope.addEventListener("install", (/** @type {Lasting} */ event) => {
  event.waitUntil(arrive());
});
scope.addEventListener("activate", (/** @type {Lasting} */ event) => {
  event.waitUntil(clear().then(() => scope.clients.claim()));
});
scope.addEventListener("message", (/** @type {Lasting & { data: string | string[] }} */ event) => {
  if (event.data === BEGIN) scope.skipWaiting();
  else if (Array.isArray(event.data)) event.waitUntil(Promise.all(event.data.map((address) => have(pathOf(address)))));
});
scope.addEventListener("fetch", (/** @type {Asked} */ event) => {
  const { method, mode, url, headers } = event.request;
  const path = pathOf(url);
  if (method !== "GET" || !(path in digests) || headers.has("Range")) return;
  event.respondWith(mode === "navigate" ? opened(event.request, path) : file(event.request, path));
});

/** The path of a file in the folder, "" for one elsewhere. @param {string} address */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  if (origin !== FOLDER.origin || !pathname.startsWith(FOLDER.pathname)) return "";
  return decodeURIComponent(pathname.slice(FOLDER.pathname.length)).replace(/(^|\/)$/, "$1index.html");
}

/** Have all files of the pages, and those of tables that the former release had as they are now. */
async function arrive() {
  const former = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== RELEASE);
  for (const name of former) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) await keep(pathOf(url), await cache.match(url));
  }
  const found = await Promise.all(pages.map((path) => have(path)));
  if (found.includes(null)) throw new Error("these are files of two releases; the browser tries again later");
}

/** Releases that no page uses go. */
async function clear() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== RELEASE).map((name) => caches.delete(name)));
}

/** A file that is kept. @param {string} path */
async function cached(path) {
  return (await caches.open(RELEASE)).match(new URL(path, FOLDER));
}

/**
 * A file of this release, kept from now on; null where the host has none. Fetched past what the browser holds of former
 * releases.
 * @param {string} path
 */
async function have(path) {
  if (!(path in digests)) return null;
  const found = await cached(path);
  return found ?? keep(path, await fetch(new URL(path, FOLDER), { cache: "no-cache" }).catch(() => undefined));
}

/**
 * Keep a file and give it, if it is the one of this release; else null.
 * @param {string} path
 * @param {Response | undefined} found
 */
async function keep(path, found) {
  if (!(path in digests) || !found?.ok) return null;
  const content = await found.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") !== digests[path]) return null;
  const headers = new Headers(found.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const text = headers.get("Content-Type")?.startsWith("text/html") ? new TextDecoder().decode(content) : null;
  const answer = new Response(text?.replaceAll(AHEAD, "") ?? content, { headers });
  const cache = await caches.open(RELEASE);
  await cache.put(new URL(path, FOLDER), answer.clone()).catch(() => null); // there may be no room
  return answer;
}

/** Whether another release was told to begin: this one shows no page any more. */
let leaving = false;

/**
 * @param {Request} request
 * @param {string} path
 */
async function file(request, path) {
  const found = await have(path);
  if (found) return found;
  const answer = await fetch(request);
  return answer.ok ? new Response(null, { status: 409, statusText: "a file of another release" }) : answer;
}

/**
 * A page. Where the host has another release, that takes over first, once no other page is open.
 * @param {Request} request
 * @param {string} path
 */
async function opened(request, path) {
  const found = await have(path);
  if (!found) await newest();
  const { waiting } = registration;
  leaving ||= waiting !== null && (await scope.clients.matchAll({ type: "window" })).length < 2;
  if (leaving) {
    waiting?.postMessage(BEGIN);
    return new Response("", { headers: { "Content-Type": "text/html", Refresh: "0" } });
  }
  if (found) return found;
  const answer = await fetch(request);
  return waiting && answer.ok ? new Response(CLOSE, { headers: { "Content-Type": "text/html" } }) : answer;
}

/** Look for another release, and wait until all of it is here. */
async function newest() {
  await registration.update().catch(() => null);
  const { installing } = registration;
  if (!installing) return;
  await new Promise((resolve) => installing.addEventListener("statechange", resolve, { once: true }));
}

const CLOSE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Puzzles</title>
<p>There is a new release of these puzzles. Close their other tabs, then reload this page.</p></html>`;

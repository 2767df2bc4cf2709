/**
 * Lets the pages load without a connection: it keeps their files, the pages that were open, and the answers they had.
 * The service puts a line before this one that sets `puzzlebase`.
 */

const worker = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (self));
const { digest, files } = worker.puzzlebase;
const HOME = new URL("./", self.location.href);
/** Others on the origin have another path. */
const PREFIX = `puzzlebase ${HOME.pathname} `;
const CACHE = PREFIX + digest;
const FILES = new URL(`page/${digest}/`, HOME);
const KEPT = "X-Puzzlebase-Kept";
const MOST = 1500;
const NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

worker.addEventListener("install", (event) => event.waitUntil(begin()));
worker.addEventListener("activate", (event) => event.waitUntil(tidy()));
worker.addEventListener("message", (event) => {
  const answers = event.data.filter((address) => !address.startsWith(FILES.href));
  event.waitUntil(Promise.all(answers.map((address) => haveAnswer(address, event).catch(() => null))));
});
worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(HOME.href)) return;
  const path = url.slice(HOME.href.length);
  if (url.startsWith(FILES.href)) event.respondWith(ofFiles(event.request));
  else if (path.startsWith("v1/") || event.request.mode === "navigate") event.respondWith(answer(event));
});

async function begin() {
  const cache = await caches.open(CACHE);
  await cache.addAll(files.map((file) => new URL(file, FILES).href));
  await worker.skipWaiting();
}

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function ofFiles(request) {
  return (await kept(request.url)) ?? fetch(request);
}

/** @param {string} url */
async function kept(url) {
  return (await caches.open(CACHE)).match(placeOf(url));
}

/** @param {Asked} event */
async function answer(event) {
  const { request } = event;
  try {
    return await fromService(request, event);
  } catch (error) {
    const cached = await kept(request.url);
    if (!cached && request.destination === "image") return new Response(NO_PICTURE, { headers: { "Content-Type": "image/svg+xml" } });
    if (!cached) throw error;
    const headers = new Headers(cached.headers);
    headers.set(KEPT, "true");
    return new Response(cached.body, { status: cached.status, headers });
  }
}

/** @param {Request} request @param {Lasting} event */
async function fromService(request, event) {
  const found = await withoutAhead(await fetch(request));
  if (found.ok && !found.redirected && !found.headers.get("Cache-Control")?.includes("no-store")) {
    event.waitUntil(keep(request.url, found.clone()).catch(() => null)); // there may be no room
  }
  return found;
}

/** @param {string} address @param {Lasting} event */
async function haveAnswer(address, event) {
  return (await kept(address)) ?? fromService(new Request(address), event);
}

/** @param {string} url @param {Response} found */
async function keep(url, found) {
  const cache = await caches.open(CACHE);
  await cache.put(placeOf(url), found);
  const keys = await cache.keys();
  const old = keys.length - MOST - files.length;
  if (old > 0) await Promise.all(keys.filter((key) => !key.url.startsWith(FILES.href)).slice(0, old).map((key) => cache.delete(key)));
}

/** Without what its head asks for ahead: browsers may ask twice for what goes through a worker. @param {Response} found */
async function withoutAhead(found) {
  if (!found.headers.get("Content-Type")?.startsWith("text/html")) return found;
  const page = (await found.text()).replaceAll(/<link rel="(module)?preload"[^>]*>/g, "");
  const headers = new Headers(found.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(page, { status: found.status, headers });
}

/** The page of a puzzle is the same for each of its states. @param {string} url */
function placeOf(url) {
  const place = new URL(url);
  place.hash = "";
  if (place.href.startsWith(`${HOME.href}play/`)) {
    const goal = place.searchParams.get("goal");
    place.search = goal === null ? "" : new URLSearchParams({ goal }).toString();
  }
  return place.href;
}

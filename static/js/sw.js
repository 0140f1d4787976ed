// The service worker (served at /sw.js): after one visit practice goes on without network and server. It knows no
// version: what has a hash in its address is kept by its address, and what the server has now is in /runtime.json.
//   files  /static/<hash>/… and /runtime/…: from here first
//   pages  practice's pages and /runtime.json: from the network first, so that they are always of one piece
//   all other pages of this phone (static/js/desk.js has which): from the network; where there is none, /shell, which
//   makes them here (static/js/router.js)

const FILES = "files";
const PAGES = "pages";
const MANIFEST = "/runtime.json";
const BEFORE = "/runtime.json?before"; // of the last version but one, which an open page may still need
const SHELL = "/shell";
const PATIENCE = 3000; // ms, then the page that was kept
const LONG = 8000; // ms, then the shell
const NO_SERVER = 502; // and above: a proxy without a server behind it

// Not waited for: beside an older one, skipping would wait for this very event to end.
addEventListener("install", (event) => event.waitUntil(takeAlong().then(() => void skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (/^\/(static|runtime)\//.test(pathname)) event.respondWith(file(request));
  else if (pathname === MANIFEST) event.respondWith(manifest());
  else if (request.mode !== "navigate") return;
  else if (practice(pathname)) event.respondWith(page(event));
  else event.respondWith(scoring(event));
});

const practice = (pathname) => pathname === "/practice" || pathname.startsWith("/practice/");

async function file(request) {
  return (await (await caches.open(FILES)).match(request)) ?? fetch(request);
}

async function manifest() {
  const kept = await (await caches.open(PAGES)).match(MANIFEST);
  const asked = fetch(MANIFEST, { cache: "no-cache" });
  return kept ? Promise.race([answered(asked, kept), late(kept)]) : asked;
}

const late = (kept) => new Promise((done) => setTimeout(done, PATIENCE, kept));

// Where a proxy stands before a server that is away, its 502 to 504 is no more of an answer than none.
async function answered(asked, kept) {
  try {
    const answer = await asked;
    return answer.status < NO_SERVER ? answer : kept;
  } catch {
    return kept;
  }
}

// The server's page if it comes in time, else the one that was kept.
async function page(event) {
  const kept = await keptPage(event.request);
  const asked = fetch(event.request);
  event.waitUntil(asked.then((answer) => renew(answer.clone(), kept?.clone())).catch(() => {}));
  if (!kept) return asked;
  return Promise.race([answered(asked, kept), late(kept)]);
}

// This very page, or the same with other choices made, or the one where all begins.
async function keptPage(request) {
  const pages = await caches.open(PAGES);
  return (await pages.match(request)) ?? (await pages.match(request, { ignoreSearch: true })) ?? (await pages.match("/practice"));
}

// The server's page; the shell where it does not come, for a match that no server has, and where a page asks for it.
async function scoring(event) {
  const { pathname, searchParams } = new URL(event.request.url);
  const shell = await (await caches.open(PAGES)).match(SHELL);
  if (!shell) return fetch(event.request);
  if (pathname.startsWith("/m/here-") || searchParams.has("here")) return shell;
  const asked = fetch(event.request);
  const served = asked.then((answer) => (answer.status < NO_SERVER ? answer : shell), () => shell);
  const late = new Promise((done) => setTimeout(done, LONG, shell));
  const first = await Promise.race([served, late]);
  if (first !== shell) event.waitUntil(compare(first.clone(), shell.clone()).catch(() => {}));
  return first;
}

// Another version, language or look than the kept shell's.
async function compare(answer, shell) {
  const html = answer.ok && answer.headers.get("Content-Type")?.startsWith("text/html");
  if (html && (await look(answer)) !== (await look(shell))) await takeAlong();
}

// A page that came from the server: another version, language or look than the kept ones means to fetch them all anew.
async function renew(answer, kept) {
  if (!answer.ok || answer.redirected) return;
  if (!kept || (await look(answer.clone())) !== (await look(kept))) await takeAlong();
  else await (await caches.open(PAGES)).put(answer.url, answer);
}

const look = async (answer) => (await answer.text()).match(/<html[^>]*>|\/static\/\w+\//g)?.slice(0, 2).join();

// Everything for practice, the files before the pages that need them.
async function takeAlong() {
  const answer = await fetch(MANIFEST, { cache: "no-cache" });
  const now = answer.ok ? await answer.json() : {};
  if (!now.engine) return; // none was built
  const [files, pages] = await Promise.all([caches.open(FILES), caches.open(PAGES)]);
  const has = await paths(files);
  await Promise.all(now.files.filter((path) => !has.has(path)).map((path) => files.add(path)));
  // One after another: answers that wait to be read hold the few connections there are.
  for (const path of now.pages) {
    const one = await fetch(path, { cache: "no-cache" });
    if (!one.ok) throw new Error(`${one.status} ${path}`);
    await pages.put(path, one);
  }
  const before = await (await pages.match(MANIFEST))?.json();
  if (before && before.files.join() !== now.files.join()) {
    await pages.put(BEFORE, Response.json({ files: before.files }));
  }
  await pages.put(MANIFEST, Response.json(now));
  await tidy(files, pages, now.files);
}

const paths = async (cache) => new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));

// Old files go once no page but the newest can want them.
async function tidy(files, pages, now) {
  if ((await clients.matchAll({ type: "window", includeUncontrolled: true })).length > 1) return;
  const wanted = new Set([...now, ...((await (await pages.match(BEFORE))?.json())?.files ?? [])]);
  for (const path of await paths(files)) if (!wanted.has(path)) await files.delete(path);
}

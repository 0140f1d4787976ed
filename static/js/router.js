// Where the network fails, this phone's own pages (desk.js) take the place of the server's: for what a page's scripts
// fetch, and, in the shell (templates/shell.html, kept by sw.js), for the pages themselves, which are swapped in.
//   take()    answers what this page's scripts fetch, where the server does not
//   open()    in the shell: shows the page of the address, and from then on every page that this phone can have
import * as desk from "./desk.js";
import * as queue from "./queue.js";
import * as sync from "./sync.js";

const STAYS = /\/js\/(save|rest|follow|shell)\.js$/; // run once, or not at all on a page of this phone's own
const EVERY = 10_000; // ms between two looks whether the server is there again
const SHOWN = "shown";
const plain = globalThis.fetch;
const shell = () => document.documentElement.dataset.shell;
let waiting = new Set(); // ids of matches of which something is on this phone only

export function take() {
  globalThis.fetch = async (address, options = {}) => {
    const url = new URL(address, location.href);
    if (typeof address === "object" || url.origin !== location.origin || !desk.own(url.pathname)) return plain(address, options);
    if (!shell()) {
      if ((options.method ?? "GET") === "GET") return plain(address, options); // follow.js wants to know
      try {
        const answer = await plain(address, options);
        if (answer.status < 502) return answer;
      } catch (error) {
        if (error.name === "AbortError") throw error;
        if (desk.idOf(url.pathname) && !(await queue.get(desk.idOf(url.pathname)))) throw error;
      }
      sync.reached(false);
    }
    return respond(url, options);
  };
}

async function respond(url, { method = "GET", body, headers = {} }) {
  const path = url.pathname + url.search;
  const form = body && Object.fromEntries(new URLSearchParams(body));
  if (!form) return made(await desk.page(path), url);
  // The page goes on elsewhere: what was sent is safe, and is read there.
  if (!shell() && "X-Stay" in headers) {
    const { at } = await desk.keep(path, form);
    return new Response(null, { status: 204, headers: { Location: `/m/${at}` } });
  }
  const answer = await desk.submit(path, form);
  sent(path);
  if (!answer.redirect) return made(answer, url);
  if ("X-Stay" in headers) {
    desk.say(answer.messages);
    return new Response(null, { status: 204, headers: { Location: answer.redirect } });
  }
  return made(await desk.page(answer.redirect, answer.messages), new URL(answer.redirect, location.href));
}

function made(answer, url) {
  if (answer.error) return new Response("", { status: 503 });
  const response = new Response(answer.html, { status: answer.status, headers: { "Content-Type": answer.type } });
  return Object.defineProperty(response, "url", { value: url.href });
}

function sent(path) {
  const id = desk.idOf(path);
  if (!sync.away()) queue.get(id ?? "").then((record) => (record ? sync.sync(record.id) : sync.all()));
}

// The shell -----------------------------------------------------------------------------------------------------

export async function open() {
  await look();
  if (!new URL(location.href).searchParams.has("here")) sync.reached(false); // or it would not be the shell
  queue.listen(look);
  sync.onNews((id) => look().then(() => heard(id)));
  sync.listen(() => sync.away() || sync.all().then(leave_for_server));
  addEventListener("online", sync.probe);
  const again = () => sync.away() && document.visibilityState === "visible" && sync.probe();
  document.addEventListener("visibilitychange", again);
  setInterval(again, EVERY);
  document.addEventListener("click", clicked, true);
  globalThis.navigation?.addEventListener("navigate", (event) => {
    const url = new URL(event.destination.url);
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || event.info === SHOWN || !takes(url)) return;
    event.intercept({ focusReset: "manual", handler: () => go(url, event.formData) });
  });
  scope(); // from here on what listens is a page's
  await go(new URL(location.href));
  if (await sync.probe()) await sync.all().then(leave_for_server);
}

async function look() {
  waiting = new Set((await queue.all()).filter(queue.waits).map((record) => record.id));
}

// In the shell a page is this phone's own while there is no server, or while the server does not know all of it.
function takes(url) {
  if (url.origin !== location.origin || !desk.own(url.pathname)) return false;
  const id = desk.idOf(url.pathname);
  return sync.away() || (id ? queue.isLocal(id) || waiting.has(id) : waiting.size > 0);
}

let going = 0; // the newest; one that is overtaken shows nothing
async function go(url, formData) {
  const mine = ++going;
  url.searchParams.delete("here");
  let path = url.pathname + url.search;
  let answer = formData ? await desk.submit(path, Object.fromEntries(formData)) : await desk.page(path);
  if (formData) sent(path);
  for (let turns = 0; answer.redirect && turns < 5; turns++) {
    path = answer.redirect;
    answer = await desk.page(path, answer.messages);
  }
  if (mine !== going) return;
  if (path !== location.pathname + location.search) replace(path);
  told = await tellable();
  if (answer.error) nothing(answer.error);
  else await show(answer);
}

function replace(path) {
  if (globalThis.navigation) return navigation.navigate(path, { history: "replace", info: SHOWN }).finished;
  history.replaceState(null, "", path);
}

// Only the server has this page.
const lost = document.getElementById("nothere");
function nothing(error) {
  console.info(error);
  leave();
  lost.hidden = false;
  document.getElementById("main").replaceChildren(lost);
}

async function show(answer) {
  const next = new DOMParser().parseFromString(answer.html, "text/html");
  await styles(next);
  leave();
  document.title = next.title;
  document.body.className = next.body.className;
  const scripts = [...next.querySelectorAll("script[src]")];
  scripts.forEach((script) => script.remove());
  document.body.replaceChildren(...next.body.childNodes);
  note(answer);
  for (const script of scripts) run(script.getAttribute("src"));
  const main = document.getElementById("main");
  (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true });
  scrollTo(0, 0);
  dispatchEvent(new Event("pageshow")); // as it would for a page of the server's: save.js takes taps again
}

// The same script once more for a new page: under a name of its own, for a browser runs a module once.
let runs = 0;
function run(address) {
  if (STAYS.test(address)) return;
  document.body.append(Object.assign(document.createElement("script"), { type: "module", src: `${address}#${++runs}` }));
}

async function styles(next) {
  const has = [...document.head.querySelectorAll("link[rel=stylesheet]")];
  const wants = [...next.head.querySelectorAll("link[rel=stylesheet]")];
  const more = wants.filter((link) => !has.some((one) => one.href === link.href));
  await Promise.all(
    more.map((link) => {
      const copy = Object.assign(document.createElement("link"), { rel: "stylesheet", href: link.getAttribute("href") });
      document.head.append(copy);
      return new Promise((done) => (copy.onload = copy.onerror = done));
    }),
  );
  for (const link of has) if (!wants.some((one) => one.href === link.href)) link.remove();
}

// What a page's scripts listen to on the document and the window ends with the page.
let page = new AbortController();
function scope() {
  const add = EventTarget.prototype.addEventListener;
  for (const target of [globalThis, document])
    target.addEventListener = (type, job, options) => {
      const chosen = typeof options === "object" ? options : { capture: Boolean(options) };
      add.call(target, type, job, { signal: page.signal, ...chosen });
    };
}

function leave() {
  page.abort();
  page = new AbortController();
}

// What is on this phone only, said on every page of the match.
async function note({ line, drop, keep }) {
  if (!line) return;
  const note = Object.assign(document.createElement("p"), { className: "kept", id: "kept", textContent: line });
  document.getElementById("main").prepend(note);
  const button = (text, facts) => note.append(" ", Object.assign(document.createElement("a"), { className: "btn", textContent: text, ...facts }));
  if (drop) button(drop, { href: location.pathname });
  note.querySelector("a")?.setAttribute("data-drop", "");
  // Where the phone may throw away what is kept, a file of one's own is safer.
  if (drop || !(await navigator.storage?.persisted?.())) button(keep, { href: `/m/${desk.idOf(location.pathname)}/match.json`, download: "" });
}

async function clicked(event) {
  const link = event.target.closest("a");
  if (!link) return;
  const url = new URL(link.href, location.href);
  if (link.hasAttribute("download") && takes(url)) {
    event.preventDefault();
    const answer = await desk.page(url.pathname);
    const name = url.pathname.replace(/^\/m\/([\w-]+)\/match/, "match-$1");
    const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([answer.html], { type: answer.type })), download: name });
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 1000);
  } else if (link.hasAttribute("data-drop")) {
    event.preventDefault();
    await desk.drop(desk.idOf(url.pathname));
    await look();
    sent(url.pathname);
    location.assign(url);
  }
}

// What the page says of this match has changed: another phone was faster, or the server refuses or has taken something.
let told = "";
async function heard(id) {
  const now = id === desk.idOf(location.pathname) ? await tellable() : "";
  if (now && now !== told && !document.getElementById("entry")) await go(new URL(location.href));
  await leave_for_server();
}

async function tellable() {
  const record = await queue.get(desk.idOf(location.pathname) ?? "");
  return record && queue.waits(record) ? JSON.stringify(queue.waiting(record)) : "";
}

// Once the server has all of it, the page is the server's again. What is being typed is left alone; and a server that is
// only slow is not asked again and again.
const SELDOM = 30_000; // ms
async function leave_for_server() {
  const id = desk.idOf(location.pathname) ?? "";
  const moved = queue.isLocal(id) && (await queue.get(id))?.id;
  if (sync.away() || document.getElementById("entry") || document.getElementById("new")) return;
  if (moved && moved !== id) return location.replace(location.pathname.replace(id, moved));
  if (takes(new URL(location.href)) || Date.now() - Number(sessionStorage.getItem("left") ?? 0) < SELDOM) return;
  sessionStorage.setItem("left", Date.now());
  location.reload();
}

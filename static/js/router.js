// This phone's own pages (desk.js) in the place of the server's, put into the same document:
//   - where the network fails: for what a page's scripts send, and for the pages themselves, in the shell
//     (templates/shell.html, which sw.js shows then);
//   - where the engine runs and knows all of the match: what is entered is shown at once, and goes to the server behind it.
// From the first such page on the document is "the shell" (data-shell): every page of a known match is made here.
//   take()    looks at what this page's scripts fetch
//   open()    in the shell: shows the page of the address
import * as desk from "./desk.js";
import * as line from "./line.js";
import * as queue from "./queue.js";
import { always, leave } from "./scope.js";
import { follow, note, show } from "./swap.js";
import * as sync from "./sync.js";

const EVERY = 10_000; // ms between two looks whether the server is there again
const SOON = 2_000; // ms that the server may take before the page says that it has not got what was entered
const SHOWN = "shown";
const plain = globalThis.fetch;
const shell = () => document.documentElement.dataset.shell;
const here = () => desk.idOf(location.pathname) ?? "";
const known = new Set(); // ids of the matches on this phone
const waiting = new Set(); // of which something is on this phone only

export function take() {
  queue.listen(look);
  look();
  globalThis.fetch = async (address, options = {}) => {
    const url = new URL(address, location.href);
    if (typeof address === "object" || url.origin !== location.origin || !desk.own(url.pathname)) return plain(address, options);
    if (shell()) return takes(url) ? respond(url, options) : plain(address, options);
    if ((options.method ?? "GET") === "GET") return plain(address, options); // follow.js wants to know
    if (await desk.quick(url.pathname + url.search, options.body)) {
      if (!desk.looks(url.pathname)) enter();
      return respond(url, options);
    }
    try {
      const answer = await plain(address, options);
      if (answer.status < 502) return answer;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      if (desk.idOf(url.pathname) && !(await queue.get(desk.idOf(url.pathname)))) throw error;
    }
    sync.reached(false);
    return respond(url, options);
  };
}

async function respond(url, { method = "GET", body, headers = {} }) {
  const path = url.pathname + url.search;
  if (method === "GET") {
    // Whoever follows the match wants what is new, or to know that nobody can tell.
    const id = desk.idOf(path);
    if (queue.isServers(id)) await desk.settle(id).then(() => sync.learn(id));
    return made(await arrive(path), url);
  }
  const form = desk.fields(body);
  // The page goes on elsewhere: what was sent is safe, and is read there.
  if (!shell() && "X-Stay" in headers) {
    const { at } = await desk.keep(path, form);
    return new Response(null, { status: 204, headers: { Location: `/m/${at}` } });
  }
  const answer = await desk.submit(path, form);
  if (!answer.redirect || !("X-Stay" in headers)) bring(path);
  if (!answer.redirect) return made(answer, url);
  if ("X-Stay" in headers) {
    desk.say(answer.messages);
    return new Response(null, { status: 204, headers: { Location: answer.redirect } });
  }
  return made(await arrive(path, answer), url);
}

// The page where a path, or an answer, leads to in the end.
async function arrive(path, answer) {
  let made = answer ?? (await desk.page(path));
  for (let turns = 0; made.redirect && turns < 5; turns++) {
    path = made.redirect;
    made = await desk.page(path, made.messages);
  }
  return { ...made, path };
}

function made(answer, url) {
  if (answer.error) return new Response("", { status: sync.away() ? 503 : 404 });
  const response = new Response(answer.html, { status: answer.status, headers: { "Content-Type": answer.type } });
  const at = new URL(answer.path ?? url, location.href);
  return Object.defineProperties(response, { url: { value: at.href }, redirected: { value: at.pathname !== url.pathname } });
}

// What has been read goes up.
async function bring(path) {
  const record = await queue.get(desk.idOf(path) ?? "");
  if (record && line.sendable(record) && !sync.away()) sync.sync(record.id);
}

// The shell -----------------------------------------------------------------------------------------------------

export async function open() {
  await look();
  enter();
  if (!new URL(location.href).searchParams.has("here")) sync.reached(false); // or it would not be the shell
  leave();
  await go(new URL(location.href));
  if (await sync.probe()) await up();
}

function enter() {
  document.documentElement.dataset.shell = "yes";
  let hearing = Promise.resolve(); // one after another, for each looks at what is shown
  sync.onNews((id) => (hearing = hearing.then(() => look(id)).then(() => heard(id)).catch((error) => console.warn("not shown:", String(error)))));
  sync.listen(() => sync.away() || up());
  const again = () => sync.away() && document.visibilityState === "visible" && sync.probe();
  always(document, "visibilitychange", again);
  setInterval(again, EVERY);
  always(document, "click", clicked, true);
  globalThis.navigation?.addEventListener("navigate", (event) => {
    const url = new URL(event.destination.url);
    if (event.info === SHOWN) return event.intercept({ focusReset: "manual", scroll: "manual" });
    if (!event.canIntercept || event.hashChange || event.downloadRequest !== null || !takes(url)) return;
    if (event.navigationType === "reload" && !sync.away() && !waiting.has(desk.idOf(url.pathname))) return;
    event.intercept({ focusReset: "manual", handler: () => go(url, event.formData) });
  });
}

// All that is on this phone only; also what was sent from pages that are gone. What others wrote against it is said at the
// pages of its match: there it is read.
async function up() {
  for (const id of waiting) if (id === here() || (await queue.get(id))?.begun) await desk.settle(id);
  await sync.all();
  await tell();
  await rest();
}

// What does not go up by itself is to be found from the first page on.
export async function tell() {
  const [first] = (await queue.all()).filter(line.stays);
  const link = document.querySelector("#unsent a");
  if (!first || !link) return;
  link.href = `/m/${first.id}?here`;
  link.parentElement.hidden = false;
}

async function look(id) {
  const found = id ? [await queue.get(id)] : await queue.all();
  for (const ids of [known, waiting]) id ? ids.delete(id) : ids.clear();
  for (const record of found.filter(Boolean)) {
    known.add(record.id);
    waiting[line.waits(record) ? "add" : "delete"](record.id);
  }
}

// In the shell a page is this phone's own while there is no server, and where the match is known.
function takes(url) {
  if (url.origin !== location.origin || !desk.own(url.pathname)) return false;
  const id = desk.idOf(url.pathname);
  return sync.away() || (id ? !queue.isServers(id) || known.has(id) : waiting.size > 0);
}

let going = 0; // the newest; one that is overtaken shows nothing
async function go(url, formData) {
  const mine = ++going;
  url.searchParams.delete("here");
  const asked = url.pathname + url.search;
  const { path, ...answer } = await arrive(asked, formData && (await desk.submit(asked, Object.fromEntries(formData))));
  const id = desk.idOf(path);
  const words = sync.away() ? await desk.kept(id, true) : undefined;
  if (mine !== going) return desk.say(answer.messages);
  if (path !== location.pathname + location.search) replace(path);
  if (answer.error) return nothing(answer.error);
  await show(answer);
  const record = id && (await queue.get(id));
  told = tellable(record);
  const still = words && sync.away(); // or the server came back while the page was made
  note(still ? words : undefined, `/m/${id}/match.json`);
  if (!still) setTimeout(() => mine === going && say(), SOON);
  if (!still) await tell();
  const goesUp = record && line.sendable(record); // it is followed once that is there (`rest`)
  if (!sync.away() && queue.isServers(id) && !record?.refused && !goesUp) follow();
  bring(path);
}

// What is on this phone only, where the server takes long or does not take it.
async function say() {
  const id = desk.idOf(location.pathname);
  const some = () => (id ? waiting.has(id) : waiting.size);
  const words = some() && (await desk.kept(id, sync.away()));
  if (some() && id === desk.idOf(location.pathname)) note(words, `/m/${id}/match.json`);
}

function replace(path) {
  if (globalThis.navigation) return navigation.navigate(path, { history: "replace", info: SHOWN }).finished;
  history.replaceState(null, "", path);
}

// Only the server has this page.
const lost = document.getElementById("nothere");
function nothing(error) {
  if (!sync.away() || !lost) return location.reload();
  console.info(error);
  leave();
  lost.hidden = false;
  document.getElementById("main").replaceChildren(lost);
}

async function clicked(event) {
  const link = event.target.closest("a");
  if (!link) return;
  const url = new URL(link.href, location.href);
  if (link.hasAttribute("download") && takes(url)) {
    event.preventDefault();
    const stuck = link.closest("#kept") && (await desk.stuck(desk.idOf(url.pathname)));
    const answer = stuck ? { html: JSON.stringify(stuck, null, 1), type: "application/json" } : await desk.page(url.pathname);
    const name = url.pathname.replace(/^\/m\/([\w-]+)\/match/, stuck ? "entry-$1" : "match-$1");
    const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([answer.html], { type: answer.type })), download: name });
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 1000);
  } else if (link.hasAttribute("data-drop")) {
    event.preventDefault();
    await desk.drop(desk.idOf(url.pathname), link.dataset.drop);
    await look();
    location.assign((await queue.get(desk.idOf(url.pathname))) ? url : "/");
  }
}

// Whether something is being typed, which is left alone. A round that is played is kept tap by tap.
const typing = () => document.querySelector("#main form :is(input:not([type=hidden]), select)") && document.getElementById("follow")?.dataset.how !== "live";

// What the page says of this match has changed: another phone was faster, or the server refuses or has taken something.
let told = "";
async function heard(id) {
  const anew = await reread(id);
  const record = await queue.get(here());
  if (record && [record.id, here()].includes(id)) {
    const now = tellable(record);
    const shown = Number(document.getElementById("follow")?.dataset.version);
    if (!now && !anew && shown === record.events.length) note();
    else if ((anew || now !== told) && !typing()) await go(new URL(location.href));
    told = now;
    if (record.refused || line.stuck(record).length) await say();
  }
  await rest();
}

const tellable = (record) => (record && line.waits(record) ? JSON.stringify(line.waiting(record)) : "");

// What was done here before others wrote means something else now, or nothing.
async function reread(id) {
  const record = await queue.get(here());
  if (!record || ![record.id, here()].includes(id) || line.next(record) < 0) return false;
  await desk.settle(record.id).catch((error) => console.warn("not read:", String(error)));
  await bring(`/m/${record.id}`);
  return true;
}

// The server is there. A page that is not this phone's own is the server's again; but a server that is only slow is not
// asked again and again.
const SELDOM = 30_000; // ms
async function rest() {
  const id = here();
  if (sync.away() || typing()) return;
  const moved = id && !queue.isServers(id) && (await queue.get(id))?.id;
  if (moved && moved !== id) return location.replace(location.pathname.replace(id, moved));
  if (takes(new URL(location.href))) return waiting.has(id) || follow();
  const wait = Number(sessionStorage.getItem("left") ?? 0) + SELDOM - Date.now();
  if (wait > 0) return setTimeout(rest, wait);
  sessionStorage.setItem("left", Date.now());
  location.reload();
}

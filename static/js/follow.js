// Follows a match on this page: what another phone writes is shown here at once, and after sleep or a lost network the
// page comes back to the right state by itself. The server sends versions (/live/<match>, scorekeeper/web/live.py), with
// what is new of the page in this phone's language and role where it is one that many look at (data-page); other pages
// are fetched anew. What came is put in the place of the old page.
//
// #follow says what (templates/share/_follow.html). data-how: "swap" puts the new page in; "keep" only says that there
// is one, for something is being typed; "live" leaves it to js/live.js, by the event "newer" on document.
// After a swap document gets the event "followed". <html data-follow> is "on" while the stream is open.
import { newKey } from "./keys.js";

const BEAT = 15_000; // ms between signs of life from the server, at most
const SILENCE = 2.5 * BEAT;
// ms before each new try, give or take a half. Where there is no network the last one again and again: a phone is right
// again at once when it has one. A server that answers, and not with a stream, has too much to do: it is asked LATER.
const SOON = [400, 400, 800, 1200];
const LATER = 10_000;
const PUT_AWAY = 20_000; // ms in the background after which the stream is closed: a browser has few to give
const NO_ANSWER = 8_000;
const GONE_FOR = 2_000; // ms without a stream before the page says so

let source = null;
let heard = 0;
let tries = 0;
let reached = false; // whether the server answered the last time
let retry = 0;
let away = 0;
let aside = 0;
let fetching = null;
let once_more = false;
let opening = false; // nothing was heard on this stream yet
let left = false; // the page is gone

const mark = () => document.getElementById("follow");
const version = () => Math.max(Number(mark().dataset.version), ...[...document.querySelectorAll("#main [name=version]")].map((field) => Number(field.value)));

function open() {
  close();
  if (left || !mark()) return; // nothing to follow here
  heard = Date.now();
  opening = true;
  retry = setTimeout(lost, NO_ANSWER);
  source = new EventSource(address());
  source.addEventListener("error", lost);
  for (const [name, act] of Object.entries(told))
    source.addEventListener(name, (event) => {
      heard = Date.now();
      act(JSON.parse(event.data));
    });
}

const unpacks = "DecompressionStream" in globalThis;
function address() {
  const { stream, page, version: since } = mark().dataset;
  return page && unpacks ? `${stream}?${new URLSearchParams({ page, lang: document.documentElement.lang, since })}` : stream;
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

// The browser's own retry gives up for good after some answers and waits too long after others.
function lost() {
  close();
  if (left) return;
  away ||= setTimeout(() => say("away", mark().dataset.away), GONE_FOR);
  document.documentElement.dataset.follow = "off";
  if (!mark()) return;
  const wait = reached ? Math.min(400 * 2 ** tries, LATER) : SOON[Math.min(tries, SOON.length - 1)];
  tries += 1;
  // A stream that was only old is opened again, no more.
  retry = setTimeout(tries === 1 ? open : again, wait * (0.5 + Math.random()));
}

// The page first: it tells whether there is a network, a server and still a match for this phone.
async function again() {
  if (!mark()) return;
  try {
    await refresh();
    open();
  } catch {
    lost();
  }
}

// What it begins with says whether something was missed.
function anew() {
  tries = 0;
  open();
}

function here() {
  tries = 0;
  clearTimeout(retry);
  clearTimeout(away);
  away = 0;
  say("away", "");
  document.documentElement.dataset.follow = "on";
}

const told = {
  version({ version: newest, look: seen, part }) {
    const first = opening;
    opening = false;
    here();
    const looks = mark().dataset.how !== "swap" || seen === mark().dataset.look;
    if (newest < version() && first) return look(); // after a restore from an older copy the server knows less
    if (newest <= version() && looks) return; // what was done here is shown already
    if (part) unpack(part).then(put).catch(look);
    else look();
  },
  access({ writes }) {
    if (mark().dataset.how === "swap") look();
    else if (!writes) say("new", mark().dataset.locked);
  },
  presence({ connected }) {
    for (const count of document.querySelectorAll("[data-connected]")) count.textContent = connected > 1 ? connected : "";
    if ("presence" in mark().dataset) look();
  },
  beat() {},
  bye: () => location.reload(), // the page says it
};

async function unpack(part) {
  const packed = new Blob([Uint8Array.from(atob(part), (sign) => sign.charCodeAt(0))]);
  const html = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  return new DOMParser().parseFromString(html, "text/html");
}

// The part is the same for many phones. What is only this one's it does not have: the token of the forms, their keys,
// and how many are connected.
function put(page) {
  if (left) return;
  const token = document.querySelector("[name=csrf_token]")?.value;
  const tokens = page.querySelectorAll("[name=csrf_token]");
  if (tokens.length && !token) return look(); // it may write from now on
  for (const field of tokens) field.value = token;
  const key = newKey();
  for (const field of page.querySelectorAll("[name=key]")) field.value = key + field.value;
  const count = document.querySelector("[data-connected]")?.textContent ?? "";
  for (const field of page.querySelectorAll("[data-connected]")) field.textContent = count;
  show(page);
}

function look() {
  if (mark().dataset.how === "keep") say("new", mark().textContent);
  else refresh().catch(lost);
}

// One at a time; what is heard of meanwhile is looked at afterwards.
function refresh() {
  once_more = Boolean(fetching);
  fetching ??= fetched().finally(() => (fetching = null));
  return fetching;
}

async function fetched() {
  do {
    once_more = false;
    reached = false;
    const shown = version();
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(NO_ANSWER) });
    reached = true;
    if (left) return;
    if (answer.status === 404 || answer.status === 403) return closed();
    if (!answer.ok) throw new Error(answer.status);
    if (answer.redirected && mark().dataset.how === "swap") return location.replace(answer.url);
    show(new DOMParser().parseFromString(await answer.text(), "text/html"), shown);
  } while (once_more);
}

// The page is not there any more: the round was removed, or this phone was. What is being typed stays to be read; who
// sends it is told what has become of it.
function closed() {
  if (mark().dataset.how === "keep") say("new", mark().textContent);
  else location.reload();
}

// What is said is said once, whatever becomes of the page that it came with.
function show(page, asked) {
  const told = [...page.querySelectorAll(".toasts > .toast")];
  if (page.getElementById("main")) bring(page, asked);
  document.querySelector(".toasts").append(...told);
}

// `asked`: the version that was shown when the page was asked for. After a restore the server may know less than that.
function bring(page, asked) {
  const { how } = mark().dataset;
  const theirs = Number(page.getElementById("follow")?.dataset.version);
  if (theirs < version() && version() !== asked) return; // another one came meanwhile
  if (how === "swap") swap(page);
  else if (theirs !== version() && (how === "keep" || document.dispatchEvent(new CustomEvent("newer", { detail: page, cancelable: true })))) say("new", mark().textContent);
}

function swap(page) {
  const main = document.getElementById("main");
  const focused = document.activeElement;
  const twin = main.contains(focused) && twin_of(focused);
  const read = main.querySelector("details[open][id]") ?? (main.contains(focused) && focused.id ? focused : null);
  const [top, before] = [scrollY, read?.getBoundingClientRect().top];
  const known = new Set([...main.querySelectorAll(".rounds details")].map((round) => round.id));
  for (const part of main.querySelectorAll("details[open][id]")) page.getElementById(part.id)?.setAttribute("open", "");
  for (const field of main.querySelectorAll("input[id]")) {
    const twin = page.getElementById(field.id);
    if (twin && field.value !== field.defaultValue) twin.value = field.value;
  }
  const round = page.querySelector(".rounds details");
  if (round && !known.has(round.id)) round.closest("li").classList.add("fresh");
  for (const part of ["#main", ".head", "body > footer"]) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
    if (old && fresh) old.replaceWith(fresh);
  }
  document.title = page.title;
  if (twin) twin().focus({ preventScroll: true });
  scrollTo(scrollX, top);
  if (read) scrollBy(0, (document.getElementById(read.id)?.getBoundingClientRect().top ?? before) - before); // what is read stays put
  say("spoken", round && known.has(round.id) ? "" : (page.querySelector("[data-say]")?.textContent ?? document.querySelector("[data-say]")?.textContent ?? ""));
  document.dispatchEvent(new Event("followed"));
}

// A way to find an element's twin on the next page: by its name, as the same again, or as what its part begins with.
function twin_of({ id, localName, outerHTML, parentElement }) {
  const part = parentElement.closest("[id]")?.id;
  return () => {
    const main = document.getElementById("main");
    const same = () => [...main.querySelectorAll(localName)].find((other) => other.outerHTML === outerHTML);
    const first = () => part && part !== "main" && document.getElementById(part)?.querySelector(localName);
    return document.getElementById(id) || same() || first() || main;
  };
}

// What is said stays in one place, so that it is read aloud.
function say(what, text) {
  const toasts = document.querySelector(".toasts");
  const old = toasts.querySelector(`.${what}`);
  if (old?.textContent === text) return;
  old?.remove();
  if (text) toasts.append(Object.assign(document.createElement("p"), { className: what === "spoken" ? "sr spoken" : `toast note ${what}`, textContent: text }));
}

addEventListener("online", anew);
addEventListener("offline", lost); // a stream over a network that is gone only falls silent
const { connection } = navigator;
let network = connection?.type;
connection?.addEventListener?.("change", () => {
  if (connection.type !== network) anew();
  network = connection.type;
});
addEventListener("pagehide", () => {
  left = true;
  clearTimeout(away);
  document.documentElement.dataset.follow = "off";
  close();
});
addEventListener("pageshow", (event) => {
  left = false;
  if (event.persisted) anew();
});
let hidden = 0; // since when
document.addEventListener("visibilitychange", () => {
  clearTimeout(aside);
  if (document.visibilityState === "hidden") {
    hidden = Date.now();
    aside = setTimeout(close, PUT_AWAY);
  } else if (!source || Date.now() - hidden > GONE_FOR) anew(); // a phone may have slept through the end of a stream
});
setInterval(() => source && Date.now() - heard > SILENCE && anew(), 5_000);
open();

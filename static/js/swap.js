// Puts a page that this phone made in the place of the one that is shown, with its styles and scripts.
//   show(answer)    answer.html, a whole page
//   prepare(answer) what can be done before it is to be shown: the tap that shows it has less to wait for
//   follow()        from now on the page is followed (follow.js): there is a server again, and it knows the match
//   note(words)     what is said above the page of what is not on the server (scorekeeper/pages/kept.py), `about` the key
//                   of what can be dropped
import { leave } from "./scope.js";

const ONCE = /\/js\/(scope|rest|shell)\.js$/;
let follower = ""; // the address of follow.js, where the page has it and does not run it yet

const PARTS = ["body > .page", "body > footer"]; // what differs between pages (templates/base.html)
const parse = (answer) => (answer.page ??= new DOMParser().parseFromString(answer.html, "text/html"));

export async function prepare(answer) {
  await styles(parse(answer));
  return answer;
}

// One page after another.
let turn = Promise.resolve();
export const show = (answer) => (turn = turn.catch(() => {}).then(() => put(answer)));

async function put(answer) {
  const next = parse(answer);
  const wanted = await styles(next);
  await Promise.all(running.splice(0)); // what a script listens to ends with its page (scope.js) if it has run by then
  leave();
  for (const sheet of sheets(document)) sheet.media = wanted.includes(sheet.href) ? "all" : UNUSED;
  document.title = next.title;
  document.body.className = next.body.className;
  const scripts = [...next.querySelectorAll("script[src]")].map((script) => script.getAttribute("src"));
  for (const old of document.querySelectorAll("body > script")) old.remove();
  for (const part of PARTS) document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
  follower = scripts.find((address) => address.endsWith("/follow.js")) ?? "";
  const main = document.getElementById("main");
  (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true });
  scrollTo(0, 0);
  await painted(); // what is to be seen comes first; a tap before its script is a plain form, which router.js takes
  for (const address of scripts) if (address !== follower && !ONCE.test(address)) run(address);
}

// Pages in the background are not painted.
const painted = () => new Promise((done) => (requestAnimationFrame(() => setTimeout(done)), setTimeout(done, 100)));

export function follow() {
  if (follower) run(follower);
  follower = "";
}

// The same script once more for a new page: under a name of its own, for a browser runs a module once.
let runs = 0;
const running = []; // until each has run, or will hardly come any more
const LONGEST = 5_000; // ms
function run(address) {
  const script = Object.assign(document.createElement("script"), { type: "module", src: `${address}#${++runs}` });
  running.push(new Promise((done) => (script.onload = script.onerror = done, setTimeout(done, LONGEST))));
  document.body.append(script);
}

// A style sheet that came once stays, for when it is wanted again.
const UNUSED = "not all";
const sheets = (page) => [...page.head.querySelectorAll("link[rel=stylesheet]")];
async function styles(next) {
  const wanted = sheets(next).map((sheet) => new URL(sheet.getAttribute("href"), location.href).href);
  const has = sheets(document).map((sheet) => sheet.href);
  await Promise.all(wanted.filter((href) => !has.includes(href)).map(load));
  return wanted;
}

function load(href) {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href, media: UNUSED });
  document.head.append(sheet);
  return new Promise((done) => (sheet.onload = sheet.onerror = done));
}

export async function note({ line, drop, keep, about } = {}, home) {
  document.getElementById("kept")?.remove();
  if (!line) return;
  const made = (name, facts) => Object.assign(document.createElement(name), facts);
  const note = made("p", { className: "kept", id: "kept" });
  note.append(made("span", { textContent: line }));
  document.getElementById("main").prepend(note);
  const button = (text, facts) => note.appendChild(made("a", { className: "btn", textContent: text, ...facts }));
  if (drop) button(drop, { href: location.pathname }).dataset.drop = about ?? "";
  // From now on something is here only: the phone is asked to throw nothing away. Where it may, a file is safer.
  const safe = keep && (await navigator.storage?.persist?.());
  const typing = !drop && document.getElementById("entry");
  if (keep && note.isConnected && !typing && (drop || !safe)) button(keep, { href: home, download: "" });
}

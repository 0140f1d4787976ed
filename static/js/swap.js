// Puts a page that this phone made in the place of the one that is shown, with its styles and scripts.
//   show(answer)    answer.html, a whole page
//   follow()        from now on the page is followed (follow.js): there is a server again, and it knows the match
//   note(words)     what is said above the page of what is not on the server (scorekeeper/pages/kept.py)
import { leave } from "./scope.js";

const ONCE = /\/js\/(scope|shell)\.js$/;
let follower = ""; // the address of follow.js, where the page has it and does not run it yet

export async function show(answer) {
  const next = new DOMParser().parseFromString(answer.html, "text/html");
  await styles(next);
  leave();
  document.title = next.title;
  document.body.className = next.body.className;
  const scripts = [...next.querySelectorAll("script[src]")].map((script) => (script.remove(), script.getAttribute("src")));
  document.body.replaceChildren(...next.body.childNodes);
  follower = scripts.find((address) => address.endsWith("/follow.js")) ?? "";
  for (const address of scripts) if (address !== follower && !ONCE.test(address)) run(address);
  const main = document.getElementById("main");
  (main.querySelector("[autofocus]") ?? main).focus({ preventScroll: true });
  scrollTo(0, 0);
}

export function follow() {
  if (follower) run(follower);
  follower = "";
}

// The same script once more for a new page: under a name of its own, for a browser runs a module once.
let runs = 0;
const run = (address) => document.body.append(Object.assign(document.createElement("script"), { type: "module", src: `${address}#${++runs}` }));

async function styles(next) {
  const has = [...document.head.querySelectorAll("link[rel=stylesheet]")];
  const wants = [...next.head.querySelectorAll("link[rel=stylesheet]")];
  const more = wants.filter((link) => !has.some((one) => one.getAttribute("href") === link.getAttribute("href")));
  await Promise.all(
    more.map((link) => {
      const copy = Object.assign(document.createElement("link"), { rel: "stylesheet", href: link.getAttribute("href") });
      document.head.append(copy);
      return new Promise((done) => (copy.onload = copy.onerror = done));
    }),
  );
  for (const link of has) if (!wants.some((one) => one.getAttribute("href") === link.getAttribute("href"))) link.remove();
}

export async function note({ line, drop, keep } = {}, home) {
  document.getElementById("kept")?.remove();
  if (!line) return;
  const note = Object.assign(document.createElement("p"), { className: "kept", id: "kept", textContent: line });
  document.getElementById("main").prepend(note);
  const button = (text, facts) => note.append(" ", Object.assign(document.createElement("a"), { className: "btn", textContent: text, ...facts }));
  if (drop) button(drop, { href: location.pathname });
  note.querySelector("a")?.setAttribute("data-drop", "");
  // From now on something is here only: the phone is asked to throw nothing away. Where it may, a file is safer.
  const safe = keep && (await navigator.storage?.persist?.());
  if (keep && note.isConnected && (drop || !safe)) button(keep, { href: home, download: "" });
}

// A round that is entered while it is played: every tap is sent at once and the answer is shown in place.
// Taps wait in a line and go one after another, each with a key of its own and the newest version, so that fast
// tapping loses nothing and a tap that is sent again counts once.
//
// live(root) takes over every form or button marked data-live inside root (a part of the page that is never swapped,
// such as document). data-live="last" is a tap that ends the round: no tap is taken behind it until it is answered.
// root receives the event "live" whenever #main was swapped or the line changed; its detail is the bodies
// (URLSearchParams) of the taps not answered yet, oldest first, to be shown as on their way.
// Open <details id> stay open, and fields with an id inside [data-keep] stay as they are; [data-say] is spoken.
// #unsent (entry/_live.html) shows how many taps could not be sent.
import { newKey } from "./keys.js";
import { renewed } from "./token.js";

export function live(root) {
  const line = []; // taps not yet answered, oldest first
  let sending = false;
  let stuck = false; // the first one could not be sent: it waits for the network or the button
  let gone = false; // the page leads elsewhere

  const $ = (id) => document.getElementById(id);
  const field = (name) => $("main").querySelector(`[name=${name}]`)?.value ?? "";

  root.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    const marked = button?.closest("[data-live]") ?? form.closest("[data-live]");
    if (!marked || event.defaultPrevented) return;
    event.preventDefault();
    if (gone || line.some((tap) => tap.last)) return;
    const body = new URLSearchParams(new FormData(form, button));
    if (!("answers" in form.dataset)) body.set("key", newKey()); // an answer is known by the key of its question
    line.push({ address: button?.formAction ?? form.action, body, last: marked.dataset.live === "last" });
    changed();
    work();
  });

  async function work() {
    if (sending) return;
    sending = true;
    stuck = false;
    while (line.length && !stuck) {
      show();
      stuck = !(await send(line[0]));
    }
    sending = false;
    show();
  }

  // Whether the next one may follow. What the server refused is on its page then; what did not arrive stays.
  async function send(tap) {
    tap.body.set("version", field("version"));
    tap.body.set("csrf_token", field("csrf_token"));
    let answer, page;
    try {
      answer = await fetch(tap.address, { method: "POST", body: tap.body, keepalive: true });
      if (!tap.renewed && renewed(answer)) return await send(Object.assign(tap, { renewed: true }));
      if (answer.status === 404) return location.reload(); // no longer this phone's: the page says so
      if (!answer.ok && answer.status !== 409 && answer.status !== 422) return false;
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return false;
    }
    line.shift();
    if (answer.ok && new URL(answer.url).pathname !== location.pathname) {
      line.length = 0; // only a tap that ends the round leads away, and none is taken behind it
      gone = true;
      location.assign(answer.url);
      return true;
    }
    swap(page);
    return answer.ok;
  }

  function swap(page) {
    const old = $("main");
    const focus = old.contains(document.activeElement) && same(document.activeElement);
    for (const part of old.querySelectorAll("details[open][id]")) page.getElementById(part.id)?.setAttribute("open", "");
    for (const kept of old.querySelectorAll("[data-keep] :is(input, select)[id]")) {
      const twin = page.getElementById(kept.id);
      if (twin) [twin.value, twin.checked] = [kept.value, kept.checked];
    }
    old.replaceWith(page.getElementById("main"));
    say(page);
    if (focus) ($("main").querySelector(focus) ?? $("main")).focus({ preventScroll: true });
    changed();
  }

  // The one part that stays, so that its new words are spoken: messages, and what [data-say] says.
  function say(page) {
    const spoken = document.createElement("p");
    spoken.className = "sr";
    spoken.textContent = $("main").querySelector("[data-say]")?.textContent ?? "";
    document.querySelector(".toasts")?.replaceChildren(...page.querySelectorAll(".toast"), spoken);
  }

  function changed() {
    root.dispatchEvent(new CustomEvent("live", { detail: line.map((tap) => tap.body) }));
  }

  function show() {
    $("main").setAttribute("aria-busy", String(sending));
    const box = $("unsent");
    if (!box) return;
    box.hidden = !stuck || !line.length;
    box.querySelector("b").textContent = line.length;
  }

  root.addEventListener("click", (event) => {
    if (event.target.closest("#unsent [data-again]")) work();
    if (!event.target.closest("#unsent [data-drop]")) return;
    line.length = 0;
    changed();
    show();
  });
  // Another phone wrote (follow.js): shown, unless something is on its way from here or half said.
  document.addEventListener("newer", (event) => {
    const main = $("main");
    const busy = line.length || sending || main.querySelector("details[open]") || document.querySelector(".telling");
    if (busy || main.querySelector(":is(input, select):focus")) return;
    event.preventDefault();
    swap(event.detail);
  });
  addEventListener("online", work);
  addEventListener("pageshow", () => (gone = false));
  addEventListener("beforeunload", (event) => line.length && event.preventDefault());
}

// A way to find the element's twin on the next page.
function same(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  return element.name && element.value ? `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]` : "main";
}

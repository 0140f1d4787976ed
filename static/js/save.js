// Every form that writes is sent without leaving the page, so that nothing typed is lost while there is no network or
// no server: the page says so, and the same tap sends it again, with the same key, so that it counts once.
// An answer that has to be read is left to the browser: it sends the form once more by itself, which changes nothing.
// Taps in a round that is played go through live.js instead (data-live).
import { renewed } from "./token.js";

const PATIENCE = 20_000; // ms
let busy = false;

// On window, so that a page's own scripts have had their say.
addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  const live = button?.closest("[data-live]") ?? form.closest("[data-live]");
  if (event.defaultPrevented || live || form.method !== "post" || form.enctype === "multipart/form-data") return;
  event.preventDefault();
  if (busy) return; // the second tap of a double tap
  busy = true;
  say("");
  const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
  try {
    let answer = await send(form, address, button);
    if (renewed(answer)) answer = await send(form, address, button);
    const next = answer.headers.get("Location");
    if (next) return location.assign(next);
    if (answer.status < 502) return leave(form, address, button);
  } catch {
    // no network, no server, or none in time
  }
  busy = false;
  say(toasts().dataset.unsent);
});
addEventListener("pageshow", () => (busy = false));

function send(form, address, button) {
  const body = new URLSearchParams(new FormData(form, button));
  return fetch(address, { method: "POST", body, headers: { "X-Stay": "1" }, signal: AbortSignal.timeout(PATIENCE) });
}

function leave(form, address, button) {
  if (button?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value }));
  form.action = address;
  form.submit();
}

const toasts = () => document.querySelector(".toasts");

function say(text) {
  toasts().querySelector(".unsaved")?.remove();
  if (!text) return;
  const toast = Object.assign(document.createElement("p"), { className: "toast bad unsaved", textContent: text });
  toasts().prepend(toast);
}

// Once all has come to rest: what makes the app go on without a network (keep.js). At once where it is on the phone
// already; else later, and not where the phone saves data or has a slow network: the engine is 4.5 MB.
const LATER = 8_000; // ms
const shell = () => "shell" in document.documentElement.dataset;
if ("serviceWorker" in navigator && isSecureContext && !shell()) {
  const here = Boolean(navigator.serviceWorker.controller);
  const { saveData, effectiveType } = navigator.connection ?? {};
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  const keep = () => shell() || import("./keep.js").catch(() => {}); // there is no network now: another page will
  const later = () => setTimeout(() => idle(keep), here ? 0 : LATER);
  if (here || (!saveData && !/2g/.test(effectiveType))) addEventListener("load", later);
}

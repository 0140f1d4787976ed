// A round of scoring plays: taps count at once, and the open ends are summed as they are tapped.
import { stayAwake } from "./awake.js";
import { live } from "./live.js";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
let now = 0; // the end being asked for; null once all are there

live(document);
document.addEventListener("live", (event) => {
  onTheWay(event.detail);
  ends();
});

// Shows taps that are not answered yet as if they counted; the answer brings the truth.
function onTheWay(taps) {
  for (const item of all(".strip .sending")) item.remove();
  const more = all("[data-side]").map(() => 0);
  for (const tap of taps) {
    const [kind, side] = (tap.get("op") ?? "").split(":");
    const button = document.querySelector(`button[name=op][value="${tap.get("op")}"]`);
    if (!["play", "bonus"].includes(kind) || tap.has("back") || !button) continue;
    more[side] += Number(button.dataset.points);
    const item = document.createElement("li");
    item.className = "sending";
    item.append(...who(tap.get(`credit-${side}`)), button.querySelector("bdi").cloneNode(true));
    document.querySelector(".strip").hidden = false;
    document.querySelector(".strip").prepend(item);
  }
  all("[data-side]").forEach((half, side) => {
    const total = half.querySelector("[data-total]");
    const gain = half.querySelector("[data-gain]");
    total.textContent = Number(total.dataset.total) + more[side];
    gain.querySelector("bdi").textContent = `+${Number(gain.dataset.gain) + more[side]}`;
  });
}

const who = (seat) => document.querySelector(`.credit [value="${seat}"] + .who`).cloneNode(true).childNodes;

// The lists hold the ends; the drawn halves only fill them.
const lists = () => all("#ends select");
const worth = (end) => [...end].reduce((sum, digit) => sum + Number(digit), 0);

function ends() {
  const panel = document.querySelector("#ends .panel");
  if (!panel) return;
  const given = lists().map((list) => list.value);
  const filled = given.filter(Boolean);
  const sum = filled.reduce((total, end) => total + worth(end), 0);
  const scores = (JSON.parse(panel.dataset.scoring)[filled.length] ?? []).includes(sum);
  all("[data-slot]", panel).forEach((slot, place) => {
    slot.replaceChildren(...all(`[data-end="${given[place]}"] svg`, panel).map((picture) => picture.cloneNode(true)));
    slot.setAttribute("aria-pressed", String(now === place));
    slot.title = given[place].split("").join("-");
  });
  const word = panel.querySelector("[data-scores]");
  panel.querySelector(".endsum b").textContent = filled.length ? sum : "";
  word.textContent = filled.length ? (scores ? word.dataset.scores : word.dataset.nothing) : "";
  panel.classList.toggle("scores", scores);
  for (const label of all("[data-sum]", panel)) {
    label.dataset.empty ??= label.textContent;
    label.textContent = scores ? `+${sum}` : label.dataset.empty;
    label.parentElement.disabled = !scores;
  }
}

document.addEventListener("click", (event) => {
  const { target } = event;
  for (const pop of all(".pop[open]")) if (!pop.contains(target) && !target.closest(".bar")) pop.open = false;
  const slot = target.closest("[data-slot]");
  const end = target.closest("[data-end]")?.dataset.end;
  if (slot) {
    const place = Number(slot.dataset.slot);
    if (now === place) lists()[place].value = "";
    now = place;
  }
  if (end && now !== null) {
    lists()[now].value = end;
    const next = lists().findIndex((list) => !list.value);
    now = next < 0 ? null : next;
  }
  if (slot || end) ends();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const pop of all(".pop[open]")) {
    pop.open = false;
    pop.querySelector("summary").focus();
  }
});

// A correction: the verdict that the list would bring.
const form = document.getElementById("entry");
let asked;
form?.addEventListener("change", async () => {
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: asked.signal });
    if (answer.ok) document.getElementById("preview").innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") document.getElementById("preview").replaceChildren(); // no network: no old verdict
  }
});

ends();
stayAwake();

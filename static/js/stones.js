// A round while it is played: taps go out through live.js and stones move at once; then how it ended is asked one
// question at a time. The plain fields of the form hold every answer, `said` keeps them when the page part is swapped.
import { live } from "./live.js";
import { held, pips, turnGrid } from "./pips.js";
import { correct } from "./stones_correct.js";
import { moveStones } from "./stones_move.js";

const $ = (id) => document.getElementById(id);
const LONG = 500; // ms
let said = {}; // the answers so far, by field name
let asking = null; // the seat whose pips are asked
let open = false; // whether the ending is being told
let tiles = false;
let asked;

const form = () => $("entry");
const words = () => $("words").dataset;
const seats = () => [...$("who").querySelectorAll(".chip-seat")];
const value = (name) => said[name] ?? "";
const way = () => $("main").querySelector(`[data-ended="${said.ended}"]`);
const byHands = () => "hands" in (way()?.dataset ?? {});

function put(name, text) {
  said[name] = text;
  const field = form().elements.namedItem(name);
  if (field) field.value = text;
}

// What is still to be said: "who", "tile", "ends" or a seat whose pips are missing; null when all is.
function missing() {
  if (!value("by")) return "who";
  if (said.ended === "tile" && !value("tile")) return "tile";
  if (said.ended === "tile" && !(value("end-0") && value("end-1"))) return "ends";
  if (!byHands()) return null;
  const left = seats().map((_, seat) => seat).filter((seat) => !value(`hands-${seat}`));
  return left.find((seat) => seat > asking) ?? left[0] ?? null;
}

function draw() {
  const shown = open && $("ways");
  for (const id of ["score", "ending", "endbar"]) if ($(id)) $(id).hidden = !shown;
  for (const id of ["gloss-out", "gloss-hands"]) $(id).hidden = true;
  for (const id of ["taps", "asks", "ways", "other", "turn"]) if ($(id)) $(id).hidden = Boolean(shown);
  $("main").classList.toggle("telling", Boolean(shown));
  if (!shown) return $("preview")?.replaceChildren();
  const next = missing();
  const hands = byHands();
  const pad = next === "tile" || (hands && asking !== null && tiles);
  seats().forEach((chip, seat) => drawChip(chip, seat, next, hands));
  $("who").classList.toggle("pick", !hands);
  $("grid").hidden = !hands || asking === null || tiles;
  $("pad").hidden = !pad;
  $("ends").hidden = said.ended !== "tile" || next === "who" || next === "tile";
  $("keys").hidden = !(pad && hands);
  $("mode").hidden = !hands || !value("by");
  $("mode").textContent = tiles ? $("mode").dataset.numbers : $("mode").dataset.tiles;
  $("ask").textContent = question(next);
  $("doing").hidden = next === "who";
  $("doing").textContent = `${label()}: ${value("by") && name(value("by"))}`;
  $("save").setAttribute("aria-disabled", String(next !== null));
  $("gloss-out").hidden = hands || next !== null;
  $("gloss-hands").hidden = !hands || next !== null;
  drawKeys(hands);
  drawClosing(hands);
}

function question(next) {
  if (next === "who") return `${label()}: ${words().who}`;
  if (next === "tile") return words().tile;
  if (next === "ends") return words().ends;
  if (asking !== null && byHands()) return `${name(asking)}: ${words().hands}`;
  return words().done;
}

const label = () => (way()?.querySelector("b") ?? way())?.textContent ?? "";
const name = (seat) => seats()[seat].querySelector(".who").textContent.trim();

function drawChip(chip, seat, next, hands) {
  chip.querySelector("b").textContent = hands ? pips(value(`hands-${seat}`)) : "";
  chip.classList.toggle("now", hands && next !== "who" && seat === asking);
  chip.classList.toggle("won", value("by") === String(seat));
  chip.classList.toggle("done", hands && Boolean(value(`hands-${seat}`)));
}

function drawKeys(hands) {
  const mine = hands ? value(`hands-${asking}`) : value("tile");
  const used = hands ? seats().flatMap((_, seat) => (seat === asking ? [] : held(value(`hands-${seat}`)))) : [];
  for (const key of $("grid").querySelectorAll("[data-n]")) key.classList.toggle("on", key.dataset.n === mine);
  for (const key of $("pad").children) {
    key.setAttribute("aria-pressed", String(held(mine).includes(key.dataset.tile)));
    key.disabled = used.includes(key.dataset.tile);
  }
  $("lasttile").replaceChildren(...[$("pad").querySelector(`[data-tile="${value("tile")}"] .tile`)?.cloneNode(true)].filter(Boolean));
  for (const key of $("ends").querySelectorAll("[data-end]"))
    key.setAttribute("aria-pressed", String(value(`end-${key.dataset.side}`) === key.dataset.end));
}

// The passes that close the round and were not tapped: each counts as a pass unless it is set otherwise (D8).
function drawClosing(hands) {
  const chip = seats()[value("by") || -1];
  const seatsMissing = chip?.dataset.missing.split(" ").filter(Boolean) ?? [];
  $("closing").hidden = !(hands && "closing" in form().dataset && seatsMissing.length);
  for (const button of $("closing").querySelectorAll(".closes")) {
    const kind = value(`closing-${button.dataset.seat}`) || "1";
    button.classList.toggle("gone", !seatsMissing.includes(button.dataset.seat));
    button.dataset.kind = kind;
    button.querySelector(".sr > span").textContent = [button.dataset.none, button.dataset.one, button.dataset.two][kind];
  }
}

function turnClosing(seat) {
  const kinds = seat === value("by") ? ["1", "0"] : ["1", "2", "0"]; // the manguno has played: no passebunge
  put(`closing-${seat}`, kinds[(kinds.indexOf(value(`closing-${seat}`) || "1") + 1) % kinds.length]);
  told();
}

function begin(ended) {
  open = true;
  put("ended", ended);
  if (form().dataset.by) put("by", form().dataset.by);
  onwards();
}

function back() {
  open = false;
  said = {};
  asking = null;
  draw();
}

// On to the next question, or to the verdict.
function onwards() {
  const next = missing();
  asking = typeof next === "number" ? next : null;
  told();
}

function told() {
  draw();
  if (missing() === null) return preview();
  asked?.abort();
  $("preview").replaceChildren();
}

async function preview() {
  asked?.abort();
  asked = new AbortController();
  try {
    const body = new URLSearchParams(new FormData(form()));
    const answer = await fetch(form().dataset.preview, { method: "POST", body, signal: asked.signal });
    if (answer.ok && open && missing() === null) $("preview").innerHTML = await answer.text();
  } catch {
    // no network, or asked anew: saving will say so
  }
}

function hand(tile) {
  const mine = held(value(`hands-${asking}`));
  const now = mine.includes(tile) ? mine.filter((other) => other !== tile) : [...mine, tile];
  put(`hands-${asking}`, now.join(" "));
  const closing = `closing-${asking}`;
  const untouched = now.length === Number(form().dataset.tiles); // nothing played yet: that pass is a passebunge
  if (untouched && !value(closing) && value("by") !== String(asking)) put(closing, "2");
  draw();
}

const taps = [
  ["button[data-ended]", (key) => begin(key.dataset.ended)],
  ["#nevermind", back],
  [
    "#who .chip-seat",
    (chip) => {
      if (value("by") && byHands()) {
        asking = Number(chip.dataset.seat);
        return draw();
      }
      put("by", chip.dataset.seat);
      onwards();
    },
  ],
  [
    "#grid [data-n]",
    (key) => {
      put(`hands-${asking}`, key.dataset.n);
      onwards();
    },
  ],
  ["#bigger", bigger],
  [
    "#pad [data-tile]",
    (key) => {
      if (byHands()) return hand(key.dataset.tile);
      put("tile", key.dataset.tile);
      onwards();
    },
  ],
  [
    "#ends [data-end]",
    (key) => {
      put(`end-${key.dataset.side}`, key.dataset.end);
      onwards();
    },
  ],
  [
    "#lasttile",
    () => {
      put("tile", "");
      onwards();
    },
  ],
  ["#next", onwards],
  ["#closing .closes", (button) => turnClosing(button.dataset.seat)],
  [
    "#mode",
    () => {
      tiles = !tiles;
      asking ??= 0;
      draw();
    },
  ],
];

function bigger() {
  turnGrid($("grid"), $("bigger"), Number(form().dataset.most));
  draw();
}

// A long press on a place is its second button. A finger is never quite still.
const STILL = 12; // px
let press;
let from;
let pressed = false;
function longPress(event) {
  if (event.type === "pointermove" && from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < STILL) return;
  clearTimeout(press);
  from = null;
  const place = event.target.closest?.("[data-long]");
  if (!place || event.type !== "pointerdown") return;
  from = event;
  pressed = false;
  press = setTimeout(() => {
    pressed = true;
    $("taps").requestSubmit($("taps").querySelector(`[value="${place.dataset.long}"]`));
  }, LONG);
}

function start() {
  document.addEventListener("click", (event) => {
    for (const [selector, act] of taps) {
      const found = event.target.closest(selector);
      if (found) return act(found);
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target !== form() || missing() === null) return;
    event.preventDefault();
    onwards();
  }, true);
  for (const type of ["pointerdown", "pointerup", "pointercancel", "pointermove"]) document.addEventListener(type, longPress);
  document.addEventListener("contextmenu", (event) => event.target.closest("[data-long]") && event.preventDefault());
  document.addEventListener("click", (event) => {
    if (pressed && event.target.closest("[data-long]")) event.preventDefault();
    pressed = false;
  }, true);
  live(document);
  moveStones();
  document.addEventListener("live", renew);
  renew();
}

// After a swap: what was said so far is said again. A log of turns that ends in a block asks for the pips by itself.
let page;
function renew() {
  if (page === $("main")) return; // only a tap more on its way
  page = $("main");
  for (const [field, text] of Object.entries(said)) put(field, text);
  const ways = $("ways")?.querySelectorAll("[data-ended]") ?? [];
  if (!open && form().dataset.by && ways.length === 1) return begin(ways[0].dataset.ended);
  if (open && $("ways")) return told();
  draw();
}

if ($("correct")) correct($("correct"));
else start();

// Enters a round one question at a time: who went out, then each player's pips on a grid or on drawn tiles.
// The plain fields of the form hold everything; this only asks for them in order and shows them.
import { held, pips, turnGrid } from "./pips.js";

const form = document.getElementById("entry");
const seats = Number(form.dataset.seats);
const parts = form.dataset.parts.split(" ");
const $ = (id) => document.getElementById(id);
const words = $("words").dataset;
const chips = [...form.querySelectorAll(".chip-seat")];
const names = chips.map((chip) => chip.querySelector(".who").textContent.trim());
const MOST = 93; // pips: the grid's last number
let now = null; // the question being asked: null is how the round ended
let tiles = false;
let refused = false; // what the preview said of an entry that is complete
let needed = []; // seats whose lowest tile decides a tie
const doers = [...form.querySelectorAll("[data-by]")]; // the endings that are somebody's doing
let how = doers.length === 1 ? doers[0].dataset.by : "";

function input(name) {
  let found = form.elements.namedItem(name);
  if (!found) {
    found = Object.assign(document.createElement("input"), { type: "hidden", name });
    form.append(found);
  }
  return found;
}

const ending = () => form.querySelector("[name=ending]:checked")?.value || "";
const winner = () => (ending().includes(":") ? Number(ending().split(":")[1]) : -1);
const value = (name) => input(name).value.trim();

// Every question in order: all hands, then all discards; who went out holds nothing and is not asked.
function questions() {
  const all = [];
  for (const part of parts)
    for (let seat = 0; seat < seats; seat++) if (!(part === "hands" && seat === winner())) all.push({ seat, part, name: `${part}-${seat}` });
  for (const seat of needed) all.push({ seat, part: "lowest", name: `lowest-${seat}` });
  return all;
}

const missing = () => questions().filter((question) => !value(question.name));

function shown(seat) {
  const texts = parts.map((part) => {
    if (part === "hands" && seat === winner()) return words.out;
    const text = value(`${part}-${seat}`);
    return pips(text);
  });
  if (texts.every((text) => !text)) return "";
  if (texts[0] === words.out && !texts[1]) return words.out;
  return texts.map((text) => text || "?").filter((text) => text !== "-").join("+") || "0";
}

function draw() {
  const focused = form.contains(document.activeElement);
  const left = missing();
  chips.forEach((chip, seat) => {
    const label = shown(seat);
    chip.querySelector("b").textContent = label;
    chip.classList.toggle("long", label.length > 3);
    chip.classList.toggle("now", now?.seat === seat);
    chip.classList.toggle("won", seat === winner());
    chip.classList.toggle("done", Boolean(ending()) && !left.some((question) => question.seat === seat));
  });
  const asking = ending() && now;
  const pad = asking && (tiles || now.part === "lowest");
  $("endings").hidden = Boolean(ending());
  $("grid").hidden = !asking || pad;
  $("pad").hidden = !pad;
  $("keys").hidden = !asking || !(pad || now.part === "discards");
  $("none").hidden = !asking || !(now.part === "discards" || now.part === "lowest");
  $("next").hidden = !pad || now.part === "lowest";
  $("mode").hidden = !ending() || now?.part === "lowest";
  $("mode").textContent = tiles ? $("mode").dataset.numbers : $("mode").dataset.tiles;
  $("ask").textContent = !ending() ? words.ending : now ? `${names[now.seat]}: ${words[now.part]}` : words.done;
  $("save").setAttribute("aria-disabled", String(!ending() || left.length > 0 || refused));
  $("nobody").hidden = !asking || now.part !== "discards";
  if (asking) pad ? drawPad() : drawGrid();
  if (focused && (document.activeElement === document.body || document.activeElement.closest("[hidden]"))) focusNext();
}

// Whoever answers with a key goes on from the next question: what had the focus may just have disappeared.
function focusNext() {
  const keys = [$("grid"), $("pad")].find((each) => !each.hidden);
  (keys?.querySelector("button:enabled") ?? $("save")).focus();
}

function drawGrid() {
  for (const key of $("grid").querySelectorAll("[data-n]")) key.classList.toggle("on", key.dataset.n === value(now.name));
}

function drawPad() {
  const mine = held(value(now.name));
  const used = now.part === "lowest" ? [] : questions().filter((question) => question.name !== now.name).flatMap((question) => held(value(question.name)));
  for (const key of $("pad").children) {
    key.setAttribute("aria-pressed", String(mine.includes(key.dataset.tile)));
    key.disabled = used.includes(key.dataset.tile);
  }
}

function ask(question) {
  now = question ?? null;
  draw();
}

function put(text) {
  input(now.name).value = text;
  preview();
}

// On to the first question without an answer, the current one's neighbours before all others.
function onwards() {
  const all = questions();
  const place = all.findIndex((question) => question.name === now?.name);
  ask([...all.slice(place + 1), ...all.slice(0, place + 1)].find((question) => !value(question.name)));
}

function end(key) {
  const choice = [...form.querySelectorAll("[name=ending]")].find((radio) => radio.value === key);
  if (!choice) return;
  choice.checked = true;
  if (winner() >= 0) input(`hands-${winner()}`).value = "";
  now = null;
  onwards();
  preview();
}

let asked;
async function preview() {
  draw();
  keep();
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: asked.signal });
    if (!answer.ok) return;
    $("preview").innerHTML = await answer.text();
    const fine = $("preview").querySelector("[data-ok]");
    const wants = fine?.dataset.needs?.split(" ").map(Number) ?? [];
    if (fine) needed = [...new Set([...needed.filter((seat) => value(`lowest-${seat}`)), ...wants])];
    const wrong = fine ? null : $("preview").querySelector("[data-field]")?.dataset.field;
    refused = Boolean(wrong) && missing().length === 0;
    const about = refused && questions().find((question) => question.name === wrong);
    if (about) ask(about);
    else if (wants.length && !now) onwards();
    else draw();
  } catch (error) {
    if (error.name !== "AbortError") $("preview").replaceChildren(); // no network: saving will say so, no old verdict
  }
}

chips.forEach((chip, seat) =>
  chip.addEventListener("click", () => {
    if (!ending()) return how && end(`${how}:${seat}`);
    if (seat === winner() && (parts.length === 1 || now?.seat === seat)) return restart();
    const own = questions().filter((question) => question.seat === seat);
    ask(own.find((question) => !value(question.name)) ?? own[(own.findIndex((question) => question.name === now?.name) + 1) % own.length]);
  }),
);

// Tapping the winner again takes the ending back; what was entered stays.
function restart() {
  form.querySelector("[name=ending]:checked").checked = false;
  ask(null);
  $("preview").replaceChildren();
}

$("endings").addEventListener("click", (event) => {
  const key = event.target.closest("button")?.dataset;
  if (key?.ending) end(key.ending);
  if (!key?.by) return;
  how = key.by;
  for (const doer of doers) doer.setAttribute("aria-pressed", String(doer.dataset.by === how));
});
$("grid").addEventListener("click", (event) => {
  const key = event.target.closest("[data-n]");
  if (!key || !now) return;
  put(key.dataset.n);
  onwards();
});
$("bigger").addEventListener("click", () => {
  turnGrid($("grid"), $("bigger"), MOST);
  drawGrid();
});
$("pad").addEventListener("click", (event) => {
  const key = event.target.closest("[data-tile]");
  if (!key || !now) return;
  if (now.part === "lowest") {
    put(key.dataset.tile);
    return onwards();
  }
  const mine = held(value(now.name));
  put((mine.includes(key.dataset.tile) ? mine.filter((tile) => tile !== key.dataset.tile) : [...mine, key.dataset.tile]).join(" "));
});

// Numbers can be typed as well: 1 4 Enter.
let digits = "";
addEventListener("keydown", (event) => {
  const typing = now && !$("grid").hidden && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (typing && /^\d$/.test(event.key)) digits = Number(digits + event.key) > MOST ? event.key : String(Number(digits + event.key));
  else if (typing && digits && event.key === "Backspace") digits = digits.slice(0, -1);
  else if (typing && digits && event.key === "Enter") {
    digits = "";
    event.preventDefault();
    onwards();
    return now || focusNext();
  } else return (digits = "");
  event.preventDefault();
  put(digits);
});
$("none").addEventListener("click", () => {
  put("-");
  onwards();
});
$("next").addEventListener("click", onwards);
$("nobody").addEventListener("click", () => {
  for (const question of missing()) if (question.part === "discards") input(question.name).value = "-";
  onwards();
  preview();
});
$("mode").addEventListener("click", () => {
  tiles = !tiles;
  if (!now) ask(questions()[0]);
  else draw();
});
form.addEventListener("submit", (event) => {
  if (ending() && !missing().length) return;
  event.preventDefault();
  if (ending()) ask(missing()[0]);
});

// A new round survives a reload, a tab that the phone put away and a wrong tap on "back": until it is saved, or another
// phone has changed the match.
const draft = `${location.pathname} ${value("version")}`;
const typed = () => [...new FormData(form)].filter(([name, text]) => text && /^(ending|hands|discards|lowest)\b/.test(name));

function keep() {
  try {
    sessionStorage.setItem("draft", JSON.stringify([draft, typed()]));
  } catch {
    // the browser keeps nothing: nor does this
  }
}

function recall() {
  try {
    const [of, fields] = JSON.parse(sessionStorage.getItem("draft")) ?? [];
    if (of !== draft || typed().length || !("new" in form.dataset)) return;
    for (const [name, text] of fields)
      if (name !== "ending") input(name).value = text;
      else form.querySelector(`[name=ending][value="${CSS.escape(text)}"]`).checked = true;
    if (fields.length) preview();
  } catch {
    // nothing kept, or nothing of ours
  }
}

recall();
needed = [...form.querySelectorAll("[name^=lowest-]")].map((field) => Number(field.name.split("-")[1]));
tiles = questions().some((question) => question.part !== "lowest" && held(value(question.name)).length);
if (ending()) onwards();
else draw();
for (const part of form.querySelectorAll("[inert]")) part.inert = false;

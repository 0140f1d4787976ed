// The table of a practice match. The match is kept in the browser; each step (practice_home.js) gives the match after
// it and the part of the page that shows it. Bots move one at a time, at a pace one can follow and skip.
// Where nothing can be kept the page's forms do without this script.
import { stayAwake } from "./awake.js";
import { able, load, save } from "./kept.js";
import { step } from "./practice_home.js";
import { finished, seeded } from "./ranking.js";
import { alone, listen, tell } from "./tabs.js";

const PACE = 600; // ms between two moves
const stage = document.getElementById("stage");
const said = document.getElementById("said");
const HERE = new URL(".", import.meta.url).href; // this version of the app
const nothing = document.getElementById("nothing");
const LOOK = `${document.documentElement.lang} ${import.meta.url}`; // what the page's part is drawn for
let now = null; // {state, turn, at, html, look}, of a finished match also its record
let busy = false; // a step is on its way: a second tap is nothing
let waiting; // the timer of the next bot
let skipping = false;
let next = null; // the step that follows by itself
let reviewing = false;

const $ = (id) => document.getElementById(id);

async function take(request) {
  if (busy) {
    if (reviewing) next = request; // as soon as the part under way is done
    return;
  }
  occupied(true);
  next = null;
  reviewing = request.do === "review";
  clearTimeout(waiting);
  try {
    await alone(() => taken(request));
  } catch (error) {
    lost(error);
  } finally {
    occupied(false);
  }
  onwards();
}

function occupied(yes) {
  busy = yes;
  stage.setAttribute("aria-busy", String(yes));
}

async function taken(request) {
  const kept = await load("practice");
  // Another tab went on meanwhile: what was tapped here was tapped at a table that is no more.
  const moved = kept && now && kept.at !== now.at;
  if (moved) now = kept;
  const asked = moved ? { do: "show" } : await full(request);
  const answer = await step({ state: now?.state ?? null, ...asked });
  if (answer.error) return refused(answer.error, asked);
  if (asked.do === "review") return reviewed(answer);
  if (asked.do === "show") now.turn = answer.turn;
  else {
    const at = Math.max(Date.now(), (now?.at ?? 0) + 1);
    now = { state: answer.state, turn: answer.turn, at, html: answer.html, look: LOOK, record: answer.record };
    await save("practice", now);
    tell();
  }
  show(answer.html);
  rank(answer);
}

// Another match like this one has a seed of the ranking, taken while a second tap is nothing.
const full = (request) => (request.do === "start" ? seeded(request, !$("practice")?.matches("[data-other-length]")) : request);

// To the ranking, which takes each match once; so it is told of one also when the page comes back to it.
const rank = ({ record, state }) => record && state && finished(record, state.helped);

// A review is long work in short parts: what was found so far comes with each, and goes out with the next.
function reviewed(answer) {
  show(answer.html);
  if (answer.left) next ??= { do: "review", found: answer.found };
}

// Bots go on by themselves.
function onwards() {
  clearTimeout(waiting);
  if (next) return take(next);
  if (now?.turn !== "bot" || $("lost")) return;
  if (skipping) return take({ do: "bots" });
  waiting = setTimeout(() => take({ do: "bot" }), PACE);
}

const drawn = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("practice");

function show(html) {
  skipping = false;
  const old = $("practice");
  const had = document.activeElement?.closest("#practice") ? document.activeElement : null;
  const page = drawn(html);
  nothing.hidden = true;
  const another = old?.dataset.round !== page.dataset.round || old?.classList.contains("isover") !== page.classList.contains("isover");
  stage.replaceChildren(page);
  if (had) focusLike(had);
  if (another) scrollTo(0, 0);
  said.textContent = page.querySelector("[data-say]")?.textContent ?? "";
}

// The focus stays where it was, or goes to the first thing that can be done.
function focusLike(had) {
  const same = had.name && had.value && $("practice").querySelector(`[name="${had.name}"][value="${CSS.escape(had.value)}"]:enabled`);
  const next = same || $("practice").querySelector(".hand button:enabled, .bar .go, .bar button") || $("practice");
  next.focus({ preventScroll: true });
}

// What cannot be done at this table: it is shown as it is. A match that cannot even be shown (another engine kept it) is
// put aside: the way on is to choose another; the choice of this version leads here no more.
async function refused(error, asked) {
  if (!error.at.startsWith("state") && asked.do !== "show") return void (next = { do: "show" });
  $("practice")?.remove();
  nothing.hidden = false;
  now = { ...now, turn: "", refused: HERE };
  await save("practice", now);
}

function lost(error) {
  console.warn(error);
  const toast = Object.assign(document.createElement("p"), { className: "toast bad", id: "lost", textContent: error.said ?? stage.dataset.lost });
  document.querySelector(".toasts").replaceChildren(toast);
}

// A tile that fits several ends: they light up, and one of them is tapped.
function pick(button) {
  const chosen = button.getAttribute("aria-pressed") !== "true" ? button.dataset.tile : "";
  for (const each of document.querySelectorAll(".hand [name=pick]")) each.setAttribute("aria-pressed", String(each.dataset.tile === chosen));
  for (const spot of document.querySelectorAll(".spot")) spot.toggleAttribute("hidden", spot.dataset.tile !== chosen);
  const first = document.querySelector(".spot:not([hidden]) button");
  if (first && button.matches(":focus-visible")) first.focus({ preventScroll: true });
}

function act(event) {
  if (event.target.id !== "moves") return;
  event.preventDefault();
  const button = event.submitter;
  $("lost")?.remove();
  if (button.name === "pick") return pick(button);
  if (button.name === "move") return take({ do: "play", move: button.value });
  if (button.value === "again") {
    const { variant, rules, seats } = now.state;
    return take({ do: "start", variant, rules, seats });
  }
  if (button.value === "bots") return skip();
  if (button.value === "review") return take({ do: "review", found: [] });
  take({ do: button.value });
}

// While bots move, a tap anywhere on the table brings the human's turn at once.
function skip() {
  if (now?.turn !== "bot") return;
  $("lost")?.remove();
  skipping = true;
  if (!busy) onwards();
}

// The network is back: what was lost is asked for again by itself, but for what a human did.
function resume() {
  if (!$("lost")) return;
  $("lost").remove();
  if (busy || !now) return;
  if ($("practice")) onwards();
  else take({ do: "show" });
}

function tap(event) {
  if (now?.turn === "bot" && event.target.closest("#practice, #lost") && !event.target.closest("a, button")) skip();
}

async function begin() {
  if (!(await able())) return;
  document.addEventListener("submit", act);
  document.addEventListener("click", tap);
  addEventListener("online", resume);
  listen(follow);
  document.addEventListener("visibilitychange", () => document.hidden || follow());
  const here = stage.dataset.state ? { state: JSON.parse(stage.dataset.state), turn: $("practice").dataset.turn, at: Number(stage.dataset.at) } : null;
  const kept = await load("practice");
  now = kept && kept.at >= (here?.at ?? 0) ? kept : here;
  if (!now) return;
  if (now === here) await save("practice", here);
  if (now.look !== LOOK || now.refused || !drawn(now.html)) return take({ do: "show" });
  show(now.html); // as it was left, whether or not anybody answers yet
  occupied(false);
  rank(now);
  onwards();
}

// What another tab did shows here too.
async function follow() {
  const kept = busy ? null : await load("practice");
  if (kept && now && kept.at !== now.at) take({ do: "show" });
}

begin();
stayAwake();

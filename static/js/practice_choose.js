// The choice of a practice match: it starts in this browser and is kept here.
import { able, load, save } from "./kept.js";
import { step } from "./practice_home.js";
import { seeded } from "./ranking.js";
import { alone, tell } from "./tabs.js";

const form = document.getElementById("choose");
const HERE = new URL(".", import.meta.url).href; // this version of the app
const failure = document.getElementById("unstarted");
const unranked = document.getElementById("unranked");
let busy = false;

able().then((keeps) => keeps && form.addEventListener("submit", start)); // else the server keeps the match
load("practice").then((kept) => {
  if (kept) document.getElementById("goon").hidden = kept.turn === "finished" || kept.refused === HERE;
});

async function start(event) {
  event.preventDefault();
  if (busy) return;
  busy = true;
  say("");
  try {
    const answer = await step(await seeded({ do: "start", form: Object.fromEntries(new FormData(form)) }, counts()));
    if (answer.error) return wrong(answer.error);
    await alone(() => save("practice", { state: answer.state, turn: answer.turn, at: Date.now() }));
    tell();
    location.assign(form.dataset.table);
  } catch {
    say(form.dataset.lost);
    busy = false;
  }
}

// The field that is wrong, in sight and in focus, and why under the whole; all that was chosen stays as it is.
function wrong({ at }) {
  busy = false;
  const [, name] = at.match(/rules\.(\w+)$/) ?? [];
  const field = name && form.elements.namedItem(`rule-${name}`);
  say(form.dataset.wrong + (field?.dataset?.range ? ` (${field.dataset.range})` : ""));
  if (!field?.focus) return;
  field.closest("details").open = true;
  field.closest(".field").classList.add("bad");
  field.focus();
}

function say(text) {
  failure.textContent = text;
  failure.hidden = !text;
  for (const field of form.querySelectorAll(".bad")) field.classList.remove("bad");
}

addEventListener("pageshow", () => {
  busy = false;
  look(); // a browser that comes back fills the fields as they were
});

// Whether a match ends as the ranking asks: every house rule that says when.
function counts() {
  const fields = [...form.querySelectorAll("[data-usual]:not([type=radio]:not(:checked))")];
  return fields.every(({ value, dataset }) => (value.trim() || dataset.empty) === dataset.usual);
}
const look = () => (unranked.hidden = counts());
form.addEventListener("input", look);

// The choice of a practice match: it starts in this browser and is kept here.
import { able, load, save } from "./kept.js";
import { step } from "./practice_home.js";
import { seeded } from "./ranking.js";
import { alone, tell } from "./tabs.js";

const form = document.getElementById("choose");
const unranked = document.getElementById("unranked");
let busy = false;

able().then((keeps) => keeps && form.addEventListener("submit", start)); // else the server keeps the match
load("practice").then((kept) => {
  if (kept) document.getElementById("goon").hidden = kept.turn === "finished";
});

async function start(event) {
  event.preventDefault();
  if (busy) return;
  busy = true;
  try {
    const answer = await step(await seeded({ do: "start", form: Object.fromEntries(new FormData(form)) }, counts()));
    if (answer.error) return leave(); // the form itself says what is wrong
    await alone(() => save("practice", { state: answer.state, turn: answer.turn, at: Date.now() }));
    tell();
    location.assign(form.dataset.table);
  } catch {
    leave();
  }
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

const leave = () => form.submit();

// The choice of a practice match: it starts in this browser and is kept here.
import { load, save } from "./kept.js";
import { step } from "./practice_home.js";
import { seeded } from "./ranking.js";
import { alone, tell } from "./tabs.js";

const form = document.getElementById("choose");
let busy = false;

load("practice").then((kept) => {
  if (kept) document.getElementById("goon").hidden = kept.turn === "finished";
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (busy) return;
  busy = true;
  try {
    const answer = await step(await seeded({ do: "start", form: Object.fromEntries(new FormData(form)) }));
    if (answer.error) return leave(); // the form itself says what is wrong
    await alone(() => save("practice", { state: answer.state, turn: answer.turn, at: Date.now() }));
    tell();
    location.assign(form.dataset.table);
  } catch {
    leave();
  }
});
addEventListener("pageshow", () => (busy = false));

const leave = () => form.submit();

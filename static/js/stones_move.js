// Stones move when a pass is tapped, before the server has answered, and whenever an answer says otherwise.
const MILLISECONDS = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const waiting = []; // taps not yet answered, in order: {seat, stones}
let shown = new Map(); // how many stones lie where

const boxes = () => [...document.querySelectorAll(".stonetable [data-held]")];
const key = (box) => box.dataset.seat ?? "table";
const pile = (box) => box.querySelector(".held");
const counts = () => new Map(boxes().map((box) => [key(box), pile(box).children.length]));
const find = (name) => boxes().find((box) => key(box) === name);

// From now on every tap that gives stones shows them moving.
export function moveStones() {
  shown = counts();
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.form?.id !== "taps") return;
    const tap = { seat: button.dataset.giveto ?? button.closest(".place")?.dataset.seat, stones: Number(button.dataset.give ?? 0) };
    waiting.push(tap);
    settle(() => give(tap));
  });
  document.addEventListener("live", () => {
    waiting.shift();
    settle(() => waiting.forEach(give));
  });
}

// What the table has moves at once; who pays the rest is for the server to say.
function give({ seat, stones }) {
  const [table, place] = [find("table"), find(seat)];
  if (!table || !place) return;
  pile(place).append(...[...pile(table).children].slice(0, stones));
  for (const box of [table, place]) box.querySelector(".num").textContent = pile(box).children.length;
}

// Does something to the piles and lets what arrived fly in from where as much went away.
function settle(change) {
  change();
  const now = counts();
  const from = [...now.keys()].find((name) => now.get(name) < (shown.get(name) ?? 0));
  if (from && !still.matches) {
    const source = find(from).getBoundingClientRect();
    for (const box of boxes()) {
      const arrived = now.get(key(box)) - (shown.get(key(box)) ?? 0);
      if (arrived > 0) [...pile(box).children].slice(-arrived).forEach((stone) => fly(stone, source));
    }
  }
  shown = now;
}

function fly(stone, source) {
  const place = stone.getBoundingClientRect();
  if (!place.width) return;
  const x = source.x + source.width / 2 - place.x;
  const y = source.y + source.height / 2 - place.y;
  stone.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" });
}

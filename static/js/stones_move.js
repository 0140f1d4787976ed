// Stones move when a pass is tapped, before the server has answered, and whenever an answer says otherwise.
const MILLISECONDS = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const TABLE = "table";
let shown = new Map(); // how many stones were last seen where

const boxes = () => [...document.querySelectorAll(".stonetable [data-held]")];
const key = (box) => box.dataset.seat ?? TABLE;
const pile = (box) => box.querySelector(".held");

// From now on the stones lie as the server said and as the taps on their way will have it.
export function moveStones() {
  shown = heldBy(boxes());
  document.addEventListener("live", (event) => settle(boxes(), event.detail ?? []));
}

const heldBy = (all) => new Map(all.map((box) => [key(box), Number(box.dataset.held)]));

function settle(all, taps) {
  const wanted = heldBy(all);
  taps.forEach((tap, place) => give(wanted, tap.get("op") ?? "", place));
  const loose = all.flatMap((box) => [...pile(box).children].slice(wanted.get(key(box))));
  for (const box of all) {
    const number = wanted.get(key(box));
    pile(box).append(...loose.splice(0, Math.max(0, number - pile(box).children.length)));
    box.querySelector(".num").textContent = number;
  }
  if (!still.matches) fly(all, wanted);
  shown = wanted;
}

// What the table has moves at once; who pays the rest is for the server to say. Whose turn it is when a `skip` is not
// the first tap of the line is not known here.
function give(held, op, place) {
  const button = document.querySelector(`button[name=op][value="${CSS.escape(op)}"][data-give]`);
  const seat = button?.dataset.giveto ?? button?.closest(".place")?.dataset.seat;
  if (!seat || (button.dataset.giveto && place > 0)) return;
  const stones = Math.min(Number(button.dataset.give), held.get(TABLE));
  held.set(TABLE, held.get(TABLE) - stones);
  held.set(seat, held.get(seat) + stones);
}

// What arrived since the last look flies in from where as much went away.
function fly(all, wanted) {
  const from = all.find((box) => wanted.get(key(box)) < (shown.get(key(box)) ?? 0));
  if (!from) return;
  const source = from.getBoundingClientRect();
  for (const box of all) {
    const arrived = wanted.get(key(box)) - (shown.get(key(box)) ?? 0);
    if (arrived > 0) [...pile(box).children].slice(-arrived).forEach((stone) => move(stone, source));
  }
}

function move(stone, source) {
  const place = stone.getBoundingClientRect();
  if (!place.width) return;
  const x = source.x + source.width / 2 - place.x;
  const y = source.y + source.height / 2 - place.y;
  stone.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" });
}

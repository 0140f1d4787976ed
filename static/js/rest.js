// A wet or hurried finger taps twice where it meant once. Where a tap has just landed nothing takes another for a
// moment: neither the same button nor what came up under it. What came up there only later, with a new page or a note
// above it, takes none for the time of a slow double tap. Elsewhere taps count as fast as they come.
import { always } from "./scope.js";

const REST = 180; // ms
const BOUNCE = 400; // ms
const LOOK = 20; // ms between two looks at what lies there
const REACH = 48; // px
const TARGETS = "button, summary, label, a";

const says = (target) => target && [target.localName, target.id, target.name, target.value, target.textContent.trim()].join();

always(document, "click", (event) => {
  const tapped = event.target.closest(TARGETS);
  if (!event.detail || !tapped) return; // by keyboard; or typing
  const { clientX: x, clientY: y, timeStamp } = event;
  const shield = shieldAt(x, y);
  const said = says(tapped);
  // Where nothing is, the browser would take what is nearest.
  const same = () => says(document.elementsFromPoint(x, y).find((one) => one !== shield)?.closest(TARGETS)) === said;
  const look = () => {
    if (performance.now() - timeStamp >= BOUNCE) return shield.remove();
    shield.hidden = same();
    setTimeout(look, LOOK);
  };
  document.body.append(shield);
  setTimeout(look, REST);
}, true);

function shieldAt(x, y) {
  const shield = Object.assign(document.createElement("div"), { className: "shield" });
  Object.assign(shield.style, { left: `${x - REACH / 2}px`, top: `${y - REACH / 2}px` });
  shield.addEventListener("pointerdown", (tap) => tap.preventDefault());
  shield.addEventListener("mousedown", (tap) => tap.preventDefault()); // the focus stays
  shield.addEventListener("click", (tap) => tap.stopPropagation());
  return shield;
}

// A wet or hurried finger taps twice where it meant once. Where a tap has just landed nothing takes another for a
// moment: neither the same button nor what came up under it. Elsewhere taps count as fast as they come.
const REST = 180; // ms
const REACH = 48; // px

document.addEventListener("click", (event) => {
  if (!event.detail || !event.target.closest("button, summary, label, a")) return; // by keyboard; or typing
  const shield = Object.assign(document.createElement("div"), { className: "shield" });
  Object.assign(shield.style, { left: `${event.clientX - REACH / 2}px`, top: `${event.clientY - REACH / 2}px` });
  shield.addEventListener("pointerdown", (tap) => tap.preventDefault());
  shield.addEventListener("mousedown", (tap) => tap.preventDefault()); // the focus stays
  shield.addEventListener("click", (tap) => tap.stopPropagation());
  document.body.append(shield);
  setTimeout(() => shield.remove(), REST);
}, true);

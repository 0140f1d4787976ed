// Seats players with taps: an offered name goes to the first empty seat; with Swap, two seats change places.
const form = document.getElementById("new");
const boxes = () => [...form.querySelectorAll("#seats .input")];
const swap = document.getElementById("swap");
let first = null;

for (const radio of form.querySelectorAll("[name=seats][type=radio]"))
  radio.addEventListener("change", () => form.submit()); // without "start": the same form with other seats

document.getElementById("offered")?.addEventListener("click", (event) => {
  const name = event.target.closest("[data-name]")?.dataset.name;
  if (!name) return;
  const seated = boxes().find((box) => box.value.trim() === name);
  const box = seated ?? boxes().find((empty) => !empty.value.trim());
  if (box) box.value = seated ? "" : name;
  mark();
});

function mark() {
  const taken = boxes().map((box) => box.value.trim());
  for (const chip of document.querySelectorAll("#offered .chip")) chip.setAttribute("aria-pressed", String(taken.includes(chip.dataset.name)));
}

swap.addEventListener("click", () => {
  first = null;
  swap.setAttribute("aria-pressed", String(swap.getAttribute("aria-pressed") !== "true"));
  form.classList.toggle("swapping");
});
document.getElementById("seats").addEventListener("click", (event) => {
  const place = event.target.closest(".place");
  if (!place || !form.classList.contains("swapping")) return;
  event.preventDefault();
  document.activeElement.blur();
  const box = place.querySelector(".input");
  if (first && first !== box) {
    [first.value, box.value] = [box.value, first.value];
    first.closest(".place").classList.remove("now");
    first = null;
    swap.click();
  } else {
    first = box;
    place.classList.add("now");
  }
});
form.addEventListener("input", mark);
mark();

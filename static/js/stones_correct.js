// Corrects a finished round: only the fields that its ending needs are shown, and the verdict as it would be.
export function correct(form) {
  let asked;
  const field = (name) => form.elements.namedItem(name);
  const rows = [...form.querySelectorAll(".passrow")];

  function draw(waits = null) {
    const ended = field("ended");
    const hands = "hands" in ended.selectedOptions[0].dataset;
    for (const input of form.querySelectorAll("[name^=hands-]")) input.closest(".field").hidden = !hands;
    document.getElementById("pips-hint").hidden = !hands;
    for (const name of ["tile", "end-0", "end-1"]) if (field(name)) field(name).closest(".field").hidden = ended.value !== "tile";
    let spare = false;
    let place = 0;
    for (const row of rows) {
      const [seat, kind] = row.querySelectorAll("select");
      row.hidden = spare && !seat.value;
      spare ||= row.classList.contains("spare") && !seat.value;
      const counts = seat.value && kind.value !== "0";
      if (waits && counts && waits.includes(place)) row.classList.add("says");
      row.classList.toggle("removed", kind.value === "0");
      if (counts) place++;
    }
  }

  async function preview() {
    asked?.abort();
    asked = new AbortController();
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.dataset.preview, { method: "POST", body, signal: asked.signal });
      if (!answer.ok) return;
      const shown = document.getElementById("preview");
      shown.innerHTML = await answer.text();
      const verdict = shown.querySelector("[data-ok]");
      if (verdict) draw(verdict.dataset.needs?.split(" ").map(Number) ?? []);
    } catch (error) {
      if (error.name !== "AbortError") document.getElementById("preview").replaceChildren(); // no network: no old verdict
    }
  }

  form.addEventListener("change", () => {
    draw();
    preview();
  });
  draw();
}

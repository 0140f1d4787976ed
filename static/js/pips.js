// What every way to count a hand shares: its text form, and the grid of numbers with its second page.

// The tiles in a hand's text form (`2-5 3-3`); none where it is a number, a dash or empty.
export const held = (text) => (text.includes("-") && text !== "-" ? text.split(" ") : []);

// What a hand's text form counts, as text: the pips on its tiles, or what it says.
export const pips = (text) => (held(text).length ? String(held(text).reduce((sum, tile) => sum + Number(tile[0]) + Number(tile[2]), 0)) : text);

// Turns the grid to its other page: the numbers that follow, up to `most`, or the first ones again.
export function turnGrid(grid, key, most) {
  const keys = [...grid.querySelectorAll("[data-n]")];
  const up = keys[0].dataset.n === "0";
  keys.forEach((each, place) => {
    const number = place + (up ? keys.length : 0);
    each.dataset.n = each.textContent = number;
    each.hidden = number > most;
  });
  [key.textContent, key.dataset.less] = [key.dataset.less, key.textContent];
}

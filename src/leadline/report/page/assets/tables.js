"use strict";

/* Tables that sort by the buttons in their heads and show the rows that hold all words typed. */

/* What a cell is sorted by: its text, but "1,024" is a number. */
function valueOf(text) {
  return /^[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : text;
}

function compareValues(first, second) {
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), "en", { numeric: true });
}

/* `value` tells what a row is sorted by. */
function sortBy(body, heads, column, value) {
  const descending = heads[column].ariaSort === "ascending";
  heads.forEach((head, i) => {
    head.ariaSort = i === column ? (descending ? "descending" : "ascending") : "none";
  });
  const sign = descending ? -1 : 1;
  const rows = [...body.rows].map((row) => ({ row, value: value(row) }));
  rows.sort((a, b) => sign * compareValues(a.value, b.value));
  body.append(...rows.map(({ row }) => row));
}

function filterBy(body, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of body.rows) {
    const held = [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
    row.hidden = !words.every((word) => held.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  return shown;
}

/* `values`: by the heads of columns, numbers in the order of the rows; what has none is last. */
function enliven(section, values) {
  const body = section.querySelector("tbody");
  const heads = [...section.querySelectorAll("th")];
  const places = new Map([...body.rows].map((row, place) => [row, place]));
  heads.forEach((head, column) => {
    const numbers = values[head.textContent];
    const numberOf = (row) => numbers[places.get(row)] ?? Infinity;
    const value = numbers ? numberOf : (row) => valueOf(row.cells[column].textContent);
    head.querySelector("button").addEventListener("click", () => sortBy(body, heads, column, value));
  });
  const [input, output] = [section.querySelector("input"), section.querySelector("output")];
  const all = body.rows.length.toLocaleString("en");
  input.addEventListener("input", () => {
    const shown = filterBy(body, input.value);
    output.textContent = input.value ? `${shown.toLocaleString("en")} of ${all} rows` : `${all} rows`;
  });
}

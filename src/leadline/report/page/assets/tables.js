"use strict";

/* Tables that sort by the buttons in their heads and show the rows that hold all words typed. */

function valueOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

function compareValues(first, second) {
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), "en", { numeric: true });
}

function sortBy(body, heads, column) {
  const descending = heads[column].ariaSort === "ascending";
  heads.forEach((head, i) => {
    head.ariaSort = i === column ? (descending ? "descending" : "ascending") : "none";
  });
  const sign = descending ? -1 : 1;
  const rows = [...body.rows];
  rows.sort((a, b) => sign * compareValues(valueOf(a, column), valueOf(b, column)));
  body.append(...rows);
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

function enliven(section) {
  const body = section.querySelector("tbody");
  const heads = [...section.querySelectorAll("th")];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => sortBy(body, heads, column));
  });
  const [input, output] = [section.querySelector("input"), section.querySelector("output")];
  const all = body.rows.length.toLocaleString("en");
  input.addEventListener("input", () => {
    const shown = filterBy(body, input.value);
    output.textContent = input.value ? `${shown.toLocaleString("en")} of ${all} rows` : `${all} rows`;
  });
}

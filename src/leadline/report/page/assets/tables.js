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

/* -- files ---------------------------------------------------------------------------------------------- */

const UNITS = { size: "bytes", time: "s" };

/* The rows shown, below their heads; of a table of curves each with its curve's name. */
function shownRows(table) {
  const rows = [...table.rows].filter((row) => row.cells.length > 1 && !row.hidden);
  const named = rows.some(({ dataset }) => dataset.size !== undefined);
  return rows.map((row, i) => [
    ...(named ? [i ? row.closest("[data-curve]").dataset.curve : "curve"] : []), ...[...row.cells].map((cell) => cell.textContent),
  ]);
}

/* Rows with the numbers behind the words of their columns. */
function withNumbers(table, values, numberOf) {
  const names = Object.keys(values);
  const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden);
  return shownRows(table).map((row, i) => [...row, ...names.map(
    (name) => (i ? numberOf(name, shown[i - 1]) : `${name} (${UNITS[name] || "number"})`),
  )]);
}

/* Buttons above the tables that select curves, and above small ones. */
function tableTools() {
  for (const table of document.querySelectorAll("table.small")) {
    const part = table.closest(".scroll");
    const csv = () => csvText(shownRows(table));
    part.before(html("p", { class: "tools" }, ...downloads(part.ariaLabel, { csv })));
  }
  for (const table of document.querySelectorAll(".selects")) {
    const part = table.closest(".scroll");
    const texts = { svg: () => tableSvg(table), csv: () => csvText(shownRows(table)) };
    part.before(html("p", { class: "tools" }, ...downloads(part.ariaLabel, texts)));
  }
}

/* -- sorted, filtered ------------------------------------------------------------------------------------- */

/* `values`: by the heads of columns, numbers in the order of the rows; what has none is last. */
function enliven(section, values) {
  const table = section.querySelector("table");
  const body = table.tBodies[0];
  const heads = [...section.querySelectorAll("th")];
  const places = new Map([...body.rows].map((row, place) => [row, place]));
  const numberOf = (name, row) => values[name][places.get(row)];
  heads.forEach((head, column) => {
    const name = head.textContent;
    const value = values[name] ? (row) => numberOf(name, row) ?? Infinity
      : (row) => valueOf(row.cells[column].textContent);
    head.querySelector("button").addEventListener("click", () => sortBy(body, heads, column, value));
  });
  const [input, output] = [section.querySelector("input"), section.querySelector("output")];
  const all = body.rows.length.toLocaleString("en");
  input.addEventListener("input", () => {
    const shown = filterBy(body, input.value);
    output.textContent = input.value ? `${shown.toLocaleString("en")} of ${all} rows` : `${all} rows`;
  });
  const title = section.querySelector("h3").textContent;
  const csv = () => csvText(withNumbers(table, values, numberOf));
  section.querySelector(".filter").append(html("span", { class: "tools" }, ...downloads(title, { csv })));
}

"use strict";

/* Charts and tables as files of their own, for papers and spreadsheets. */

const STYLED = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "paint-order",
];
const ENTRY_PX = 20; /* from name to name below a chart */
const TITLE_PX = 26;

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/* E.g. "bcast-2-ranks-time.svg". */
function fileName(title, ending) {
  return `${title.toLowerCase().replace(/[^a-z0-9.]+/g, "-").replace(/^-|-$/g, "")}.${ending}`;
}

/* -- CSV: as RFC 4180 has it ---------------------------------------------------------------------------- */

function csvField(value) {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvText(rows) {
  return rows.map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

/* -- SVG: with styles of its own, for there are none where it goes --------------------------------------- */

/* A copy of an element with what the page's styles make of it. */
function styledCopy(element) {
  const copy = element.cloneNode(false);
  for (const name of ["class", "tabindex", "role", "style"]) copy.removeAttribute(name);
  if (element instanceof SVGElement) {
    const styles = getComputedStyle(element);
    for (const name of STYLED) copy.setAttribute(name, styles.getPropertyValue(name));
  }
  for (const child of element.childNodes) {
    copy.append(child instanceof SVGElement ? styledCopy(child) : child.cloneNode());
  }
  return copy;
}

function plain(text, x, y, styles, attributes = {}) {
  const { color: fill, fontFamily } = styles;
  return svg("text", { x, y, fill, "font-family": fontFamily, "font-size": "13px", ...attributes }, text);
}

/* A plot below its title; `entries` are {swatch, name}, its legend. */
function svgFile(title, plot, entries) {
  const { width, height } = plot.viewBox.baseVal;
  const styles = getComputedStyle(document.body);
  const whole = height + TITLE_PX + ENTRY_PX * entries.length + 8;
  const drawn = styledCopy(plot);
  filled(drawn, { x: 0, y: TITLE_PX, width, height }, []);
  const legend = entries.map(({ swatch: mark, name }, i) => {
    const y = height + TITLE_PX + ENTRY_PX * i;
    return [filled(styledCopy(mark), { x: 10, y }, []), plain(name, 48, y + 13, styles)];
  });
  return svgText(width, whole, styles, [plain(title, 0, 17, styles, { "font-weight": 600 }), drawn, ...legend.flat()]);
}

function svgText(width, height, styles, parts) {
  const paper = svg("rect", { width, height, fill: styles.backgroundColor });
  const file = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, paper, ...parts);
  return new XMLSerializer().serializeToString(file);
}

/* A table as it stands on the page: its cells' shades and words. */
function tableSvg(table) {
  const box = table.getBoundingClientRect();
  const parts = [...table.querySelectorAll("th, td")].flatMap((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const styles = getComputedStyle(cell);
    const [x, y] = [left - box.left, top - box.top];
    const centred = styles.textAlign === "center";
    const place = { "text-anchor": centred ? "middle" : "start", "font-weight": styles.fontWeight };
    return [
      svg("rect", { x, y, width, height, fill: styles.backgroundColor }),
      plain(cell.innerText, centred ? x + width / 2 : x + 6, y + height / 2 + 4.5, styles, place),
    ];
  });
  return svgText(box.width, box.height, getComputedStyle(document.body), parts);
}

/* -- buttons ---------------------------------------------------------------------------------------------- */

/* `texts` make the files' contents, by their endings, when they are asked for. */
function downloads(title, texts) {
  const types = { svg: "image/svg+xml", csv: "text/csv" };
  return Object.entries(texts).map(([ending, text]) => html(
    "button", {
      type: "button", "aria-label": `${title} as ${ending.toUpperCase()}`,
      onclick: () => save(fileName(title, ending), types[ending], text()),
    }, ending.toUpperCase(),
  ));
}

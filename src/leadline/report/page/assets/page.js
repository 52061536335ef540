"use strict";

/* The page: from the document of charts to sections with their choices. */

let DOCUMENT, SERIES, TIMES, RATIOS, FITTED;

function take(found) {
  DOCUMENT = found;
  SERIES = new Map(found.series.map((series) => [series.name, series]));
  TIMES = new Columns(found.times, found.unit);
  RATIOS = new Columns(found.ratios, found.unit);
  FITTED = new Columns(found.fitted, found.fitted_unit);
}

function timeLines(lines, x) {
  return lines.map((line) => ({
    ...line, series: SERIES.get(line.series), points: TIMES.points(line.rows, x),
  }));
}

/* -- choices ------------------------------------------------------------------------------------------ */

/* A labelled list to choose from; nothing is shown where there is nothing to choose. */
function chooser(label, names, onchange) {
  const select = html("select", { onchange: () => onchange(select.selectedIndex) });
  const element = html("label", {}, `${label} `, select);
  const offer = (list) => {
    select.replaceChildren(...list.map((name) => html("option", {}, name)));
    element.hidden = list.length < 2;
  };
  offer(names);
  return { element, select, offer };
}

/* One choice of a section: its list, and `draw(place)` for what the address names under `key`. */
function chooseBy(controls, id, label, key, names, draw) {
  const list = chooser(label, names, (place) => { select(id, { [key]: names[place] }); draw(place); });
  controls.append(list.element);
  follow(() => {
    list.select.selectedIndex = placeOf(key, names);
    draw(placeOf(key, names));
  });
}

function section(id) {
  const element = document.getElementById(id);
  return { controls: element.querySelector(".controls"), charts: element.querySelector(".charts") };
}

/* -- axes and lines ------------------------------------------------------------------------------------ */

const SIZE = { label: "message size", unit: "bytes", axis: sizeAxis, read: formatSize, apart: true };

const RANKS = { label: "ranks", unit: "", axis: rankAxis, read: (ranks) => `${ranks} ranks` };

/* Numbers of ranks that aren't powers of two are a line of their own. */
function familyOf({ powers, series }) {
  return powers === false ? { dashed: true, name: `${series.name}, other numbers` } : {};
}

/* -- closed forms -------------------------------------------------------------------------------------- */

function inWords({ y, low, high }, format) {
  return low === null ? format(y) : `${format(y)} (${format(low)} to ${format(high)})`;
}

/* The line is the form's; what predictions add to it moves the band alone. */
function drawnForm(point) {
  const predicted = inWords(point, formatTime);
  if (point.form === null) return { text: `form ${predicted}` };
  return { y: point.form, text: `form ${formatTime(point.form)}, predicted ${predicted}` };
}

/* The lines of a chart, each with the form that was fitted to it, where one was. */
function fittedLines({ lines, x }) {
  return timeLines(lines, x).map((line) => {
    if (!line.form) return line;
    const [first, end] = line.form.rows;
    const points = FITTED.points(Array.from({ length: end - first }, (_, i) => first + i), x);
    for (const point of points) Object.assign(point, drawnForm(point));
    return { ...line, ...familyOf(line), form: { points, breaks: line.form.breaks } };
  });
}

/* How far its points lie from the form, and may at these sizes, in per cent of it. */
function residuals({ points, form, ...line }) {
  const times = new Map(form.points.map(({ x, y }) => [x, y]));
  function off(point) {
    const share = (value) => (value === null ? null : 100 * (value / times.get(point.x) - 1));
    return { ...point, y: share(point.y), low: share(point.low), high: share(point.high) };
  }
  const measured = new Set(points.map(({ x }) => x));
  const band = form.points.filter(({ x }) => measured.has(x)).map(off);
  for (const point of band) {
    point.text = point.low === null ? "" : `interval ${formatPercent(point.low)} to ${formatPercent(point.high)}`;
  }
  const found = points.map(off);
  for (const point of found) point.text = formatPercent(point.y);
  return { ...line, points: found, form: { points: band, breaks: form.breaks, level: true } };
}

function formCharts(found) {
  const { title } = found;
  const x = { size: SIZE, ranks: RANKS }[found.x];
  const lines = fittedLines(found);
  const zoom = new Zoom([], null, () => {});
  const share = { label: "off its form", unit: "%", axis: percentAxis, place: (percent) => percent };
  return [
    new LineChart({ title: `${title}: time and closed form`, x, y: TIME, lines, zoom }),
    new LineChart({
      title: `${title}: residuals`, x, y: share, band: [0, 0], zoom,
      lines: lines.filter(({ form }) => form).map(residuals),
    }),
  ];
}

function formsSection() {
  const { controls, charts } = section("forms");
  const { forms } = DOCUMENT;
  chooseBy(controls, "forms", "Pattern", "form", forms.map(({ title }) => title), (index) => {
    charts.replaceChildren(...formCharts(forms[index]).map(({ element }) => element));
  });
}

/* -- ranks -------------------------------------------------------------------------------------------- */

function sweepChart(sweep) {
  const lines = timeLines(sweep.lines, "ranks").map((line) => ({ ...line, ...familyOf(line) }));
  const crowded = lines.flatMap((line) => line.points.filter((p) => p.hollow).map((p) => p.x));
  const shade = crowded.length ? Math.min(...crowded) : null;
  for (const line of lines) line.points = line.points.map((point) => ({ ...point, hollow: false }));
  return new LineChart({ title: `${sweep.title}: time against ranks`, x: RANKS, y: TIME, lines, shade });
}

function ranksSection() {
  const { controls, charts } = section("ranks");
  chooseBy(controls, "ranks", "Pattern", "sweep", DOCUMENT.sweeps.map(({ title }) => title), (index) => {
    charts.replaceChildren(sweepChart(DOCUMENT.sweeps[index]).element);
  });
}

/* -- distributions ------------------------------------------------------------------------------------ */

function formatShare(share) {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/* Its sizes, rising, and whose samples there are at each. */
function cellsOf(curve) {
  const cells = new Map();
  const sides = timeLines(curve.lines)
    .flatMap(({ series, points }) => points.map((point) => ({ ...point, series })))
    .filter((side) => side.samples !== null)
    .sort((one, other) => one.size - other.size || one.row - other.row);
  for (const side of sides) {
    if (!cells.has(side.size)) cells.set(side.size, []);
    cells.get(side.size).push({
      ...side, samples: side.samples.toLocaleString("en"), quantiles: quantilesOf(side.quantiles),
      blocks: mediansOf(side, DOCUMENT.unit),
    });
  }
  return [...cells].map(([size, found]) => ({ size: formatSize(size), sides: found }));
}

function quantileChart(title, sides) {
  const lines = sides.map((side) => ({
    series: side.series, plain: true, key: side.series.name,
    name: `${side.series.name}, ${side.samples} samples`,
    points: DOCUMENT.shares.map((share, i) => ({
      x: share, y: side.quantiles[i], text: formatTime(side.quantiles[i]),
    })),
  }));
  const x = {
    label: "share of samples that took less", unit: "", axis: shareAxis,
    read: (share) => `${formatShare(share)} took less than`,
  };
  return new LineChart({ title: `${title}: quantiles of samples`, x, y: TIME, lines });
}

function blockChart(title, sides) {
  const axis = (values) => logAxis(values, formatTime, 70);
  const rows = sides.map((side) => ({ ...side, group: "" }));
  return new DotChart({ title: `${title}: medians of blocks`, axis, label: "time", unit: "s", rows });
}

function distributionsSection() {
  const { controls, charts } = section("distributions");
  const sampled = (row) => DOCUMENT.times.samples[row] !== null;
  const curves = DOCUMENT.curves.filter(({ lines }) => lines.some(({ rows }) => rows.some(sampled)));
  const titles = curves.map(({ title }) => title);
  const choose = (choice) => { select("distributions", choice); draw(); };
  const found = () => cellsOf(curves[placeOf("of", titles)]);
  const patterns = chooser("Pattern", titles, (i) => choose({ of: titles[i] }));
  const sizes = chooser("Size", [], (i) => choose({ at_size: found()[i].size }));
  function draw() {
    const [place, cells] = [placeOf("of", titles), found()];
    const names = cells.map(({ size }) => size);
    const { size, sides } = cells[placeOf("at_size", names)];
    const title = cells.length > 1 ? `${titles[place]}, ${size}` : titles[place];
    patterns.select.selectedIndex = place;
    sizes.offer(names);
    sizes.select.selectedIndex = names.indexOf(size);
    charts.replaceChildren(quantileChart(title, sides).element, blockChart(title, sides).element);
  }
  controls.append(patterns.element, sizes.element);
  follow(draw);
}

/* -- library overhead -------------------------------------------------------------------------- */

function overheadSection() {
  const { charts } = section("overhead");
  const axis = (values) => logAxis(values, (ratio) => `${formatRatio(ratio)}x`, 50);
  charts.append(...DOCUMENT.overheads.map(({ title, rows }) => new DotChart({
    title: `Time ${title}`, axis, rule: 1, label: `time ${title}`,
    rows: rows.map((row) => ({ ...row, series: SERIES.get(row.series) })),
  }).element));
}

/* -- tables ------------------------------------------------------------------------------------------- */

/* By the heads of a table's columns, what its rows are sorted by where that isn't their text. */
function sortedBy(id) {
  if (!DOCUMENT) return {};
  const { times, ratios, compared } = DOCUMENT;
  const chosen = (column) => compared.map((row) => column[row]);
  return id === "table-measured" ? { size: times.size, time: times.y }
    : { size: chosen(ratios.size), ratio: chosen(ratios.y) };
}

/* -- from the top ------------------------------------------------------------------------------------- */

const DRAWN = {
  curves: curvesSection, forms: formsSection, ranks: ranksSection,
  distributions: distributionsSection, overhead: overheadSection,
};

async function draw() {
  const found = await chartsDocument();
  if (!found) return;
  const names = document.getElementById("charts").dataset.sections.split(" ");
  for (const name of names) document.getElementById(name).hidden = false;
  take(found);
  for (const name of names) DRAWN[name]();
}

async function start() {
  themeSwitch();
  unfoldForPrint();
  readAddress();
  tableTools();
  await draw();
  await parsed();
  document.querySelectorAll(".sortable").forEach((one) => enliven(one, sortedBy(one.id)));
  hideLinksToNothing();
  goWhereSelected();
}

const STARTED = start();

"use strict";

/* The page: from the document of charts to sections with their choices. */

const DOCUMENT = JSON.parse(document.getElementById("charts").textContent);
const SERIES = new Map(DOCUMENT.series.map((series) => [series.name, series]));

function withSeries(lines) {
  return lines.map((line) => ({ ...line, series: SERIES.get(line.series) }));
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

function section(id) {
  const element = document.getElementById(id);
  element.hidden = false;
  return { controls: element.querySelector(".controls"), charts: element.querySelector(".charts") };
}

/* -- curves ------------------------------------------------------------------------------------------- */

const SIZE = { label: "message size", axis: sizeAxis, read: formatSize };

function timeChart(curve) {
  const lines = withSeries(curve.lines);
  if (new Set(lines.flatMap((line) => line.points.map((point) => point.x))).size < 2) {
    const rows = lines.map(({ series, points: [point] }) => ({ ...point, series, group: "" }));
    return new DotChart({ title: `${curve.title}: time`, axis: (v) => logAxis(v, formatTime, 70), label: "time", rows });
  }
  const y = { label: "time", axis: (values) => logAxis(values, formatTime) };
  return new LineChart({ title: `${curve.title}: time`, x: SIZE, y, lines });
}

function rateChart(curve) {
  const lines = withSeries(curve.lines).map((line) => ({
    ...line,
    points: line.points.filter((point) => point.rate).map((point) => ({
      ...point, y: point.x / point.y, low: point.high && point.x / point.high,
      high: point.low && point.x / point.low, text: point.rate,
    })),
  }));
  const y = { label: "size / time", axis: (values) => logAxis(values, formatRate) };
  return new LineChart({ title: `${curve.title}: bandwidth`, x: SIZE, y, lines });
}

function ratioChart(curve, ratio) {
  const how = ratio.paired ? "paired, block by block" : "of two runs, unpaired";
  const title = `${curve.title}: time relative to ${ratio.to}, ${how}`;
  const lines = withSeries(ratio.lines);
  const band = [1 - DOCUMENT.threshold, 1 + DOCUMENT.threshold];
  if (lines.every((line) => line.points.length < 2)) {
    const rows = lines.filter((line) => line.points.length)
      .map(({ series, points: [point] }) => ({ ...point, series, group: "" }));
    const axis = (values) => logAxis(values, formatRatio, 50);
    return new DotChart({ title, axis, label: `time over that of ${ratio.to}`, rule: 1, rows });
  }
  const y = { label: "ratio of times", axis: (values) => logAxis(values, formatRatio) };
  return new LineChart({ title, x: SIZE, y, lines, band });
}

function curvesSection() {
  const { controls, charts } = section("curves");
  let [curve, baseline, rate] = [DOCUMENT.curves[0], null, false];
  const hasRates = () => curve.lines.some((line) => line.points.filter((p) => p.rate).length > 1);
  function draw() {
    const ratio = curve.ratios.find((one) => one.to === baseline) || curve.ratios[0];
    bases.select.selectedIndex = curve.ratios.indexOf(ratio);
    unit.hidden = !hasRates();
    const first = rate && hasRates() ? rateChart(curve) : timeChart(curve);
    charts.replaceChildren(first.element, ...(ratio ? [ratioChart(curve, ratio).element] : []));
  }
  function choose(index) {
    curve = DOCUMENT.curves[index];
    bases.offer(curve.ratios.map((one) => one.to));
    draw();
  }
  const titles = DOCUMENT.curves.map((one) => one.title);
  const curves = chooser("Pattern", titles, choose);
  const bases = chooser("Baseline", [], (index) => { baseline = curve.ratios[index].to; draw(); });
  const unit = html("button", {
    type: "button", "aria-pressed": "false",
    onclick: () => { rate = !rate; unit.setAttribute("aria-pressed", String(rate)); draw(); },
  }, "Bandwidth");
  for (const link of document.querySelectorAll("[data-curve]")) {
    link.addEventListener("click", () => {
      curves.select.selectedIndex = titles.indexOf(link.dataset.curve);
      choose(curves.select.selectedIndex);
    });
  }
  controls.append(curves.element, bases.element, unit);
  choose(0);
}

/* -- ranks -------------------------------------------------------------------------------------------- */

function sweepChart(sweep) {
  const lines = withSeries(sweep.lines).map((line) => ({
    ...line, dashed: !line.powers,
    name: line.powers ? line.series.name : `${line.series.name}, other numbers`,
  }));
  const crowded = lines.flatMap((line) => line.points.filter((p) => p.hollow).map((p) => p.x));
  const shade = crowded.length ? Math.min(...crowded) : null;
  const x = { label: "ranks", axis: rankAxis, read: (ranks) => `${ranks} ranks` };
  const y = { label: "time", axis: (values) => logAxis(values, formatTime) };
  for (const line of lines) line.points = line.points.map((point) => ({ ...point, hollow: false }));
  return new LineChart({ title: `${sweep.title}: time against ranks`, x, y, lines, shade });
}

function ranksSection() {
  const { controls, charts } = section("ranks");
  const draw = (index) => charts.replaceChildren(sweepChart(DOCUMENT.sweeps[index]).element);
  controls.append(chooser("Pattern", DOCUMENT.sweeps.map((sweep) => sweep.title), draw).element);
  draw(0);
}

/* -- distributions ------------------------------------------------------------------------------------ */

function formatShare(share) {
  return `${Number((100 * share).toPrecision(3))} %`;
}

function quantileChart(title, sides) {
  const lines = sides.map((side) => ({
    series: side.series, plain: true, name: `${side.series.name}, ${side.samples} samples`,
    points: DOCUMENT.shares.map((share, i) => ({
      x: share, y: 1e-9 * side.quantiles_ns[i], text: formatTime(1e-9 * side.quantiles_ns[i]),
    })),
  }));
  const x = {
    label: "share of samples that took less", axis: shareAxis,
    read: (share) => `${formatShare(share)} took less than`,
  };
  const y = { label: "time", axis: (values) => logAxis(values, formatTime) };
  return new LineChart({ title: `${title}: quantiles of samples`, x, y, lines });
}

function blockChart(title, sides) {
  const axis = (values) => logAxis(values, formatTime, 70);
  const rows = sides.map((side) => ({
    ...side, group: "", blocks: side.blocks_ns.map((ns) => 1e-9 * ns),
  }));
  return new DotChart({ title: `${title}: medians of blocks`, axis, label: "time", rows });
}

function distributionsSection(curves) {
  const { controls, charts } = section("distributions");
  let curve = curves[0];
  function draw(index) {
    const cell = curve.cells[index];
    const sides = withSeries(cell.sides);
    const title = curve.cells.length > 1 ? `${curve.title}, ${cell.size}` : curve.title;
    charts.replaceChildren(quantileChart(title, sides).element, blockChart(title, sides).element);
  }
  const sizes = chooser("Size", [], draw);
  function choose(index) {
    curve = curves[index];
    sizes.offer(curve.cells.map((cell) => cell.size));
    draw(0);
  }
  controls.append(chooser("Pattern", curves.map((one) => one.title), choose).element, sizes.element);
  choose(0);
}

/* -- library tax -------------------------------------------------------------------------------------- */

function taxSection() {
  const { charts } = section("tax");
  const axis = (values) => logAxis(values, (ratio) => `${formatRatio(ratio)}x`, 50);
  charts.append(...DOCUMENT.taxes.map(({ title, rows }) => new DotChart({
    title: `Time ${title}`, axis, rule: 1, label: `time ${title}`, rows: withSeries(rows),
  }).element));
}

/* -- theme -------------------------------------------------------------------------------------------- */

function themeSwitch() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const name = () => { button.textContent = now() === "dark" ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = now() === "dark" ? "light" : "dark";
    name();
  });
  dark.addEventListener("change", name);
  button.hidden = false;
  name();
}

/* Paper can't be unfolded. */
function unfoldForPrint() {
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

function hideLinksToNothing() {
  for (const link of document.querySelectorAll("nav a")) {
    link.hidden = document.querySelector(link.getAttribute("href")).hidden;
  }
}

themeSwitch();
curvesSection();
if (DOCUMENT.sweeps.length) ranksSection();
const MEASURED = DOCUMENT.curves.filter((curve) => curve.cells.length);
if (MEASURED.length) distributionsSection(MEASURED);
if (DOCUMENT.taxes.length) taxSection();
document.querySelectorAll(".sortable").forEach(enliven);
unfoldForPrint();
hideLinksToNothing();

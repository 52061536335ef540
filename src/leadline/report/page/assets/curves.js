"use strict";

/* The curves: time, or bandwidth, against size, and below it the ratio to a baseline. */

const TIME = { label: "time", unit: "s", axis: (values) => logAxis(values, formatTime) };
const RATE = { label: "bandwidth", unit: "B/s", axis: (values) => logAxis(values, formatRate) };
const RATIO = { label: "ratio of times", unit: "", axis: (values) => logAxis(values, formatRatio) };

function timeChart(curve, zoom) {
  const lines = timeLines(curve.lines);
  const title = `${curve.title}: time`;
  if (new Set(lines.flatMap((line) => line.points.map((point) => point.x))).size < 2) {
    const rows = lines.map(({ series, points: [point] }) => ({ ...point, series, group: "" }));
    return new DotChart({ title, axis: (v) => logAxis(v, formatTime, 70), label: "time", unit: "s", rows });
  }
  return new LineChart({ title, x: SIZE, y: TIME, lines, zoom });
}

function rateChart(curve, zoom) {
  const lines = timeLines(curve.lines).map((line) => ({
    ...line,
    points: line.points.filter((point) => point.rate).map((point) => ({
      ...point, y: point.x / point.y, low: point.high && point.x / point.high,
      high: point.low && point.x / point.low, text: point.rate,
    })),
  }));
  return new LineChart({ title: `${curve.title}: bandwidth`, x: SIZE, y: RATE, lines, zoom });
}

function ratioChart(curve, ratio, zoom) {
  const title = `${curve.title}: time relative to ${ratio.to}${ratio.how}`;
  const lines = ratio.lines.map(({ series, rows }) => ({
    series: SERIES.get(series), points: RATIOS.points(rows),
  }));
  const band = [1 - DOCUMENT.threshold, 1 + DOCUMENT.threshold];
  if (lines.every((line) => line.points.length < 2)) {
    const rows = lines.filter((line) => line.points.length)
      .map(({ series, points: [point] }) => ({ ...point, series, group: "" }));
    const axis = (values) => logAxis(values, formatRatio, 50);
    return new DotChart({ title, axis, label: `time over that of ${ratio.to}`, rule: 1, rows });
  }
  return new LineChart({ title, x: SIZE, y: RATIO, lines, band, zoom });
}

/* Whether a curve has sizes enough for its bandwidth. */
function hasRates(curve) {
  return curve.lines.some(({ rows }) => rows.filter((row) => DOCUMENT.times.rate[row]).length > 1);
}

/* The charts of what the address names. */
function selectedCharts(curve, ratio) {
  const zoom = new Zoom([], partIn(selected("sizes")), (part) => select("curves", { sizes: partText(part) }));
  const rate = selected("scale") === "bandwidth" && hasRates(curve);
  return [
    rate ? rateChart(curve, zoom) : timeChart(curve, zoom), ...(ratio ? [ratioChart(curve, ratio, zoom)] : []),
  ];
}

function curvesSection() {
  const { controls, charts } = section("curves");
  const titles = DOCUMENT.curves.map(({ title }) => title);
  const choose = (choice) => { select("curves", choice); draw(); };
  const bases = () => DOCUMENT.curves[placeOf("curve", titles)].ratios.map(({ to }) => to);
  const patterns = chooser("Pattern", titles, (i) => choose({ curve: titles[i], sizes: null }));
  const baselines = chooser("Baseline", [], (i) => choose({ baseline: bases()[i] }));
  const unit = html("button", {
    type: "button",
    onclick: () => choose({ scale: selected("scale") === "bandwidth" ? null : "bandwidth" }),
  }, "Bandwidth");
  function draw() {
    const place = placeOf("curve", titles);
    const curve = DOCUMENT.curves[place];
    patterns.select.selectedIndex = place;
    baselines.offer(bases());
    baselines.select.selectedIndex = placeOf("baseline", bases());
    unit.hidden = !hasRates(curve);
    unit.setAttribute("aria-pressed", String(selected("scale") === "bandwidth"));
    const found = selectedCharts(curve, curve.ratios[placeOf("baseline", bases())]);
    charts.replaceChildren(...found.map(({ element }) => element));
    const size = Number(selected("size") ?? NaN);
    if (found[0].places?.().includes(size)) found[0].read(size);
  }
  controls.append(patterns.element, baselines.element, unit);
  follow(draw);
  selectByTables((choice) => { choose({ sizes: null, size: null, ...choice }); goWhereSelected(); });
}

/* Links of tables choose a curve, their cells a size of it too. */
function selectByTables(choose) {
  for (const table of document.querySelectorAll(".selects")) {
    table.addEventListener("click", (event) => {
      const cell = event.target.closest("td, th[scope=row]");
      const curve = cell?.closest("[data-curve]")?.dataset.curve;
      if (curve === undefined) return;
      event.preventDefault();
      const size = cell.parentElement.dataset.size ?? table.rows[0].cells[cell.cellIndex]?.dataset.size;
      choose(cell.localName === "td" && size !== undefined ? { curve, size } : { curve });
    });
  }
}

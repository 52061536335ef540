"use strict";

/* Papers made again: their figures redrawn, and how far ours are from what they printed. */

/* -- figures ------------------------------------------------------------------------------------------ */

function xAxis({ x, ranks, logarithmic }) {
  if (ranks) {
    const axis = logarithmic ? rankAxis : (values) => noughtAxis(values, formatNumber, WIDE_PX);
    return { label: x, axis, read: (number) => `${number} PEs` };
  }
  const axis = logarithmic ? sizeAxis : (values) => noughtAxis(values, formatDecimalSize, WIDE_PX);
  return { label: x, axis, read: formatSize };
}

function yAxis({ y, logarithmic }) {
  if (logarithmic) return { label: y, axis: (values) => logAxis(values, formatNumber) };
  return { label: y, axis: (values) => noughtAxis(values, formatNumber), place: (value) => value };
}

/* What was printed is rings; ours is lines. */
function figureChart(figure) {
  const pointsOf = (rows) => rows.map(([x, y, low, high, text]) => ({ x, y, low, high, text }));
  const lines = figure.lines.map(({ points, printed, ...series }) => ({
    series: { ...series, origin: "measured" }, points: pointsOf(points), rings: pointsOf(printed),
  }));
  return new LineChart({ title: figure.title, x: xAxis(figure), y: yAxis(figure), lines });
}

function drawFigures(figures) {
  for (const element of document.querySelectorAll("[data-figures]")) {
    const mine = figures.filter(({ paper }) => paper === element.dataset.figures);
    element.append(...mine.map((figure) => {
      const chart = figureChart(figure).element;
      if (figure.note) chart.append(html("p", { class: "basis" }, figure.note));
      return chart;
    }));
    element.closest("[data-chart]").hidden = mine.length === 0;
  }
}

/* -- how far off -------------------------------------------------------------------------------------- */

const TITLED_PX = 760; /* Below, titles of papers are wider than the chart. */

/* A small dot a figure, its share of the printed one. */
function deviationsChart({ rows, within }) {
  const axis = (values) => logAxis([1 - within, 1 + within, ...values], formatRatio, 90);
  return new DotChart({
    title: "Ours over what was printed, a dot a figure", label: "ours / printed", axis,
    rule: 1, band: [1 - within, 1 + within],
    rows: rows.map(({ label, style, paper, title, ratios, text }) => ({
      series: { name: label, style, turn: 0, origin: "measured" },
      group: innerWidth < TITLED_PX ? paper : title, y: null, low: null, high: null, text, blocks: ratios,
    })),
  });
}

/* -- from the top ------------------------------------------------------------------------------------- */

/* Charts move what the address names, when they have their size: two frames from now. */
function goWhereAsked() {
  const named = document.getElementById(location.hash.slice(1));
  const go = () => named?.scrollIntoView({ behavior: "instant" });
  requestAnimationFrame(() => requestAnimationFrame(go));
}

async function start() {
  themeSwitch();
  unfoldForPrint();
  readAddress();
  const found = await chartsDocument();
  await parsed();
  if (found) {
    const deviations = document.getElementById("deviations");
    deviations.append(deviationsChart(found.deviations).element);
    drawFigures(found.figures);
    goWhereAsked();
  }
  document.querySelectorAll(".sortable").forEach((one) => enliven(one, found?.tables[one.id] ?? {}));
  hideLinksToNothing();
}

const STARTED = start();

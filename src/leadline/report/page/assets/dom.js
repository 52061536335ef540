"use strict";

/* Elements. Text only ever becomes text: nothing here parses HTML. */

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/* For whoever wants to know how long a reader waits. */
function notePlot() {
  if (performance.getEntriesByName("first plot").length === 0) performance.mark("first plot");
}

/* -- markers: the same shapes as the characters in the findings ----------------------------------- */

const MARKERS = {
  s0: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  s1: "M-3.6 -3.6h7.2v7.2h-7.2z",
  s2: "M0 -4.8L4.6 3.6H-4.6z",
  s3: "M0 -5L5 0L0 5L-5 0z",
  s4: "M0 4.8L4.6 -3.6H-4.6z",
  s5: "M0 -5.4L1.5 -1.7L5.2 -1.5L2.3 .9L3.2 4.6L0 2.5L-3.2 4.6L-2.3 .9L-5.2 -1.5L-1.5 -1.7z",
  s6: "M0 -4.8L4.7 -1.3L2.9 4.2H-2.9L-4.7 -1.3z",
  s7: "M-1.6 -4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z",
};

/* Of raw transports, in turn. */
const RAW_MARKERS = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
  "M-2.6 -4L0 -1.4L2.6 -4L4 -2.6L1.4 0L4 2.6L2.6 4L0 1.4L-2.6 4L-4 2.6L-1.4 0L-4 -2.6z",
  "M-4.5 -1.2h9v2.4h-9z",
];

/* Whose values weren't measured: hollow markers, a broken line, and the word in its name. */
function unmeasured(series) {
  return series.origin !== "measured";
}

function shapeOf(series) {
  const shapes = series.style === "raw" ? RAW_MARKERS : [MARKERS[series.style]];
  return shapes[series.turn % shapes.length];
}

function marker(series, x, y, hollow) {
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  return svg("path", { d: shapeOf(series), transform, class: hollow || unmeasured(series) ? "hollow" : "" });
}

/* Larger, and nothing in it. */
function ring(series, x, y) {
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.6)`;
  return svg("path", { d: shapeOf(series), transform, class: "ring" });
}

/* A line and its markers, as they look in its chart. */
function swatch({ series, points, rings = [] }, dashed) {
  const attributes = { class: seriesClass(series), width: 28, height: 16, "aria-hidden": "true" };
  const line = svg("path", { d: "M0 8H28", class: lineClass(series, dashed) });
  const ours = points.length || !rings.length ? [line, marker(series, 14, 8, dashed)] : [];
  return svg("svg", attributes, ...ours, rings.length ? ring(series, 14, 8) : null);
}

function lineClass(series, dashed) {
  return dashed || unmeasured(series) ? "line dashed" : "line";
}

function seriesClass(series) {
  return `series ${series.style} turn${Math.min(series.turn, 2)}`;
}

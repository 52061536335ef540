"use strict";

/* The part of a chart's x axis that is shown; charts beside each other show the same.

   A part is [first, last] of the places where there are points, null: all of them. */

const LEAST_DRAG_PX = 8;

class Zoom {
  /* `charts` share it; `changed` is told the part. */
  constructor(charts, part, changed) {
    this.charts = charts;
    this.part = part;
    this.changed = changed;
    this.from = null;
  }

  holds(x) {
    return this.part === null || (x >= this.part[0] && x <= this.part[1]);
  }

  show(part) {
    this.part = part;
    for (const chart of this.charts) chart.draw();
    this.changed(part);
  }

  /* Half as many places around the middle, or around the `cursor`. */
  closer(stops, cursor) {
    const shown = stops.filter((stop) => this.holds(stop));
    if (shown.length <= 2) return;
    const many = Math.max(2, Math.ceil(shown.length / 2));
    const at = shown.includes(cursor) ? shown.indexOf(cursor) : (shown.length - 1) / 2;
    const first = Math.min(shown.length - many, Math.max(0, Math.round(at - (many - 1) / 2)));
    this.show([shown[first], shown[first + many - 1]]);
  }

  /* Twice as many. */
  farther(stops) {
    const shown = stops.filter((stop) => this.holds(stop));
    const [first, last] = [shown[0], shown[shown.length - 1]].map((stop) => stops.indexOf(stop));
    const more = Math.ceil(shown.length / 2);
    const ends = [Math.max(0, first - more), Math.min(stops.length - 1, last + more)];
    this.show(ends[0] === 0 && ends[1] === stops.length - 1 ? null : ends.map((end) => stops[end]));
  }

  /* What lies between two places of the pointer, in the plot's pixels, if it is two points or more. */
  between(one, other, stops, across) {
    const [left, right] = [Math.min(one, other), Math.max(one, other)];
    const inside = stops.filter((stop) => across(stop) >= left && across(stop) <= right);
    if (right - left >= LEAST_DRAG_PX && inside.length >= 2) this.show([inside[0], inside[inside.length - 1]]);
  }
}

/* As a part is written in the address. */
function partIn(text) {
  const ends = (text ?? "").split("..").map(Number);
  return ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1] ? ends : null;
}

function partText(part) {
  return part && part.join("..");
}

function zoomButtons(chart) {
  const button = (sign, does, onclick) => html(
    "button", { type: "button", "aria-label": `${does}: ${chart.options.title}`, onclick }, sign,
  );
  return [
    button("+", "Zoom in", () => chart.zoom.closer(chart.places(), chart.cursor)),
    button("−", "Zoom out", () => chart.zoom.farther(chart.places())),
  ];
}

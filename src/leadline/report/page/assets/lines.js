"use strict";

/* A chart of lines with bands, read by pointer or by arrow keys.

   options: title, x and y ({label, axis(values)}), lines, band ([low, high]), shade (from x on).
   A line: series, points ({x, y, low, high, text, hollow}), and optionally name, dashed, plain, form, rings.
   Rings are points that others printed: no line joins them, and what lies below can be seen.
   A form is what was fitted to the points: {points, breaks ({x, low, high, kind, text})}, and `level`
   where its line is but the zero of all. */

function hasInterval({ low }) {
  return low !== null && low !== undefined;
}

const FOOT_PX = 5; /* from bar to bar */
const MARGIN = { top: 14, right: 16, bottom: 44, left: 70 };

class LineChart {
  constructor(options) {
    this.options = options;
    this.hidden = new Set();
    this.cursor = null;
    this.plot = svg("svg", {
      tabindex: 0, role: "group", class: "plot", "aria-label": `${options.title}. Arrow keys read it.`,
      onkeydown: (event) => this.onKey(event), onpointermove: (event) => this.onPointer(event),
      onpointerdown: (event) => this.onPointer(event), onpointerleave: () => this.read(null),
      onblur: () => this.read(null),
    });
    this.place = html("caption", {}, "");
    this.entries = options.lines.map((line, i) => this.entry(line, i));
    const rows = html("tbody", {}, ...this.entries.map((entry) => entry.row));
    this.spoken = html("p", { class: "spoken", "aria-live": "polite" });
    this.element = html(
      "figure", { class: "chart" }, html("figcaption", {}, options.title), this.plot,
      html("table", { class: "legend" }, this.place, rows), this.spoken,
    );
    this.read(null);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  entry(line, index) {
    const text = html("td", {}, "");
    const name = line.name || line.series.name;
    const toggle = html(
      "button", { type: "button", "aria-pressed": "true", onclick: () => this.toggle(index) },
      swatch(line, line.dashed), name,
    );
    return { row: html("tr", {}, html("th", { scope: "row" }, toggle), text), toggle, text, name };
  }

  toggle(index) {
    if (!this.hidden.delete(index)) this.hidden.add(index);
    const { toggle, row } = this.entries[index];
    toggle.setAttribute("aria-pressed", String(!this.hidden.has(index)));
    row.classList.toggle("off", this.hidden.has(index));
    this.draw();
  }

  /* -- drawing ----------------------------------------------------------------------------------- */

  visible() {
    const lines = this.options.lines.filter((_, i) => !this.hidden.has(i));
    return lines.length ? lines : this.options.lines;
  }

  draw() {
    const width = Math.max(260, this.element.clientWidth);
    const height = Math.round(Math.min(400, Math.max(240, 0.5 * width)));
    this.size = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    const points = this.visible()
      .flatMap((line) => [...line.points, ...(line.form?.points || []), ...(line.rings || [])]);
    const { x, y, band } = this.options;
    const heights = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
    this.x = x.axis(points.map((point) => point.x));
    this.y = y.axis(band ? [...heights, ...band] : heights);
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.guide = svg("path", { class: "guide" });
    const lines = this.options.lines.map((line, i) => (this.hidden.has(i) ? null : this.line(line, i)));
    this.plot.replaceChildren(
      ...this.backdrop(), ...this.grid(), this.guide, ...lines.filter((line) => line !== null),
    );
    this.mark();
    notePlot();
  }

  across(value) { return MARGIN.left + this.x.place(value) * this.size.width; }
  down(value) { return MARGIN.top + (1 - this.y.place(value)) * this.size.height; }

  backdrop() {
    const { band, shade } = this.options;
    const { left, top } = MARGIN;
    const parts = [];
    if (shade !== undefined && shade !== null) {
      const from = Math.max(left, this.across(shade) - 12);
      const width = left + this.size.width - from;
      parts.push(svg("rect", { class: "shade", x: from, y: top, width, height: this.size.height }));
    }
    if (band) {
      const [low, high] = band.map((value) => this.down(value));
      const across = { x: left, width: this.size.width };
      parts.push(svg("rect", { class: "threshold", ...across, y: high, height: Math.max(2, low - high) }));
    }
    return parts;
  }

  grid() {
    const { left, top } = MARGIN;
    const { width, height } = this.size;
    const parts = [];
    for (const { at, label } of this.y.ticks(height)) {
      const y = this.down(at);
      parts.push(svg("path", { class: "grid", d: `M${left} ${y.toFixed(1)}H${left + width}` }));
      parts.push(svg("text", { class: "tick", x: left - 8, y: y + 4, "text-anchor": "end" }, label));
    }
    for (const { at, label } of this.x.ticks(width)) {
      const x = this.across(at);
      parts.push(svg("path", { class: "grid", d: `M${x.toFixed(1)} ${top}V${top + height + 4}` }));
      parts.push(svg("text", { class: "tick", x, y: top + height + 18, "text-anchor": "middle" }, label));
    }
    const middle = top + height / 2;
    const turned = { transform: `translate(13 ${middle}) rotate(-90)`, "text-anchor": "middle" };
    const below = { x: left + width / 2, y: top + height + 38, "text-anchor": "middle" };
    parts.push(svg("text", { class: "label", ...turned }, this.options.y.label));
    parts.push(svg("text", { class: "label", ...below }, this.options.x.label));
    return parts;
  }

  line({ series, points, dashed, plain, rings = [], form }, number) {
    const group = svg("g", { class: seriesClass(series) });
    if (form) group.append(...this.form(series, form, dashed, number), ...this.whiskers(points));
    else group.append(...this.areas(points), ...this.whiskers(points), this.stroke(series, points, dashed));
    for (const point of plain ? [] : points) {
      const [x, y] = [this.across(point.x), this.down(point.y)];
      group.append(marker(series, x, y, dashed || point.hollow));
    }
    group.append(...rings.map(({ x, y }) => ring(series, this.across(x), this.down(y))));
    return group;
  }

  stroke(series, points, dashed) {
    const places = points.map(({ x, y }, i) => `${i ? "L" : "M"}${this.across(x).toFixed(1)} ${this.down(y).toFixed(1)}`);
    return svg("path", { class: lineClass(series, dashed), d: places.join("") });
  }

  form(series, { points, breaks, level }, dashed, number) {
    return [
      ...this.areas(points, level ? "band edged" : "band"),
      ...breaks.flatMap((one) => this.break(one, number)),
      ...(level ? [] : [this.stroke(series, points, dashed)]),
    ];
  }

  /* A line from top to bottom, and at its foot a bar over the sizes between which it lies. */
  break({ x, low, high, kind }, number) {
    const bottom = MARGIN.top + this.size.height;
    const line = `M${this.across(x).toFixed(1)} ${MARGIN.top}V${bottom}`;
    const parts = [svg("path", { class: `break ${kind}`, d: line })];
    if (low !== null) {
      const [left, right] = [this.across(low), this.across(high)];
      const y = bottom - FOOT_PX * (number + 1);
      parts.push(svg("rect", { class: "between", x: left, width: right - left, y, height: 3 }));
    }
    return parts;
  }

  /* A band over each stretch of points with intervals. */
  areas(points, name = "band") {
    const stretches = [[]];
    for (const point of points) {
      if (hasInterval(point)) stretches[stretches.length - 1].push(point);
      else stretches.push([]);
    }
    return stretches.filter((stretch) => stretch.length).map((stretch) => {
      const there = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.high).toFixed(1)}`);
      const back = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.low).toFixed(1)}`);
      return svg("path", { class: name, d: `M${[...there, ...back.reverse()].join("L")}Z` });
    });
  }

  /* At each point with an interval. */
  whiskers(points) {
    return points.filter(hasInterval).map((p) => {
      const [x, high, low] = [this.across(p.x), this.down(p.high), this.down(p.low)];
      return svg("path", { class: "whisker", d: `M${x.toFixed(1)} ${high.toFixed(1)}V${low.toFixed(1)}` });
    });
  }

  /* -- reading ------------------------------------------------------------------------------------- */

  stops() {
    const xs = this.visible()
      .flatMap(({ points, form, rings = [] }) => [...points, ...(form?.breaks || []), ...rings])
      .map(({ x }) => x);
    return [...new Set(xs)].sort((a, b) => a - b);
  }

  onPointer(event) {
    const box = this.plot.getBoundingClientRect();
    const scale = this.plot.viewBox.baseVal.width / box.width;
    const at = (event.clientX - box.left) * scale;
    const distance = (stop) => Math.abs(this.across(stop) - at);
    this.read(this.stops().reduce((best, stop) => (distance(stop) < distance(best) ? stop : best)));
  }

  onKey(event) {
    const stops = this.stops();
    const now = this.cursor === null ? -1 : stops.indexOf(this.cursor);
    const last = stops.length - 1;
    const next = {
      ArrowRight: Math.min(last, now + 1), ArrowLeft: now < 0 ? last : Math.max(0, now - 1),
      Home: 0, End: last, Escape: null,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.read(next === null ? null : stops[next]);
    this.spoken.textContent = next === null ? "" : this.words();
  }

  read(stop) {
    this.cursor = stop;
    this.place.textContent = stop === null ? "\u00a0" : this.options.x.read(stop);
    this.options.lines.forEach((line, i) => {
      this.entries[i].text.textContent = this.said(line, stop).filter(Boolean).join(", ");
    });
    if (this.size) this.mark();
  }

  /* The point there with what its form has there, what breaks there, and what was printed. */
  said({ points, form = { points: [], breaks: [] }, rings = [] }, stop) {
    const text = (list) => list.find(({ x }) => x === stop)?.text;
    const [point, printed] = [text(points), text(rings)];
    return [point, point && text(form.points), text(form.breaks), printed && `printed ${printed}`];
  }

  mark() {
    const { top } = MARGIN;
    const x = this.cursor === null ? null : this.across(this.cursor).toFixed(1);
    this.guide.setAttribute("d", x === null ? "" : `M${x} ${top}V${top + this.size.height}`);
  }

  words() {
    const said = this.entries.filter(({ text }) => text.textContent)
      .map(({ name, text }) => `${name} ${text.textContent}`);
    return `${this.place.textContent}: ${said.join("; ")}`;
  }
}

"use strict";

/* A chart of lines with bands, read by pointer or by arrow keys.

   options: title, x and y ({label, unit, axis(values), place(value)}), lines, band ([low, high]), shade
   (from x on), and of charts that are read together: zoom.
   A line: series, points ({x, y, low, high, text, hollow}), and optionally name, dashed, plain, form, rings.
   Rings are points that others printed: no line joins them, and what lies below can be seen.
   A form is what was fitted to the points: {points, breaks ({x, low, high, kind, text})}, and `level`
   where its line is but the zero of all. */

const FOOT_PX = 5; /* from bar to bar */
const MARGIN = { top: 14, right: 16, bottom: 44, left: 70 };
const TALLEST_PX = 440;
let clips = 0;

/* Whom a reader doesn't want to see, by the names in legends. */
function isHidden(key) {
  return VIEW.getAll("hide").includes(key);
}

class LineChart extends Chart {
  constructor(options) {
    const plot = svg("svg", {
      tabindex: 0, role: "group", class: "plot",
      "aria-label": `${options.title}. Arrow keys read it; plus, minus and 0 zoom.`,
      onkeydown: (event) => this.onKey(event), onpointermove: (event) => this.onPointer(event),
      onpointerdown: (event) => this.onDown(event), onpointerup: (event) => this.onUp(event),
      onpointerleave: () => this.leave(), onblur: () => this.read(null),
      ondblclick: () => this.zoom.show(null),
    });
    super(options, plot);
    this.zoom = options.zoom ?? new Zoom([], null, () => {});
    this.zoom.charts.push(this);
    this.tools.prepend(...zoomButtons(this));
    this.cursor = null;
    this.clip = `clip${clips += 1}`;
    this.place = html("caption", {}, "");
    this.entries = options.lines.map((line) => this.entry(line));
    const rows = html("tbody", {}, ...this.entries.map((entry) => entry.row));
    this.spoken = html("p", { class: "spoken", "aria-live": "polite" });
    this.element.append(html("table", { class: "legend" }, this.place, rows), this.spoken);
    this.readHere(null);
  }

  entry(line) {
    const text = html("td", {}, "");
    const name = line.name || line.series.name;
    const mark = swatch(line, line.dashed);
    const key = line.key || name;
    const toggle = html("button", { type: "button", onclick: () => this.toggle(key) }, mark, name);
    return { row: html("tr", {}, html("th", { scope: "row" }, toggle), text), toggle, text, name, key, swatch: mark };
  }

  /* Hides a name in all charts, or shows it again. */
  toggle(key) {
    const now = VIEW.getAll("hide");
    const hide = isHidden(key) ? now.filter((one) => one !== key) : [...now, key];
    select(this.element.closest("section")?.id ?? "", { hide });
    for (const { chart } of document.querySelectorAll(".chart")) chart.draw();
  }

  /* -- files ------------------------------------------------------------------------------------- */

  legend() {
    return this.entries.filter(({ key }) => !isHidden(key));
  }

  rows() {
    const { x, y, lines } = this.options;
    const titles = [x, y].map(({ label, unit }) => (unit ? `${label} (${unit})` : label));
    const rows = lines.flatMap((line, i) => [...line.points, ...(line.rings || [])]
      .map((point) => [this.entries[i].name, point.x, point.y, point.low, point.high]));
    return [["series", ...titles, "low", "high"], ...rows];
  }

  /* -- drawing ----------------------------------------------------------------------------------- */

  visible() {
    const lines = this.options.lines.filter((_, i) => !isHidden(this.entries[i].key));
    return lines.length ? lines : this.options.lines;
  }

  draw() {
    const width = Math.max(260, this.element.clientWidth);
    const height = Math.round(Math.min(TALLEST_PX, Math.max(240, 0.5 * width)));
    this.size = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    const visible = this.visible();
    const points = visible
      .flatMap((line) => [...line.points, ...(line.form?.points || []), ...(line.rings || [])])
      .filter((point) => this.zoom.holds(point.x));
    const { x, y, band } = this.options;
    this.x = x.axis(points.map((point) => point.x));
    this.y = y.axis([...limiting(points, y.place ?? Math.log), ...(band || [])]);
    const [nought, next] = this.stops();
    this.gap = this.isApart({ x: nought }) && next ? (this.across(nought) + this.across(next)) / 2 : null;
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.guide = svg("path", { class: "guide" });
    this.chosen = svg("rect", { class: "chosen", y: MARGIN.top, height: this.size.height });
    const lines = this.options.lines.map((line, i) => (visible.includes(line) ? this.line(line, i) : null));
    this.plot.replaceChildren(
      ...this.backdrop(), ...this.grid(), this.chosen, this.guide, ...this.clipped(lines.filter(Boolean)),
    );
    this.entries.forEach(({ toggle, row, key }) => {
      toggle.setAttribute("aria-pressed", String(!isHidden(key)));
      row.classList.toggle("off", isHidden(key));
    });
    this.mark();
    notePlot();
  }

  /* What lies in the plot, markers at its edges as a whole. */
  clipped(parts) {
    const [left, top] = [MARGIN.left - 6, MARGIN.top - 6];
    const place = { x: left, y: top, width: this.size.width + 12, height: this.size.height + 12 };
    return [
      svg("clipPath", { id: this.clip }, svg("rect", place)),
      svg("g", { "clip-path": `url(#${this.clip})` }, ...parts),
    ];
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
    if (this.gap !== null) parts.push(svg("text", { class: "gap", x: this.gap, y: top + height + 4, "text-anchor": "middle" }, "//"));
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

  /* Nought has no place on an axis of logarithms: nothing joins it to the rest. */
  isApart({ x }) {
    return this.options.x.apart && x === 0;
  }

  stroke(series, points, dashed) {
    const places = points.map(({ x, y }, i) => `${i && !this.isApart(points[i - 1]) ? "L" : "M"}${this.across(x).toFixed(1)} ${this.down(y).toFixed(1)}`);
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
      if (!hasInterval(point) || this.isApart(point)) stretches.push([]);
    }
    return stretches.filter((stretch) => stretch.length > 1).map((stretch) => {
      const there = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.high).toFixed(1)}`);
      const back = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.low).toFixed(1)}`);
      return svg("path", { class: name, d: `M${[...there, ...back.reverse()].join("L")}Z` });
    });
  }

  /* At each point with an interval; an arrow where it goes on beyond the plot. */
  whiskers(points) {
    const [top, bottom] = [MARGIN.top, MARGIN.top + this.size.height];
    return points.filter(hasInterval).filter(({ x }) => this.zoom.holds(x)).flatMap((p) => {
      const [x, high, low] = [this.across(p.x), this.down(p.high), this.down(p.low)];
      const d = `M${x.toFixed(1)} ${Math.max(top, high).toFixed(1)}V${Math.min(bottom, low).toFixed(1)}`;
      return [
        svg("path", { class: "whisker", d }),
        high < top ? beyond(x, top, 0) : null, low > bottom ? beyond(x, bottom, 180) : null,
      ].filter(Boolean);
    });
  }

  /* -- reading ------------------------------------------------------------------------------------- */

  /* Where there is anything to be read, rising. */
  places() {
    const xs = this.visible()
      .flatMap(({ points, form, rings = [] }) => [...points, ...(form?.breaks || []), ...rings])
      .map(({ x }) => x);
    return [...new Set(xs)].sort((a, b) => a - b);
  }

  stops() {
    return this.places().filter((stop) => this.zoom.holds(stop));
  }

  /* Where the pointer is, in the plot's pixels. */
  pointed(event) {
    const box = this.plot.getBoundingClientRect();
    return (event.clientX - box.left) * (this.plot.viewBox.baseVal.width / box.width);
  }

  onPointer(event) {
    const at = this.pointed(event);
    const distance = (stop) => Math.abs(this.across(stop) - at);
    this.read(this.stops().reduce((best, stop) => (distance(stop) < distance(best) ? stop : best)));
    if (this.from === null) return;
    filled(this.chosen, { x: Math.min(at, this.from), width: Math.abs(at - this.from) }, []);
  }

  /* A finger scrolls the page. */
  onDown(event) {
    this.from = event.pointerType === "touch" ? null : this.pointed(event);
    this.onPointer(event);
  }

  onUp(event) {
    if (this.from === null) return;
    const [from, at] = [this.from, this.pointed(event)];
    this.leave();
    this.zoom.between(from, at, this.stops(), (stop) => this.across(stop));
  }

  leave() {
    this.from = null;
    this.chosen?.setAttribute("width", 0);
    this.read(null);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zooms = {
      "+": () => this.zoom.closer(this.places(), this.cursor), "-": () => this.zoom.farther(this.places()),
      0: () => this.zoom.show(null),
    }[event.key];
    const stops = this.stops();
    const now = stops.indexOf(this.cursor);
    const last = stops.length - 1;
    const next = {
      ArrowRight: Math.min(last, now + 1), ArrowLeft: now < 0 ? last : Math.max(0, now - 1),
      Home: 0, End: last, Escape: null,
    }[event.key];
    if (next === undefined && !zooms) return;
    event.preventDefault();
    if (zooms) return zooms();
    this.read(next === null ? null : stops[next]);
    this.spoken.textContent = next === null ? "" : this.words();
  }

  /* Reads all charts that are read together. */
  read(stop) {
    for (const chart of this.zoom.charts) chart.readHere(stop);
  }

  readHere(stop) {
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
    const there = this.cursor !== null && this.zoom.holds(this.cursor);
    const x = there ? this.across(this.cursor).toFixed(1) : null;
    this.guide.setAttribute("d", x === null ? "" : `M${x} ${top}V${top + this.size.height}`);
  }

  words() {
    const said = this.entries.filter(({ text }) => text.textContent)
      .map(({ name, text }) => `${name} ${text.textContent}`);
    return `${this.place.textContent}: ${said.join("; ")}`;
  }
}

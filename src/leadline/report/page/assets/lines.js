"use strict";

/* A chart of lines with bands, read by pointer or by arrow keys.

   options: title, x and y ({label, axis(values)}), lines, band ([low, high]), shade (from x on).
   A line: series, points ({x, y, low, high, text, hollow}), and optionally name, dashed, plain. */

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
      swatch(line.series, line.dashed, line.dashed), name,
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
    const points = this.visible().flatMap((line) => line.points);
    const { x, y, band } = this.options;
    const heights = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
    this.x = x.axis(points.map((point) => point.x));
    this.y = y.axis(band ? [...heights, ...band] : heights);
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.guide = svg("path", { class: "guide" });
    const lines = this.options.lines.map((line, i) => (this.hidden.has(i) ? null : this.line(line)));
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

  line({ series, points, dashed, plain }) {
    const places = points.map((point) => [this.across(point.x), this.down(point.y)]);
    const path = places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const group = svg("g", { class: seriesClass(series) }, ...this.bands(points));
    group.append(svg("path", { class: lineClass(series, dashed), d: path }));
    if (!plain) {
      points.forEach((point, i) => group.append(marker(series, ...places[i], dashed || point.hollow)));
    }
    return group;
  }

  /* A band over each stretch of points with intervals, and a whisker at each such point. */
  bands(points) {
    const stretches = [[]];
    for (const point of points) {
      if (point.low === null || point.low === undefined) stretches.push([]);
      else stretches[stretches.length - 1].push(point);
    }
    return stretches.filter((stretch) => stretch.length).flatMap((stretch) => {
      const there = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.high).toFixed(1)}`);
      const back = stretch.map((p) => `${this.across(p.x).toFixed(1)} ${this.down(p.low).toFixed(1)}`);
      const area = svg("path", { class: "band", d: `M${[...there, ...back.reverse()].join("L")}Z` });
      const whiskers = stretch.map((p) => {
        const [x, high, low] = [this.across(p.x), this.down(p.high), this.down(p.low)];
        return svg("path", { class: "whisker", d: `M${x.toFixed(1)} ${high.toFixed(1)}V${low.toFixed(1)}` });
      });
      return [area, ...whiskers];
    });
  }

  /* -- reading ------------------------------------------------------------------------------------- */

  stops() {
    const xs = this.visible().flatMap((line) => line.points.map((point) => point.x));
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
      const point = line.points.find((one) => one.x === stop);
      this.entries[i].text.textContent = point ? point.text : "";
    });
    if (this.size) this.mark();
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

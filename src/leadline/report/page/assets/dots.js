"use strict";

/* Rows of estimates with their intervals over a common axis; small dots are what they rest on.

   options: title, axis(values), label, rows ({series, group, y, low, high, text, blocks}), and optionally
   rule, where a line stands, and band ([low, high]). */

const ROW_PX = 26;

class DotChart extends Chart {
  constructor(options) {
    const said = options.rows.map((row) => `${row.series.name} ${row.text}`).join("; ");
    super(options, svg("svg", { class: "plot", role: "img", "aria-label": `${options.title}: ${said}` }));
  }

  /* Its rows are named where they are. */
  legend() {
    return [];
  }

  rows() {
    const { label, unit, rows } = this.options;
    const found = rows.map((row) => [row.series.name, row.group, row.y, row.low, row.high]);
    return [["series", "of", unit ? `${label} (${unit})` : label, "low", "high"], ...found];
  }

  draw() {
    const { rows, rule } = this.options;
    const width = Math.max(260, this.element.clientWidth);
    const groups = [...new Set(rows.map((row) => row.group))];
    const headed = groups.some((group) => group);
    const names = Math.min(0.3 * width, 12 + 7.5 * Math.max(...rows.map((r) => r.series.name.length)));
    const texts = width < 520 ? 8 : 190;
    this.box = { left: names, right: width - texts, top: 6 };
    const height = ROW_PX * (rows.length + (headed ? groups.length : 0)) + 52;
    const dots = rows.flatMap((row) => row.blocks || []);
    this.axis = this.options.axis([...limiting(rows, Math.log), ...dots, ...(rule ? [rule] : [])]);
    this.plot.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.plot.replaceChildren(...this.grid(height - 46));
    let y = this.box.top;
    for (const group of groups) {
      if (headed) {
        y += ROW_PX;
        this.plot.append(svg("text", { class: "group", x: 0, y: y - 6 }, group));
      }
      for (const row of rows.filter((one) => one.group === group)) {
        y += ROW_PX;
        this.plot.append(this.row(row, y - ROW_PX / 2, width, texts > 8));
      }
    }
    notePlot();
  }

  across(value) { return this.box.left + this.axis.place(value) * (this.box.right - this.box.left); }

  grid(bottom) {
    const shade = (this.options.band || []).map((value) => this.across(value));
    const ticks = this.axis.ticks(this.box.right - this.box.left).flatMap(({ at, label }) => {
      const x = this.across(at).toFixed(1);
      return [
        svg("path", { class: "grid", d: `M${x} ${this.box.top}V${bottom + 4}` }),
        svg("text", { class: "tick", x, y: bottom + 18, "text-anchor": "middle" }, label),
      ];
    });
    const [left, right] = shade;
    const place = { x: left, width: right - left, y: this.box.top, height: bottom - this.box.top };
    const parts = shade.length ? [svg("rect", { class: "threshold", ...place }), ...ticks] : ticks;
    if (this.options.rule) {
      const x = this.across(this.options.rule).toFixed(1);
      parts.push(svg("path", { class: "rule", d: `M${x} ${this.box.top}V${bottom + 4}` }));
    }
    const middle = (this.box.left + this.box.right) / 2;
    const label = { class: "label", x: middle, y: bottom + 38, "text-anchor": "middle" };
    return [...parts, svg("text", label, this.options.label)];
  }

  row(row, y, width, roomy) {
    const group = svg("g", { class: seriesClass(row.series) });
    group.append(svg("text", { class: "name", x: 0, y: y + 4 }, row.series.name));
    for (const block of row.blocks || []) {
      group.append(svg("circle", { class: "block", cx: this.across(block).toFixed(1), cy: y, r: 3 }));
    }
    if (row.low !== null) {
      const { left, right } = this.box;
      const [low, high] = [row.low, row.high].map((value) => this.across(value));
      const ends = [Math.max(left, low), Math.min(right, high)].map((end) => end.toFixed(1));
      group.append(svg("path", { class: "interval", d: `M${ends[0]} ${y}H${ends[1]}` }));
      if (low < left) group.append(beyond(left, y, -90));
      if (high > right) group.append(beyond(right, y, 90));
    }
    if (row.y !== null) group.append(marker(row.series, this.across(row.y), y, false));
    if (roomy) group.append(svg("text", { class: "value", x: width, y: y + 4, "text-anchor": "end" }, row.text));
    else group.append(svg("title", {}, row.text));
    return group;
  }
}

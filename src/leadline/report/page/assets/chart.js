"use strict";

/* What all charts are: a title, files to take away, and a plot that is drawn when it has its size. */

const ARROW_PX = 4;

class Chart {
  /* `tools`: what stands beside the title. */
  constructor(options, plot, ...tools) {
    this.options = options;
    this.plot = plot;
    const files = downloads(options.title, {
      svg: () => svgFile(options.title, plot, this.legend()), csv: () => csvText(this.rows()),
    });
    this.tools = html("span", { class: "tools" }, ...tools, ...files);
    const title = html("figcaption", {}, options.title);
    this.element = html("figure", { class: "chart" }, title, this.tools, plot);
    this.element.chart = this;
    new ResizeObserver(() => this.draw()).observe(this.element);
  }
}

/* An arrow at the edge of a plot beyond which an interval goes on; `turn` in degrees, 0 upwards. */
function beyond(x, y, turn) {
  const d = `M0 0L${ARROW_PX} ${2 * ARROW_PX}H${-ARROW_PX}z`;
  return svg("path", { class: "beyond", d, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` });
}

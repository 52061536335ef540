"use strict";

/* The document of charts: columns of numbers, from whose rows points are made when they are drawn. */

/* What the script element holds: JSON, compressed, in base64. */
async function documentIn(element) {
  const bytes = Uint8Array.from(atob(element.textContent), (one) => one.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).json();
}

class Columns {
  constructor(columns, unit) {
    this.columns = columns;
    this.unit = unit;
  }

  /* The chosen rows as {x, y, low, high, text, hollow ...}; `x` is a column's name. */
  points(rows, x = "size") {
    return rows.map((row) => {
      const found = { row };
      for (const [name, column] of Object.entries(this.columns)) found[name] = column[row];
      const { y, below, above } = found;
      found.low = below === null ? null : y * (1 - this.unit * below);
      found.high = above === null ? null : y * (1 + this.unit * above);
      found.x = found[x];
      return found;
    });
  }
}

/* Seconds: the lowest and the steps from there are in units of a power of ten ns. */
function quantilesOf([power, ...steps]) {
  let sum = 0;
  return steps.map((step) => 1e-9 * Number(`${sum += step}e${power}`));
}

/* Seconds, from the shares of their estimate by which the medians of blocks differ from it. */
function mediansOf({ medians, y }, unit) {
  return medians.map((share) => y * (1 + unit * share));
}

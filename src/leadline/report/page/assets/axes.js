"use strict";

/* Axes: from values to shares of a length, and the ticks that fit on it.

   An axis has `place(value)` between 0 and 1 and `ticks(pixels)`, a list of {at, label}. */

const TIGHT_PX = 30; /* between ticks above each other */
const WIDE_PX = 62; /* between ticks side by side */

function span(values, transform, share) {
  const places = values.map(transform);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const pad = high > low ? share * (high - low) : 0.5;
  return [low - pad, high + pad];
}

function axis(transform, [low, high], ticks) {
  return { place: (value) => (transform(value) - low) / (high - low), ticks };
}

/* -- sizes: powers of two, and nought to the left of them ------------------------------------------ */

const BINARY = [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]];
const DECIMAL = [["TB", 1e12], ["GB", 1e9], ["MB", 1e6]];
const MOST_OF_A_UNIT = 10240;

/* The largest of `units` that `bytes` has quarters of; undefined: it has of none. */
function inQuarters(bytes, units) {
  return units.find(([, scale]) => bytes >= scale && bytes % (scale / 4) === 0);
}

function formatSize(bytes) {
  let found = inQuarters(bytes, BINARY);
  if (found && bytes / found[1] >= MOST_OF_A_UNIT) found = inQuarters(bytes, DECIMAL) || found;
  const [unit, scale] = found || ["B", 1];
  return `${(bytes / scale).toLocaleString("en")} ${unit}`;
}

function sizeAxis(sizes) {
  const positive = sizes.filter((size) => size > 0);
  const least = positive.length ? Math.log2(Math.min(...positive)) : 0;
  const most = positive.length ? Math.log2(Math.max(...positive)) : 0;
  const nought = least - Math.max(1.5, 0.08 * (most - least));
  const transform = (size) => (size > 0 ? Math.log2(size) : nought);
  const domain = span(sizes, transform, 0.03);
  const hasNought = sizes.includes(0);
  function ticks(pixels) {
    const room = (WIDE_PX * (domain[1] - domain[0])) / pixels;
    const step = [1, 2, 4, 5, 10].find((one) => one >= room) || 10;
    const found = hasNought ? [{ at: 0, label: "0 B" }] : [];
    for (let power = Math.ceil(least / step) * step; power <= most; power += step) {
      if (hasNought && power - nought < room * 0.8) continue;
      found.push({ at: 2 ** power, label: formatSize(2 ** power) });
    }
    if (found.length === 0) found.push({ at: sizes[0], label: formatSize(sizes[0]) });
    return found;
  }
  return axis(transform, domain, ticks);
}

/* -- logarithms -------------------------------------------------------------------------------------- */

const MANTISSAS = [
  [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1],
];

function logTicks(low, high, most) {
  const decades = Math.log10(high / low);
  if (decades < 0.35) return linearTicks(low, high, most);
  for (const mantissas of MANTISSAS) {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const mantissa of mantissas) found.push(Number(`${mantissa}e${power}`));
    }
    const inside = found.filter((value) => value >= low && value <= high);
    if (inside.length <= most) return inside;
  }
  const step = Math.ceil(decades / most);
  const first = Math.ceil(Math.log10(low) / step) * step;
  return Array.from({ length: most }, (_, i) => 10 ** (first + i * step)).filter((v) => v <= high);
}

function linearTicks(low, high, most) {
  const raw = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); i += 1) found.push(i * step);
  return found;
}

function logAxis(values, format, apart = TIGHT_PX) {
  const positive = values.filter((value) => value > 0);
  const domain = span(positive, Math.log10, 0.06);
  const ends = domain.map((place) => 10 ** place);
  const ticks = (pixels) =>
    logTicks(...ends, Math.max(2, Math.floor(pixels / apart)))
      .map((value) => ({ at: value, label: format(value) }));
  return axis(Math.log10, domain, ticks);
}

function formatTime(seconds) {
  const units = [["us", 1e-6], ["ms", 1e-3], ["s", 1]];
  const [unit, scale] = units.find(([, one]) => seconds < 999.5 * one) || units[2];
  return `${Number((seconds / scale).toPrecision(3))} ${unit}`;
}

function formatRate(bytesPerSecond) {
  const units = [["TB/s", 1e12], ["GB/s", 1e9], ["MB/s", 1e6], ["kB/s", 1e3]];
  const [unit, scale] = units.find(([, one]) => bytesPerSecond >= 0.9995 * one) || units[3];
  return `${Number((bytesPerSecond / scale).toPrecision(3))} ${unit}`;
}

function formatRatio(ratio) {
  return `${Number(ratio.toPrecision(3))}`;
}

/* -- from nought on, as papers draw ------------------------------------------------------------------- */

/* A number as an axis of any unit has it. */
function formatNumber(value) {
  return Number(value.toPrecision(3)).toLocaleString("en");
}

/* Decimal, as ticks of such an axis are. */
function formatDecimalSize(bytes) {
  const units = [["MB", 1e6], ["kB", 1e3], ["B", 1]];
  const [unit, scale] = units.find(([, one]) => bytes >= one) || units[2];
  return `${formatNumber(bytes / scale)} ${unit}`;
}

function noughtAxis(values, format, apart = TIGHT_PX) {
  const most = 1.04 * Math.max(...values) || 1;
  const ticks = (pixels) =>
    linearTicks(0, most, Math.max(2, Math.floor(pixels / apart)))
      .map((value) => ({ at: value, label: format(value) }));
  return axis((value) => value, [0, most], ticks);
}

/* -- what may be negative: per cent -------------------------------------------------------------------- */

function formatPercent(percent) {
  return `${percent > 0 ? "+" : ""}${Number(percent.toPrecision(2))} %`;
}

function percentAxis(values) {
  const domain = span(values, (value) => value, 0.06);
  const ticks = (pixels) =>
    linearTicks(...domain, Math.max(2, Math.floor(pixels / TIGHT_PX)))
      .map((value) => ({ at: value, label: formatPercent(value) }));
  return axis((value) => value, domain, ticks);
}

/* -- shares and ranks -------------------------------------------------------------------------------- */

function shareAxis() {
  const ticks = () => [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: `${100 * at} %` }));
  return axis((value) => value, [-0.02, 1.02], ticks);
}

/* Ticks are the numbers of ranks themselves, as far as there is room for them. */
function rankAxis(ranks) {
  const numbers = [...new Set(ranks)].sort((a, b) => a - b);
  const scale = axis(Math.log2, span(numbers, Math.log2, 0.06), null);
  scale.ticks = (pixels) => {
    const chosen = [];
    const isPower = (number) => Math.log2(number) % 1 === 0;
    for (const at of [...numbers.filter(isPower), ...numbers.filter((n) => !isPower(n))]) {
      const room = chosen.every((o) => Math.abs(scale.place(o.at) - scale.place(at)) * pixels > 22);
      if (room) chosen.push({ at, label: String(at) });
    }
    return chosen;
  };
  return scale;
}

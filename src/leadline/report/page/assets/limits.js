"use strict";

/* How far an axis reaches: to all estimates, and to the ends of their intervals but for wild ones. */

const WILD = 3; /* times the median reach of the intervals */

function middle(values) {
  const rising = [...values].sort((a, b) => a - b);
  return rising.length ? rising[Math.floor((rising.length - 1) / 2)] : 0;
}

/* The values that an axis is made of. An end further from all estimates than an eighth of what they span, and
   than thrice the intervals' median reach, leaves the plot: else one interval would make a line of all others.
   `place`: where on the axis a value is. */
function limiting(points, place) {
  const sure = points.filter(hasInterval);
  const centres = points.map(({ y }) => y).filter((y) => y !== null && Number.isFinite(place(y)));
  const ends = sure.flatMap(({ low, high }) => [low, high]).filter((end) => Number.isFinite(place(end)));
  if (!centres.length) return ends;
  const places = centres.map(place);
  const [lowest, highest] = [Math.min(...places), Math.max(...places)];
  const reaches = sure.flatMap(({ y, low, high }) => [place(y) - place(low), place(high) - place(y)])
    .filter(Number.isFinite);
  const slack = Math.max((highest - lowest) / 8, WILD * middle(reaches));
  const near = (end) => place(end) >= lowest - slack && place(end) <= highest + slack;
  return [...centres, ...ends.filter(near)];
}

function hasInterval({ low }) {
  return low !== null && low !== undefined;
}

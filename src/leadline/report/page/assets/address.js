"use strict";

/* What a reader has selected, kept in the fragment of the page's address, so that a link opens the same
   view: "#at=curves&curve=bcast%2C+2+ranks&hide=shm". An anchor, as "#tables", says nothing of it. */

let VIEW = new URLSearchParams();
const FOLLOWERS = [];

function viewIn(hash) {
  return hash.includes("=") ? new URLSearchParams(hash.slice(1)) : null;
}

/* What is selected under a key; null: nothing. */
function selected(key) {
  return VIEW.get(key);
}

/* Keeps what was selected in a section; null takes it back. */
function select(section, choices) {
  VIEW.set("at", section);
  for (const [key, value] of Object.entries(choices)) {
    VIEW.delete(key);
    for (const one of [value].flat()) if (one !== null) VIEW.append(key, one);
  }
  history.replaceState(null, "", `#${VIEW}`);
}

/* The place of what is selected among `names`; the first, where there is no such name. */
function placeOf(key, names) {
  return Math.max(0, names.indexOf(selected(key)));
}

/* Calls `apply` now and whenever the address names another view. */
function follow(apply) {
  FOLLOWERS.push(apply);
  apply();
}

function goWhereSelected() {
  const at = document.getElementById(selected("at") ?? "");
  if (at) requestAnimationFrame(() => at.scrollIntoView({ behavior: "instant" }));
}

function readAddress() {
  VIEW = viewIn(location.hash) ?? VIEW;
}

addEventListener("hashchange", () => {
  if (!viewIn(location.hash)) return;
  readAddress();
  for (const apply of FOLLOWERS) apply();
  goWhereSelected();
});

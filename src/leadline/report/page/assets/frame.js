"use strict";

/* What every page has around its charts: themes, links, print, and the numbers it came with. */

/* -- theme -------------------------------------------------------------------------------------------- */

function themeSwitch() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const name = () => { button.textContent = now() === "dark" ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = now() === "dark" ? "light" : "dark";
    name();
  });
  dark.addEventListener("change", name);
  button.hidden = false;
  name();
}

/* Paper can't be unfolded; texts that fill pages stay folded. */
function unfoldForPrint() {
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not(.long)")) details.open = true;
  });
}

function hideLinksToNothing() {
  for (const link of document.querySelectorAll("nav a")) {
    link.hidden = document.querySelector(link.getAttribute("href")).hidden;
  }
}

/* -- numbers ------------------------------------------------------------------------------------------ */

/* The tables stand below the scripts, so that charts needn't wait for them. */
function parsed() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => { addEventListener("DOMContentLoaded", done, { once: true }); });
}

/* The document of charts; null, and the page says why, where the browser is too old to read it. */
async function chartsDocument() {
  if ("DecompressionStream" in window) return documentIn(document.getElementById("charts"));
  document.getElementById("outdated").hidden = false;
  return null;
}

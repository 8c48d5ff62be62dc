// Cards as elements: drawn once, and copied from then on. A code is a rank and a suit (`QH`, `TD`) of the French deck,
// or a number and a suit (`12O`) of the Spanish one.

import * as french from "./french.js";
import * as spanish from "./spanish.js";
import { el, line, path } from "./svg.js";

/** Below this width, in pixels of the page, a card is drawn with nothing but its rank and suit. */
export const SMALL = 50;

const DECKS = { french, spanish };

const drawn = new Map();

/** The drawing of a card that lies face up. */
export function cardFace(deck, code, isSmall) {
  const key = `${deck} ${code} ${isSmall}`;
  if (!drawn.has(key)) drawn.set(key, sheet((isSmall ? DECKS[deck].smallFace : DECKS[deck].face)(code)));
  return drawn.get(key).cloneNode(true);
}

/** The drawing of a card that lies face down. */
export function cardBack(deck) {
  const key = `${deck} back`;
  if (!drawn.has(key)) drawn.set(key, sheet(deck === "french" ? diamonds() : waves()));
  return drawn.get(key).cloneNode(true);
}

function sheet(drawing) {
  return el(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" },
    el("rect", { x: 0.75, y: 0.75, width: 98.5, height: 138.5, rx: 8, class: "paper" }),
    ...drawing,
  );
}

function panel(fill) {
  return el("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, fill });
}

function diamonds() {
  const lines = [];
  for (let x = 7; x <= 93; x += 10.75) {
    for (let y = 7; y <= 133; y += 10.5) lines.push(`M${x} ${y - 3.6}L${x + 3.7} ${y} ${x} ${y + 3.6} ${x - 3.7} ${y}Z`);
  }
  return [
    panel("#2b4a86"),
    el("svg", { x: 7, y: 7, width: 86, height: 126, viewBox: "7 7 86 126" }, path(lines.join(""), "#8fa9dc")),
    line("M50 40L71 70 50 100 29 70Z", "#eef2fb", 2.4), path("M50 52L62.5 70 50 88 37.5 70Z", "#eef2fb"),
    el("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, fill: "none", stroke: "#1f3766", "stroke-width": 2 }),
  ];
}

function waves() {
  const rows = [];
  for (let y = 12; y < 140; y += 9) rows.push(`M7 ${y}q5.375-8 10.75 0t${"10.75 0 ".repeat(7)}`);
  return [
    panel("#7c2430"),
    el("svg", { x: 7, y: 7, width: 86, height: 126, viewBox: "7 7 86 126" }, line(rows.join(""), "#d9949c", 1.8)),
    el("circle", { cx: 50, cy: 70, r: 19, fill: "#7c2430", stroke: "#f3dfe1", "stroke-width": 2.4 }),
    path("M50 55L53.6 66.4 65 70 53.6 73.6 50 85 46.4 73.6 35 70 46.4 66.4Z", "#f3dfe1"),
    el("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, fill: "none", stroke: "#571822", "stroke-width": 2 }),
  ];
}

/** The sign of a suit by itself, as a drawing of its own. */
export function suitIcon(deck, suit) {
  const drawing = DECKS[deck].suitSign(suit, 0, 0, 20);
  return el("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true", focusable: "false" }, drawing);
}

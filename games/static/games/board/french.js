// The French deck, drawn on a card of 100 by 140.

import { at, circle, el, line, path, text } from "./svg.js";

const RED = "#b3202c";
const BLACK = "#1c1f26";
const GOLD = "#d9a62e";
const BLUE = "#27487f";
const SKIN = "#f3d9b8";
const LINE = "#2b2320";

/** Each suit about the origin, 20 high and wide. */
const SUITS = {
  H: "M0 9.6C-3.6 5.4-10 1.6-10-3.8-10-7.4-7.6-9.6-5-9.6-2.6-9.6-.9-8.2 0-5.9.9-8.2 2.6-9.6 5-9.6 7.6-9.6 10-7.4 10-3.8"
    + " 10 1.6 3.6 5.4 0 9.6Z",
  D: "M0-10.6C2.2-6.6 5-3.2 8.2 0 5 3.2 2.2 6.6 0 10.6-2.2 6.6-5 3.2-8.2 0-5-3.2-2.2-6.6 0-10.6Z",
  S: "M0-10.2C3.4-5.8 9.8-2.4 9.8 3 9.8 6.3 7.5 8 5 8 3.2 7.9 1.6 7 .8 5.2.9 7.6 1.9 9.4 3.8 10.2L-3.8 10.2C-1.9 9.4"
    + "-.9 7.6-.8 5.2-1.6 7-3.2 7.9-5 8-7.5 8-9.8 6.3-9.8 3-9.8-2.4-3.4-5.8 0-10.2Z",
  C: "M0-10.2A4.6 4.6 0 0 1 3.5-2.6C3.1-2.1 2.6-1.4 2.2-.6 3-1 3.9-1.3 4.9-1.3A4.7 4.7 0 1 1 .9 5.6C1 7.8 2 9.5 3.8 10.2"
    + "L-3.8 10.2C-2 9.5-1 7.8-.9 5.6A4.7 4.7 0 1 1-4.9-1.3C-3.9-1.3-3-1-2.2-.6-2.6-1.4-3.1-2.1-3.5-2.6A4.6 4.6 0 0 1 0-10.2Z",
};

const colour = (suit) => (suit === "H" || suit === "D" ? RED : BLACK);

/** The sign of a suit, `size` high, with its middle at a point. */
export function suitSign(suit, x, y, size, turn = 0, fill = colour(suit)) {
  return at(x, y, size / 20, turn, path(SUITS[suit], fill));
}

const LEFT = 35, MIDDLE = 50, RIGHT = 65;
/** Where the pips of each number lie, as on printed cards. Those below the middle stand on their heads. */
const PIPS = {
  2: [[MIDDLE, 28], [MIDDLE, 112]],
  3: [[MIDDLE, 28], [MIDDLE, 70], [MIDDLE, 112]],
  4: [[LEFT, 28], [RIGHT, 28], [LEFT, 112], [RIGHT, 112]],
  5: [[LEFT, 28], [RIGHT, 28], [MIDDLE, 70], [LEFT, 112], [RIGHT, 112]],
  6: [[LEFT, 28], [RIGHT, 28], [LEFT, 70], [RIGHT, 70], [LEFT, 112], [RIGHT, 112]],
  7: [[LEFT, 28], [RIGHT, 28], [MIDDLE, 49], [LEFT, 70], [RIGHT, 70], [LEFT, 112], [RIGHT, 112]],
  8: [[LEFT, 28], [RIGHT, 28], [MIDDLE, 49], [LEFT, 70], [RIGHT, 70], [MIDDLE, 91], [LEFT, 112], [RIGHT, 112]],
  9: [[LEFT, 28], [RIGHT, 28], [LEFT, 56], [RIGHT, 56], [MIDDLE, 70], [LEFT, 84], [RIGHT, 84], [LEFT, 112], [RIGHT, 112]],
  T: [
    [LEFT, 28], [RIGHT, 28], [MIDDLE, 42], [LEFT, 56], [RIGHT, 56],
    [LEFT, 84], [RIGHT, 84], [MIDDLE, 98], [LEFT, 112], [RIGHT, 112],
  ],
};

const shown = (rank) => (rank === "T" ? "10" : rank);

/** How wide the ranks are drawn that would not fit beside the pips. */
const WIDE = { T: 20, A: 19, Q: 19, K: 19 };

function index(rank, suit) {
  const squeezed = rank in WIDE ? { textLength: WIDE[rank], lengthAdjust: "spacingAndGlyphs" } : {};
  return [
    text(shown(rank), 13, 28, 28, colour(suit), squeezed),
    suitSign(suit, 13, 41.5, 17),
  ];
}

const bothWays = (...drawing) => [
  el("g", {}, ...drawing),
  el("g", { transform: "rotate(180 50 70)" }, ...drawing.map((one) => one.cloneNode(true))),
];

/** The whole face of a card: corners, and pips or a figure. */
export function face(code) {
  const [rank, suit] = code;
  const drawing = bothWays(...index(rank, suit));
  if (rank === "A") return [...drawing, ...ace(suit)];
  if (rank in PIPS) {
    const size = "9T".includes(rank) ? 19 : 21;
    return [...drawing, ...PIPS[rank].map(([x, y]) => suitSign(suit, x, y, size, y > 70 ? 180 : 0))];
  }
  return [...court(rank, suit), ...drawing];
}

const SMALL_WIDE = { T: 40, Q: 36, K: 36, A: 36 };

/** What is still read when a card is small: rank and suit, whether it is covered from the right or from below. */
export function smallFace(code) {
  const [rank, suit] = code;
  const squeezed = rank in SMALL_WIDE ? { textLength: SMALL_WIDE[rank], lengthAdjust: "spacingAndGlyphs" } : {};
  return [
    text(shown(rank), 25, 49, 56, colour(suit), squeezed),
    suitSign(suit, 75, 29, 34),
    suitSign(suit, 22, 76, 29),
    suitSign(suit, 66, 99, 52),
  ];
}

function ace(suit) {
  const ring = suit === "S" ? [circle(50, 70, 33, "none", { stroke: BLACK, "stroke-width": 1 })] : [];
  return [...ring, suitSign(suit, 50, 70, suit === "S" ? 50 : 42)];
}

// The figures: a bust that is drawn once and stands on its head below, as card players know it.

function court(rank, suit) {
  const robe = colour(suit) === RED ? RED : BLUE;
  const trim = colour(suit) === RED ? BLUE : RED;
  const bust = { K: king, Q: queen, J: jack }[rank](robe, trim, suit);
  const figure = [
    el("rect", {
      x: 24, y: 10, width: 52, height: 120, rx: 2, fill: "#fdf6e3", stroke: colour(suit), "stroke-width": 1,
    }),
    ...bothWays(...bust, suitSign(suit, 30.5, 18.5, 10)),
    line("M24 70H76", GOLD, 2),
  ];
  return [el("g", { transform: "translate(50 70) scale(0.98 1) translate(-49 -70)" }, ...figure)];
}

/** Shoulders and breast, cut off at the middle of the card, with a collar and a band of ornament. */
function body(robe, trim) {
  return [
    path("M25 70V62C27 53 36 49 43 47.5H57C64 49 73 53 75 62V70Z", robe, { stroke: LINE, "stroke-width": 0.9 }),
    path("M42 47.5L50 70 58 47.5Z", "#fdf6e3", { stroke: LINE, "stroke-width": 0.8 }),
    path("M46.6 49L50 59 53.4 49Z", trim),
    line("M33 51.5L38 70M67 51.5L62 70", GOLD, 2.4),
    line("M29 60.5L31.5 70M71 60.5L68.5 70", trim, 1.8),
    path("M50 60.5L52.4 64.6 50 68.7 47.6 64.6Z", GOLD),
  ];
}

function head(hair) {
  return [
    ...hair,
    path("M45 41H55V49.5L50 53 45 49.5Z", SKIN, { stroke: LINE, "stroke-width": 0.7 }),
    path("M41.5 31.5C41.5 25 58.5 25 58.5 31.5V37C58.5 42.5 54.5 46.4 50 46.4S41.5 42.5 41.5 37Z", SKIN, {
      stroke: LINE, "stroke-width": 0.8,
    }),
    line("M44.4 34.2H48M52 34.2H55.6", LINE, 0.9),
    circle(46.3, 36, 0.95, LINE), circle(53.7, 36, 0.95, LINE),
    line("M50 35.5L49.2 39.6H50.8", "#a9764e", 0.8),
    line("M47.6 42.6Q50 43.8 52.4 42.6", "#9c2f2f", 1.1),
  ];
}

function king(robe, trim) {
  return [
    ...body(robe, trim),
    ...head([path("M39.5 30C37 40 38 46 41 49H59C62 46 63 40 60.5 30Z", "#8a6a3b", { stroke: LINE, "stroke-width": 0.8 })]),
    path("M42 39C43 49 46 52.5 50 54.5 54 52.5 57 49 58 39 55 42.5 53 40.6 50 40.6S45 42.5 42 39Z", "#8a6a3b", {
      stroke: LINE, "stroke-width": 0.7,
    }),
    line("M47.8 43.4Q50 44.6 52.2 43.4", "#e8b7a0", 1.1),
    path("M39 30.5L36.6 18.5 43 24 46 16.5 50 22.5 54 16.5 57 24 63.4 18.5 61 30.5Z", GOLD, { stroke: LINE, "stroke-width": 0.9 }),
    path("M39.2 27.6H60.8L61 30.8H39Z", robe), circle(50, 29.2, 1.4, "#fdf6e3"),
    circle(44, 29.2, 1, GOLD), circle(56, 29.2, 1, GOLD),
    line("M70 66L70 23", "#7a8796", 3), line("M70 64V25", "#dfe5ea", 1.2), line("M65.5 55H74.5", GOLD, 2.6), circle(70, 59.5, 2, GOLD),
  ];
}

function queen(robe, trim) {
  return [
    ...body(robe, trim),
    ...head([path("M40 28C35 38 36.5 50 34.5 57 40 58 44 54 45 48H55C56 54 60 58 65.5 57 63.5 50 65 38 60 28Z", "#b98338", {
      stroke: LINE, "stroke-width": 0.8,
    })]),
    path("M41.3 33C42 27.4 46 26.6 50 28.6 54 26.6 58 27.4 58.7 33 62 25 55 22.6 50 22.6S38 25 41.3 33Z", "#b98338"),
    path("M40 27L38.8 18.4 44.4 22 47 17.6 50 21 53 17.6 55.6 22 61.2 18.4 60 27Q50 23.4 40 27Z", GOLD, { stroke: LINE, "stroke-width": 0.8 }),
    circle(50, 16.4, 1.8, robe), circle(38.8, 17.4, 1.3, robe), circle(61.2, 17.4, 1.3, robe),
    line("M70.5 64C71.5 54 69.5 48 70 40", "#3d7a4a", 1.6), path("M70.4 53C73.5 50.5 75 51 75 51 74.6 53.6 72.6 55 70.4 55Z", "#3d7a4a"),
    ...[0, 72, 144, 216, 288].map((turn) => at(70, 36.5, 1, turn, el("ellipse", { cx: 0, cy: -3.3, rx: 2.3, ry: 2.9, fill: trim }))),
    circle(70, 36.5, 1.9, GOLD),
    line("M44.6 50.6Q50 55.6 55.4 50.6", "#fdf6e3", 1.4),
  ];
}

function jack(robe, trim) {
  return [
    ...body(robe, trim),
    ...head([path("M40 29C37 36 37.4 43 39.4 46.4 42 46.4 43 44 43.4 41H56.6C57 44 58 46.4 60.6 46.4 62.6 43 63 36 60 29Z", "#c79a4b", {
      stroke: LINE, "stroke-width": 0.8,
    })]),
    path("M38 29.5C36.5 21.5 43 17.5 50.5 17.5 59 17.5 64 21.5 62.6 29.5Z", robe, { stroke: LINE, "stroke-width": 0.9 }),
    path("M37.4 27.4H63V31H37.4Z", trim, { stroke: LINE, "stroke-width": 0.8 }),
    path("M59.5 27.5C66.5 24 68.5 18 66.5 14.6 62 16 58.6 20.5 57.6 26.5Z", GOLD, { stroke: LINE, "stroke-width": 0.7 }),
    line("M59.3 26Q63.4 21.4 65.6 16.4", LINE, 0.6),
    line("M70.5 66V34", "#8a6a3b", 2.4),
    path("M70.5 20L73.6 32.5 70.5 36 67.4 32.5Z", "#cfd6dc", { stroke: LINE, "stroke-width": 0.8 }),
    path("M67.4 37.6H73.6V40H67.4Z", GOLD),
  ];
}

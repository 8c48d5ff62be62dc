// The Spanish deck, drawn on a card of 100 by 140. The frame is broken as card players know it (las pintas): not at
// all for oros, once for copas, twice for espadas, three times for bastos.

import { at, circle, el, line, path, text } from "./svg.js";

const GOLD = "#e0a526";
const DEEP_GOLD = "#9a6410";
const RED = "#b3202c";
const BLUE = "#27528f";
const GREEN = "#3c7a3a";
const BROWN = "#6d3f16";
const WOOD = "#c08a45";
const SKIN = "#f3d9b8";
const LINE = "#2b2320";
const STEEL = "#c9d6e2";

const INK = { O: DEEP_GOLD, C: RED, E: BLUE, B: "#2f6a31" };
const BREAKS = { O: 0, C: 1, E: 2, B: 3 };
const STROKE = { stroke: LINE, "stroke-width": 0.7 };

/** Each suit about the origin, 20 high. */
const SIGNS = {
  O: () => [
    circle(0, 0, 9.6, GOLD, { stroke: DEEP_GOLD, "stroke-width": 1.2 }),
    circle(0, 0, 6.9, "none", { stroke: DEEP_GOLD, "stroke-width": 0.8, "stroke-dasharray": "1.4 1" }),
    circle(0, 0, 4.9, "#f6cf62", { stroke: DEEP_GOLD, "stroke-width": 0.7 }),
    path("M0-4L1.1-1.2 4-1.1 1.7.7 2.5 3.5 0 1.9-2.5 3.5-1.7.7-4-1.1-1.1-1.2Z", RED),
  ],
  C: () => [
    path("M-7.6-9.6H7.6C7.6-3.6 5.6.4 1.6 1.6V5.4L5.4 8V9.8H-5.4V8L-1.6 5.4V1.6C-5.6.4-7.6-3.6-7.6-9.6Z", GOLD, {
      stroke: DEEP_GOLD, "stroke-width": 1,
    }),
    path("M-6.4-6.9H6.4C6.1-5 5.6-3.6 5-2.5H-5C-5.6-3.6-6.1-5-6.4-6.9Z", RED),
    el("ellipse", { cx: 0, cy: -9.4, rx: 7.4, ry: 1.5, fill: "#7e1620", stroke: DEEP_GOLD, "stroke-width": 0.8 }),
    line("M-3 8.6H3", DEEP_GOLD, 0.8),
  ],
  E: () => [
    path("M-1.8 3.6V-7.4L0-10.4 1.8-7.4V3.6Z", STEEL, { stroke: BLUE, "stroke-width": 0.9 }),
    line("M0-8V3", BLUE, 0.6),
    path("M-6.2 3.2C-4 4.6 4 4.6 6.2 3.2V5.6C4 6.6-4 6.6-6.2 5.6Z", GOLD, { stroke: DEEP_GOLD, "stroke-width": 0.7 }),
    path("M-1.2 6H1.2V8.4H-1.2Z", RED), circle(0, 9.2, 1.3, GOLD, { stroke: DEEP_GOLD, "stroke-width": 0.6 }),
  ],
  B: () => [
    path("M-3-2.6L-5.9-4.6-4.7-6.2-2.6-4.6ZM2.9-.6L5.6-2.2 6.4-.6 2.6 1.6ZM-2.2 3.4L-4.4 2.4-4.8 3.8-1.9 5.4Z", WOOD, {
      stroke: BROWN, "stroke-width": 0.6,
    }),
    path("M-1.4 10C-1.6 5-3-.4-3.4-5-3.7-8.4-2.2-10.2 0-10.2S3.7-8.4 3.4-5C3-.4 1.6 5 1.4 10Z", WOOD, { stroke: BROWN, "stroke-width": 0.8 }),
    path("M-5.6-5.6C-8.4-6-8.6-8.6-7.8-9.6-6-9.2-5-7.6-5.2-5.8ZM6-1.4C8.6-1.2 9.4-3.4 9-4.8 7-4.8 5.8-3.4 5.8-1.8Z", GREEN, {
      stroke: "#20502a", "stroke-width": 0.5,
    }),
    line("M-1.2-7.4Q-.4-2 .2 2.4M1.3-6Q1.2-3 .9 0M-.6 4.4L-.2 8.6", BROWN, 0.6), circle(-.4, -1.6, 0.9, "#8f5a24"), circle(0.9, 3.4, 0.7, "#8f5a24"),
  ],
};

/** The sign of a suit, `size` high, with its middle at a point. */
export function suitSign(suit, x, y, size, turn = 0) {
  return at(x, y, size / 20, turn, ...SIGNS[suit]());
}

const LEFT = 29, MIDDLE = 50, RIGHT = 71;
/** Where the signs of each number lie, how high each is, and how high those are that are slender. */
const PIPS = {
  2: [38, 46, [MIDDLE, 45], [MIDDLE, 95]],
  3: [31, 33, [MIDDLE, 36], [MIDDLE, 70], [MIDDLE, 104]],
  4: [32, 42, [34, 48], [66, 48], [34, 92], [66, 92]],
  5: [26, 31, [33, 43], [67, 43], [MIDDLE, 70], [33, 97], [67, 97]],
  6: [25, 28, [34, 42], [66, 42], [34, 70], [66, 70], [34, 98], [66, 98]],
  7: [22, 28, [31, 42], [69, 42], [MIDDLE, 53], [31, 70], [69, 70], [31, 98], [69, 98]],
  8: [22, 27, [31, 42], [69, 42], [MIDDLE, 55], [31, 70], [69, 70], [MIDDLE, 85], [31, 98], [69, 98]],
  9: [20, 27, [LEFT, 42], [MIDDLE, 42], [RIGHT, 42], [LEFT, 70], [MIDDLE, 70], [RIGHT, 70], [LEFT, 98], [MIDDLE, 98], [RIGHT, 98]],
};

/** The frame of a card, with the breaks of its suit above and below. */
function frame(suit) {
  const breaks = BREAKS[suit], gap = 7, left = 9, right = 91;
  const part = (right - left) / (breaks + 1);
  const across = (y) => Array.from({ length: breaks + 1 }, (_, number) => {
    const from = left + part * number + (number ? gap / 2 : 0);
    const to = left + part * (number + 1) - (number < breaks ? gap / 2 : 0);
    return `M${from} ${y}H${to}`;
  }).join("");
  return line(`${across(8)}${across(132)}M9 8V132M91 8V132`, INK[suit], 1.4, { "stroke-linecap": "butt" });
}

const number = (code) => Number(code.slice(0, -1));

function corner(code) {
  const suit = code.at(-1), wide = number(code) > 9;
  const squeezed = wide ? { textLength: 19, lengthAdjust: "spacingAndGlyphs" } : {};
  const words = text(String(number(code)), wide ? 22.5 : 18.5, 27.5, 20, INK[suit], squeezed);
  return [words, el("g", { transform: "rotate(180 50 70)" }, words.cloneNode(true))];
}

/** The whole face of a card. */
export function face(code) {
  const suit = code.at(-1), value = number(code);
  const drawing = [frame(suit), ...corner(code)];
  if (value === 1) return [...drawing, suitSign(suit, 50, 70, { E: 88, B: 76 }[suit] ?? 62)];
  if (value in PIPS) {
    const [wide, slender, ...places] = PIPS[value];
    const size = suit === "E" || suit === "B" ? slender : wide;
    return [...drawing, ...places.map(([x, y]) => suitSign(suit, x, y, size))];
  }
  const figure = { 10: sota, 11: caballo, 12: rey }[value];
  return [el("g", { transform: "translate(49 68) scale(0.92) translate(-50 -73)" }, ...figure(suit)), ...drawing];
}

/** What is still read when a card is small: the number, and the suit as large as it can be. */
export function smallFace(code) {
  const suit = code.at(-1), wide = number(code) > 9;
  const squeezed = wide ? { textLength: 66, lengthAdjust: "spacingAndGlyphs" } : {};
  return [
    line(`M6 6V134M94 6V134`, INK[suit], 3), frameSmall(suit),
    text(String(number(code)), 50, 58, 62, INK[suit], squeezed), suitSign(suit, 50, 97, 58),
  ];
}

function frameSmall(suit) {
  const breaks = BREAKS[suit], part = 88 / (breaks + 1);
  const across = (y) => Array.from({ length: breaks + 1 }, (_, at_) =>
    `M${6 + part * at_ + (at_ ? 6 : 0)} ${y}H${6 + part * (at_ + 1) - (at_ < breaks ? 6 : 0)}`).join("");
  return line(across(6) + across(134), INK[suit], 3, { "stroke-linecap": "butt" });
}

// The figures stand whole: the page, the rider, the king, each with the sign of the suit.

const ROBE = { O: [RED, GOLD], C: [BLUE, GOLD], E: [RED, BLUE], B: [GREEN, GOLD] };

function face_(x, y) {
  return [
    path(`M${x - 6} ${y - 5}C${x - 6} ${y - 9.6} ${x + 6} ${y - 9.6} ${x + 6} ${y - 5}V${y + 2}C${x + 6} ${y + 6}`
      + ` ${x + 3} ${y + 8} ${x} ${y + 8}S${x - 6} ${y + 6} ${x - 6} ${y + 2}Z`, SKIN, STROKE),
    circle(x - 2.4, y - 0.6, 0.9, LINE), circle(x + 2.4, y - 0.6, 0.9, LINE),
    line(`M${x - 1.8} ${y + 4.4}Q${x} ${y + 5.4} ${x + 1.8} ${y + 4.4}`, RED, 1),
  ];
}

function sota(suit) {
  const [robe, trim] = ROBE[suit];
  return [
    line("M44 96V121M56 96V121", trim === GOLD ? "#8a5a12" : trim, 7, { "stroke-linecap": "butt" }),
    path("M39.5 119H48.5V125H37Q36.6 121 39.5 119ZM51.5 119H60.5Q63.4 121 63 125H51.5Z", LINE),
    path("M40 56H60L66 98Q50 104 34 98Z", robe, STROKE),
    path("M46 56H54L56 100Q50 101.6 44 100Z", trim, STROKE), line("M37.4 80Q50 84 62.6 80", LINE, 2.2), circle(50, 82.4, 2.2, GOLD),
    path("M40 57C33 60 29 68 27 76L32 79C35 71 38 67 42 65ZM60 57C66 58 71 60 74 64L70 70C67 67 63 66 58 66Z", robe, STROKE),
    circle(29, 78.6, 3, SKIN, STROKE), circle(73, 66, 3, SKIN, STROKE),
    path("M42 44C40 52 41 55 43 57H57C59 55 60 52 58 44Z", BROWN),
    ...face_(50, 46),
    path("M42.6 40C42 33 46 30.6 50.6 30.6 56 30.6 58.4 34 57.6 40Q50 37 42.6 40Z", trim, STROKE),
    path("M56 35C61 33 63 29 62 26 58.6 26.6 55.6 29.6 54.6 33Z", "#f4efe4", STROKE),
    suitSign(suit, 72, 48, suit === "E" || suit === "B" ? 40 : 27),
  ];
}

function caballo(suit) {
  const [robe, trim] = ROBE[suit], coat = suit === "O" || suit === "E" ? "#f1ece2" : "#a8713a";
  return [
    path("M30 121L33 101C27 96 27 88 31 83 38 79 54 79 62 82 66 76 68 69 72 65L74 59 77.4 64C82 67 85 74 86 79L82.6 82.6 77 78"
      + "C76 85 74 91 70 96L72 108 77 112 75.6 115 68.6 111.6 64 99C57 101 48 101 43 100L41 109 45 121H39.4L36.4 110 35.4 121Z", coat, STROKE),
    path("M31 84C25 87 23 95 25 103 28 100 29.6 95 32 91Z", BROWN, STROKE), line("M70.6 66C67 70 65 75 63.6 81", BROWN, 2.6),
    circle(77.4, 70.6, 1, LINE), line("M84 80Q78 77 74 72L58 74", RED, 1),
    path("M40 82H60L58 93H43Z", RED, STROKE),
    path("M43 51H57L60 84H40Z", robe, STROKE), path("M47.4 51H52.6L53.6 84H46.6Z", trim),
    path("M47 80L57 82 55 102 61 105 60 108H51L49.6 86Z", trim === GOLD ? BLUE : trim, STROKE),
    path("M57 53C62 57 64 64 66 71L62 73.4C59.6 68 58 64 55.6 62ZM43 53C38 54 34 56 30.6 60L34 65C37 62.6 40 61.6 44.6 61.6Z", robe, STROKE),
    circle(64.6, 73, 2.6, SKIN, STROKE), circle(31.6, 62.4, 2.8, SKIN, STROKE),
    ...face_(50, 42),
    path("M41.4 38C41.6 31 45.6 28.4 50 28.4S58.4 31 58.6 38Q50 34.6 41.4 38Z", trim, STROKE), line("M41 38.4H59", LINE, 1.8),
    suitSign(suit, 31, 46, suit === "E" || suit === "B" ? 36 : 23),
  ];
}

function rey(suit) {
  const [robe, trim] = ROBE[suit];
  return [
    path("M36 58C30 76 27 100 25.4 122Q50 128 74.6 122C73 100 70 76 64 58Z", robe, STROKE),
    path("M43 58H57L60 123Q50 125 40 123Z", trim === GOLD ? "#f1dfae" : "#e6e9ee", STROKE),
    line("M43 58L40 123M57 58L60 123", GOLD, 2.4), line("M26 116Q50 123 74 116", GOLD, 2.4),
    ...[72, 86, 100].map((y) => path(`M50 ${y - 4}L53 ${y} 50 ${y + 4} 47 ${y}Z`, robe)),
    path("M36 58Q50 69 64 58L61 54H39Z", "#f7f3ea", STROKE), ...[40, 46, 54, 60].map((x) => circle(x, 59, 0.9, LINE)),
    path("M64 60C70 64 73 70 74 77L69 80C67.4 74 65 71 61 69ZM36 60C30 64 27 70 26 77L31 80C32.6 74 35 71 39 69Z", robe, STROKE),
    circle(71.6, 79, 3, SKIN, STROKE), circle(28.4, 79, 3, SKIN, STROKE),
    path("M41.6 42C40 51 42 55 44 57H56C58 55 60 51 58.4 42Z", "#8d8478"),
    ...face_(50, 45),
    path("M43.8 46C44.4 54 47 57.4 50 59 53 57.4 55.6 54 56.2 46 53.8 49 46.2 49 43.8 46Z", "#b9b0a2", STROKE), line("M48.4 50.2H51.6", RED, 1),
    path("M41 39.5L38.8 28 44.6 32.6 47 26 50 31 53 26 55.4 32.6 61.2 28 59 39.5Q50 36.4 41 39.5Z", GOLD, STROKE),
    circle(50, 34.6, 1.3, RED), circle(45, 35.6, 1, BLUE), circle(55, 35.6, 1, BLUE),
    suitSign(suit, 73, suit === "E" || suit === "B" ? 62 : 66, suit === "E" || suit === "B" ? 40 : 25),
  ];
}

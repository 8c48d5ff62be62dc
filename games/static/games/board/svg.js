// Small helpers for drawing. Nothing here is an inline style: a strict content security policy forbids those.

const NS = "http://www.w3.org/2000/svg";

/** An element of an SVG drawing with its attributes and children. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.flat());
  return made;
}

/** A filled path. */
export const path = (d, fill, more = {}) => el("path", { d, fill, ...more });

/** A line without filling. */
export const line = (d, stroke, width, more = {}) =>
  el("path", {
    d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", ...more,
  });

export const circle = (cx, cy, r, fill, more = {}) => el("circle", { cx, cy, r, fill, ...more });

/** Drawings moved, and then scaled and turned about where they were moved to. */
export function at(x, y, scale, turn, ...children) {
  return el("g", { transform: `translate(${x} ${y}) scale(${scale}) rotate(${turn})` }, ...children);
}

/** A text whose middle is at x and whose foot is at y. */
export function text(words, x, y, size, fill, more = {}) {
  const made = el("text", {
    x, y, fill, "font-size": size, "text-anchor": "middle", "font-weight": 700,
    "font-family": "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', Georgia, 'DejaVu Serif', serif",
    ...more,
  });
  made.textContent = words;
  return made;
}

// Las Pintas: a row for each suit, a column for each value, and where the variant has them the kings beside.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "spanish";

const SPACE = 3;

export function lay(view, table) {
  const { width, say } = table;
  const columns = view.table[0].length, beside = view.kings ? 1 : 0;
  const edge = width < 560 ? 18 : 40;
  const gap = beside ? GAP * 2 : 0;
  const size = between(20, (width - edge - gap - (columns + beside) * SPACE) / (columns + beside), 78);
  const across = size + SPACE, down = high(size) + SPACE + 2;
  table.head(0, 0, 0, width);
  const top = HEAD + GAP + LABEL;
  const values = valuesOf(columns + 1 - (view.tokens === null ? 0 : 1));

  for (let column = 0; column < columns; column += 1) {
    // As moves count the columns, and below that the value that belongs there.
    table.label(String(column), edge + column * across, top - LABEL, size, LABEL);
    table.label(String(values[column]), edge + column * across, top, size, LABEL - 2, { kind: "worth" });
  }
  if (view.kings) table.label("12", edge + gap + columns * across, top, size, LABEL - 2, { kind: "worth" });
  let hidden = 0;
  view.table.forEach((row, r) => {
    const y = top + LABEL + r * down;
    const suit = view.suits[r];
    table.label(String(r), 0, y, edge - 2, LABEL);
    table.label(suit || width < 560 ? "" : say("free"), 0, y + LABEL, edge - 2, high(size) - LABEL, { suit });
    const name = `${say("row", { row: r })} (${suit ? table.suitName(suit) : say("free")})`;
    row.forEach((place, c) => {
      const at = [edge + c * across, y, size];
      if (!place) table.slot(...at);
      else if (place.face_up) table.card(place.card, ...at);
      else if (place.card) table.card(place.card, ...at, { isDown: true });
      else {
        table.back("table", r * columns + c, ...at);
        hidden += 1;
      }
    });
    table.rowOf(name, row.map((place) => place && (place.face_up ? place.card : place.card ? { down: place.card } : "")));
    if (!view.kings) return;
    const at = [edge + gap + columns * across, y, size];
    if (view.kings[r]) table.card(view.kings[r], ...at);
    else table.slot(...at, { sign: "12" });
  });
  table.hide("table", hidden, edge, top);
  if (view.kings) table.rowOf(say("kings"), view.kings);
  below(view, table, top + LABEL + view.table.length * down + GAP * 2);
}

function below(view, table, y) {
  const { width, say } = table;
  const size = between(46, width / 9, 76);
  const handRoom = Math.max(size + (view.hand.length - 1) * (size * 0.5), 70);
  const room = Math.min(handRoom + size, width * 0.6);
  if (view.hand.length) table.fan("hand 0", { size: view.hand.length, cards: view.hand }, GAP, y, room, size);
  else table.slot(GAP, y, size);
  table.caption(say("hand"), GAP, y + high(size) + 2, 100);
  table.group(say("hand"), view.hand);
  const x = GAP + Math.max(handRoom, size * 2.2) + GAP * 5;
  if (view.start) table.stack("start", say("start"), view.start, x, y, size);
  if (view.tokens !== null) {
    table.marks.push({ kind: "tokens", x, y, width: width - x, height: 28, text: "", count: view.tokens });
    table.caption(`${say("tokens")} ${view.tokens}`, x, y + 30, 120);
    table.note(`${say("tokens")} ${view.tokens}`);
  }
}

/** The values of the columns: all twelve, or without eights and nines. */
function valuesOf(count) {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  return count >= 12 ? all : all.filter((value) => value !== 8 && value !== 9);
}

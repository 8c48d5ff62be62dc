// Kungen (FreeCell): free cells and foundations above, eight columns below.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "french";

const COLUMNS = 8, SUITS = ["C", "D", "H", "S"], CELLS = ["a", "b", "c", "d"];

export function lay(view, table) {
  const { width, say } = table;
  const space = width < 520 ? 3 : 10;
  const size = between(30, (width - (COLUMNS - 1) * space) / COLUMNS, 88);
  const left = (width - COLUMNS * size - (COLUMNS - 1) * space) / 2;
  const x = (column) => left + column * (size + space);
  table.head(0, 0, 0, width);
  const top = HEAD + GAP;

  CELLS.forEach((cell, number) => {
    table.slot(x(number), top, size, { sign: cell });
    if (view.cells[cell]) table.card(view.cells[cell], x(number), top, size);
  });
  table.rowOf(say("cells"), CELLS.map((cell) => view.cells[cell]));
  SUITS.forEach((suit, number) => {
    const card = view.foundations[suit];
    table.slot(x(number + 4), top, size, { suit });
    if (card) {
      const under = "A23456789TJQK"["A23456789TJQK".indexOf(card[0]) - 1];
      if (under) table.card(under + suit, x(number + 4), top, size);
      table.card(card, x(number + 4), top, size);
    }
  });
  table.rowOf(say("foundations"), SUITS.map((suit) => view.foundations[suit]));

  const from = top + high(size) + GAP * 2;
  view.columns.forEach((column, number) => {
    table.label(String(number + 1), x(number), from, size, LABEL);
    if (!column.length) table.slot(x(number), from + LABEL, size);
    const step = Math.round(size * (size < 50 ? 0.56 : 0.5));
    column.forEach((card, place) => table.card(card, x(number), from + LABEL + place * step, size));
    table.group(say("column", { column: number + 1 }), column);
  });
}

// Camelot: the court of sixteen cells, with the places of kings, queens and jacks marked.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "french";

const SIDE = 4, SPACE = 6, EDGE = 16;

/** Who belongs in a cell: kings in the corners, queens above and below, jacks at the sides. */
function royal(row, column) {
  const above = row === 0 || row === SIDE - 1, beside = column === 0 || column === SIDE - 1;
  return above && beside ? "K" : above ? "Q" : beside ? "J" : "";
}

export function lay(view, table) {
  const { width, say } = table;
  const isWide = width >= 620;
  const fits = ((isWide ? width * 0.56 : width) - EDGE - SIDE * SPACE) / SIDE;
  const size = between(50, isWide ? Math.min(fits, (table.tall - HEAD - GAP * 4 - EDGE) / SIDE / 1.4 - SPACE) : fits, isWide ? 92 : 84);
  table.head(0, 0, 0, width, [view.removing && say("removing")]);
  const top = HEAD + GAP * 2;
  const wide = EDGE + SIDE * (size + SPACE);
  const left = isWide ? 0 : Math.max(0, (width - wide) / 2);
  const down = high(size) + SPACE;

  table.ground(left + EDGE - SPACE / 2, top + EDGE - SPACE / 2, SIDE * (size + SPACE), SIDE * down, "middle");
  view.board.forEach((row, r) => {
    table.label(String(r), left + EDGE + r * (size + SPACE), top, size, EDGE);
    table.label(String(r), left, top + EDGE + r * down, EDGE, high(size));
    table.rowOf(`${say("court")}, ${say("row", { row: r })}`, row);
    row.forEach((card, c) => {
      const at = [left + EDGE + c * (size + SPACE), top + EDGE + r * down, size];
      table.slot(...at, { sign: royal(r, c) });
      if (card) table.card(card, ...at);
    });
  });

  const small = isWide ? Math.min(size, 80) : between(46, width / 7, 60);
  const pitch = Math.max(small, 76) + GAP * 2;
  const [x, y] = isWide ? [wide + GAP * 6, top + EDGE] : [GAP, top + EDGE + SIDE * down + GAP];
  table.stack("stock", say("stock"), view.stock, x, y, small);
  table.heap(say("waste"), view.waste ? [view.waste] : [], x + pitch, y, small, { quiet: true });
  table.caption(say("waste"), x + pitch, y + high(small) + 2, pitch);
  const [rx, ry] = isWide ? [x, y + high(small) + LABEL + GAP * 4] : [x + pitch * 2, y];
  table.heap(say("removed"), view.removed, rx, ry, small, { room: Math.max(small, width - rx - GAP) });
}

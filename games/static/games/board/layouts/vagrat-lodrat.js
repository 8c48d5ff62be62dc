// Vågrät & Lodrät: a board of six rows and columns, whose fringe belongs to the one or the other and whose corners to none.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "french";

const SIDE = 6, SPACE = 4, EDGE = 16;
const RANKS = "23456789TJQKA", SUITS = "DSHC";
const worth = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

export function lay(view, table) {
  const { width, say, bottom } = table;
  const beside = width >= 700;
  const size = between(38, Math.floor(((beside ? width * 0.56 : width) - EDGE - SIDE * SPACE) / SIDE), beside ? 70 : 62);
  const boardWide = EDGE + SIDE * (size + SPACE);
  const other = 1 - bottom;

  const seat = (number, x, y, room) => {
    const phase = table.seats[number].acts && !table.isNarrow && say(view.swapped ? "playNext" : "swapFirst");
    table.head(number, x, y, room, [
      say(number === 0 ? "rows" : "columns"),
      say("points", { points: points(view.board, number, table.options?.penalty) }),
      !beside && phase,
    ]);
    const hand = view.hands[number];
    const height = table.fan(`hand ${number}`, hand, x + GAP, y + HEAD + GAP, room - GAP * 2, Math.min(size, 58));
    table.group(say("handOf", { name: table.nameOf(number) }), hand.cards, hand.size);
    // Beside the board the line of the name is too short for it.
    if (beside && phase) table.caption(phase, x + GAP, y + HEAD + GAP + height + 2, room - GAP, "strong");
    return HEAD + GAP + height + GAP;
  };

  if (beside) {
    const x = boardWide + GAP * 4, room = width - x;
    const height = board(view, table, 0, 0, size);
    const used = seat(other, x, 0, room);
    table.stack("aside", say("aside"), view.aside, x + GAP, used + GAP * 6, Math.min(size, 58));
    seat(bottom, x, Math.max(height - HEAD - GAP * 2 - high(size) - LABEL, used + GAP * 8 + high(size) + LABEL), room);
    return;
  }
  table.y = seat(other, 0, 0, width) + GAP;
  const left = Math.max(0, (width - boardWide) / 2);
  table.y += board(view, table, left, table.y, size) + GAP;
  table.y += seat(bottom, 0, table.y, width) + GAP;
  table.stack("aside", say("aside"), view.aside, GAP, table.y + GAP, Math.min(size, 48));
}

function board(view, table, x, y, size) {
  const across = size + SPACE, down = high(size) + SPACE;
  table.ground(x + EDGE + across - SPACE / 2, y + EDGE + down - SPACE / 2, across * 4, down * 4, "middle");
  for (let number = 0; number < SIDE; number += 1) {
    table.label(String(number), x + EDGE + number * across, y, size, EDGE);
    table.label(String(number), x, y + EDGE + number * down, EDGE, high(size));
    table.rowOf(table.say("row", { row: number }), view.board[number]);
  }
  view.board.forEach((row, r) => row.forEach((card, c) => {
    const at = [x + EDGE + c * across, y + EDGE + r * down, size];
    const edges = Number(r === 0 || r === SIDE - 1) + Number(c === 0 || c === SIDE - 1);
    if (card) table.card(card, ...at);
    else if (edges < 2) table.slot(...at, { sign: c === 0 || c === SIDE - 1 ? "↔" : "↕" });
  }));
  return EDGE + SIDE * down;
}

/** A point for every card of a seat's lines, less one for each that comes after a higher one. */
function points(cells, seat, penalty) {
  let sum = 0;
  for (let line = 0; line < SIDE; line += 1) {
    const values = (seat === 0 ? cells[line] : cells.map((row) => row[line])).filter(Boolean).map(worth);
    const isAfterHigher = (value, place) => penalty === "any-earlier"
      ? values.slice(0, place).some((before) => before > value) : place > 0 && values[place - 1] > value;
    sum += values.length - values.filter(isAfterHigher).length;
  }
  return sum;
}

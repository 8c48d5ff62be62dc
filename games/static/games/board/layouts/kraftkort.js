// Kraftkort: the round in the middle, play after play, with the power card beside the stock.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "french";

export function lay(view, table) {
  const { width, say, others, bottom } = table;
  const small = between(34, width / 12, 52), middle = between(46, width / 11, 66), own = between(46, width / 10, 76);
  const columns = others.length === 1 || width < 460 ? 1 : width < 780 ? 2 : 3;

  const seat = (size) => (number, x, y, room) => {
    const thrown = view.thrown[number], name = table.nameOf(number);
    const place = view.out.indexOf(number);
    table.head(number, x, y, room, [
      view.passed.includes(number) && say("passed"),
      place >= 0 && say("place", { place: place + 1 }),
      thrown.size && `${say("thrown")} ${thrown.size}`,
    ]);
    const top = y + HEAD + GAP;
    const height = table.fan(`hand ${number}`, view.hands[number], x + GAP, top, room - GAP * 2, size);
    table.group(say("handOf", { name }), view.hands[number].cards, view.hands[number].size);
    if (thrown.size) table.group(say("thrownOf", { name }), thrown.cards, thrown.size);
    return HEAD + GAP + height + GAP;
  };

  table.grid(others, Math.min(columns, others.length), seat(small));
  middleOf(view, table, middle);
  table.grid([bottom], 1, seat(own));
}

function middleOf(view, table, size) {
  const { width, say } = table;
  const top = table.y + GAP, under = top + GAP + high(size) + 2;
  const pitch = Math.max(size, 66) + GAP * 3;
  let x = GAP * 2;
  if (view.stock.size) {
    table.stack("stock", say("stock"), view.stock, x, top + GAP, size);
    x += pitch;
  }
  if (view.power_card) {
    table.card(view.power_card, x, top + GAP, size);
    table.caption(say("power"), x, under, pitch, "strong");
    table.group(say("power"), [view.power_card]);
    x += pitch + GAP;
  }
  if (view.played.length) {
    table.card(view.played.at(-1), x, top + GAP, size, { dim: true });
    table.caption(`${say("played")} ${view.played.length}`, x, under, Math.min(130, width - x));
    table.group(say("played"), view.played);
    x += pitch;
  }
  const from = x === GAP * 2 ? top + GAP : under + LABEL + GAP;
  const height = roundOf(view, table, from, size);
  table.ground(0, top, width, from + height - top + GAP, "middle");
  table.y = from + height + GAP * 3;
}

/** The plays of the round from the left, in lines; gives their height. */
function roundOf(view, table, from, size) {
  const { width, say } = table;
  const phase = view.exchanging ? say("exchanging") : view.direction ? say(view.direction) : say("noDirection");
  const arrow = { up: "▲ ", down: "▼ " }[view.direction] ?? "";
  table.caption(`${say("round")}: ${arrow}${phase}`, GAP * 2, from, width - GAP * 4, "strong");
  const step = size * 0.42;
  let x = GAP * 2, y = from + LABEL + GAP;
  for (const { seat, cards, as } of view.round) {
    const room = Math.max(size + (cards.length - 1) * step, 64);
    if (x + room > width - GAP && x > GAP * 2) [x, y] = [GAP * 2, y + high(size) + LABEL + GAP];
    cards.forEach((code, number) => table.card(code, x + number * step, y, size));
    const counts = as === cards.length ? "" : ` ${say("as", { count: as })}`;
    table.caption(table.nameOf(seat) + counts, x, y + high(size) + 2, room, "name");
    table.group(`${say("round")}: ${table.nameOf(seat)}${counts}`, cards);
    x += room + GAP * 2;
  }
  if (!view.round.length) table.slot(x, y, size);
  return y + high(size) + LABEL - from;
}

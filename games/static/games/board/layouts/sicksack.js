// Sicksack: the pile in the middle with what it asks for, hands and score piles around it.

import { between, GAP, HEAD, high, LABEL } from "./table.js";

export const deck = "french";

export function lay(view, table) {
  const { width, say, others, bottom } = table;
  const small = between(34, width / 11, 54), large = between(52, width / 8, 84), own = between(50, width / 7, 84);
  const columns = others.length === 1 ? 1 : width < 720 ? 2 : Math.min(3, others.length);

  const seat = (size) => (number, x, y, room) => {
    const score = view.score_piles[number];
    table.head(number, x, y, room);
    const top = y + HEAD + GAP;
    table.fan(`hand ${number}`, view.hands[number], x + GAP, top, room - size - GAP * 4, size);
    table.group(say("handOf", { name: table.nameOf(number) }), view.hands[number].cards, view.hands[number].size);
    const pileAt = x + room - size - GAP;
    if (score.length) table.card(score.at(-1), pileAt, top, size);
    else table.slot(pileAt, top, size);
    const under = Math.max(size, 96);
    table.caption(`${say("scorePile")} ${score.length}`, x + room - under - GAP, top + high(size) + 2, under, "end");
    table.group(say("scorePileOf", { name: table.nameOf(number) }), score);
    return HEAD + GAP + high(size) + LABEL + GAP;
  };

  table.grid(others, columns, seat(small));
  const y = table.y + GAP;
  table.ground(0, y - GAP, width, high(large) + 2 * LABEL + GAP * 3, "middle");
  const x = Math.max(GAP * 2, (width - large * 5.5) / 2);
  table.stack("stock", say("stock"), view.stock, x, y + GAP, large);
  const from = x + large + GAP * 4;
  table.heap(say("pile"), view.pile, from, y + GAP, large, { room: Math.min(width - from - GAP * 2, large * 5) });
  const top = view.pile.at(-1);
  const asks = !top ? "follow_any" : "DH".includes(top[1]) ? "follow_up" : "follow_down";
  table.caption(say(asks), from, y + high(large) + GAP + LABEL, width - from, "strong");
  table.y = y + high(large) + 2 * LABEL + GAP * 4;
  table.grid([bottom], 1, seat(own));
}

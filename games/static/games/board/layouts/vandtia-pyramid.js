// Pyramidvändtia: before each seat a pyramid of four rows and a hand, in the middle stock, pile and what was turned away.

import { between, GAP, HEAD, high, LABEL, TAG } from "./table.js";

export const deck = "french";

const ROWS = 4;
/** In less room, in pixels, a seat's exchanges are told as a fraction. */
const SHORT = 320;

export function lay(view, table) {
  const { width, say, others, bottom } = table;
  const columns = others.length === 1 ? 1 : width < 680 ? Math.min(2, others.length) : others.length;
  const room = width / columns;
  const small = between(26, others.length === 1 ? width / 13 : room / 7, 44), own = between(34, width / 12, 50);
  const large = between(50, width / 9, 74);

  const top = topRow(view.pyramids);

  const seat = (size) => (number, x, y, space) => {
    const place = view.out.indexOf(number), name = table.nameOf(number);
    table.head(number, x, y, space, [
      place >= 0 && `${say("out")}: ${say("place", { place: place + 1 })}`,
      view.phase === "first_exchange"
        && (space < SHORT ? `${view.exchanges[number]}/10` : say("exchanges", { count: view.exchanges[number] })),
    ]);
    const under = y + HEAD + GAP;
    const beside = space > size * 9;
    const height = pyramid(view.pyramids[number], number, table, x + GAP, under, size, top);
    const wide = ROWS * (size + 3);
    const from = beside ? [x + wide + GAP * 4, under, space - wide - GAP * 5] : [x + GAP, under + height + GAP, space - GAP * 2];
    const handHigh = table.fan(`hand ${number}`, view.hands[number], ...from, beside ? Math.min(size * 1.25, 60) : size);
    table.rowOf(say("pyramidOf", { name }), view.pyramids[number].map(({ at, card }) => (
      card && liesFaceDown(at) ? { down: card } : card ?? ""
    )));
    table.group(say("handOf", { name }), view.hands[number].cards, view.hands[number].size);
    return HEAD + GAP + (beside ? Math.max(height, handHigh) : height + GAP + handHigh) + GAP;
  };

  table.grid(others, columns, seat(small));
  const y = table.y + GAP;
  table.ground(0, y - GAP, width, high(large) + LABEL * 2 + GAP * 3, "middle");
  const x = Math.max(GAP * 2, (width - large * 7) / 2);
  table.stack("stock", say("stock"), view.stock, x, y + GAP, large);
  const pileAt = x + large + GAP * 3, awayAt = Math.min(width - large - GAP * 2, pileAt + large * 4.6);
  table.heap(say("pile"), view.pile, pileAt, y + GAP, large, { room: awayAt - pileAt - GAP * 3 });
  if (view.away.length) table.card(view.away.at(-1), awayAt, y + GAP, large, { dim: true });
  else table.slot(awayAt, y + GAP, large);
  table.caption(`${say("away")} ${view.away.length}`, awayAt + large - 120, y + GAP + high(large) + 2, 120, "end");
  table.group(say("away"), view.away);
  const phase = { first_exchange: "firstExchange", second_exchange: "secondExchange" }[view.phase];
  if (phase) table.caption(say(phase), GAP * 2, y + high(large) + LABEL + GAP, width - GAP * 4, "strong");
  table.y = y + high(large) + LABEL * 2 + GAP * 4;
  table.grid([bottom], 1, seat(own));
}

/** Who looks at all cards sees also what lies so: a card that is turned up does not stay in its place. */
const liesFaceDown = ([row]) => row % 2 === 1;

/** The uppermost row that any seat has a card in: above it, as before the second deal, there is no room to keep. */
function topRow(pyramids) {
  return Math.min(ROWS, ...pyramids.flat().map(({ at: [row] }) => row));
}

/** Each row half a card further out than the one that covers it, from a row on; gives its height. */
function pyramid(places, seat, table, x, y, size, from) {
  const across = size + 3, down = high(size) + TAG;
  let hidden = 0;
  for (const { at, card } of [...places].reverse()) {
    const [row, place] = at;
    const left = x + ((ROWS - 1 - row) * across) / 2 + place * across, top = y + (row - from) * down;
    table.tag(`${row},${place}`, left, top + high(size), size);
    if (card) table.card(card, left, top, size, { isDown: liesFaceDown(at) });
    else table.back(`pyramid ${seat}`, row * ROWS + place, left, top, size);
    hidden += card ? 0 : 1;
  }
  table.hide(`pyramid ${seat}`, hidden, x, y);
  return (ROWS - from) * down;
}

// A position in words: the seats, and then what lies where, group by group.

import { html } from "./dom.js";
import { cardName } from "./words.js";

/** A list of what is on a table that was laid out. */
export function inWords(table, say) {
  const seats = table.seats
    .map(({ name, acts, notes }) => [name, acts ? [...notes, say("toAct")] : notes])
    .filter(([name, notes]) => name || notes.length)
    .map(([name, notes]) => html("li", {}, html("b", {}, name), notes.length ? `: ${notes.join(", ")}` : ""));
  const groups = table.groups.map((group) => (
    group.size === null ? html("li", {}, group.name) : html("li", {}, html("b", {}, `${group.name}: `), cardsIn(group, table, say))
  ));
  return html("ul", {}, ...seats, ...groups);
}

function cardsIn({ cards, size, places }, table, say) {
  if (!size) return say("none");
  if (!cards) return size === 1 ? say("hiddenOne") : say("hidden", { count: size });
  const said = (card) => {
    if (card?.down) return `${said(card.down)} (${say("back")})`;
    return card ? cardName(table.language, table.deck, card) : say(places && card === null ? "empty" : "back");
  };
  return cards.map(said).join(", ");
}

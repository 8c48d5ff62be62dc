// Elements of the page, and words with cards in them.

import { suitIcon } from "./cards.js";
import { cardName } from "./words.js";

/** An element with properties, data and attributes (`aria-label`), and children. */
export function html(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

const CODES = { french: /\b([A2-9TJQK])([CDHS])\b/g, spanish: /\b(1[0-2]|[1-9])([OCEB])\b/g };

/** The words of a move, in parts of which every second is a name, with cards written as players write them; each is
    read out by its name. A name may look like a card. */
export function withCards(parts, deck, language) {
  return parts.flatMap((part, number) => (number % 2 ? part : cardsIn(part, deck, language)));
}

/** The same as plain text. */
export function withCardNames(parts, deck, language) {
  return parts.map((part, number) => (
    number % 2 ? part : part.replace(CODES[deck], (code) => cardName(language, deck, code))
  )).join("");
}

function cardsIn(text, deck, language) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(CODES[deck])) {
    const [code, rank, suit] = found;
    parts.push(text.slice(from, found.index), html(
      "span", { className: `code ${suit}` },
      html("span", { "aria-hidden": "true" }, rank === "T" ? "10" : rank, suitIcon(deck, suit)),
      html("span", { className: "unseen" }, cardName(language, deck, code)),
    ));
    from = found.index + code.length;
  }
  return [...parts, text.slice(from)];
}

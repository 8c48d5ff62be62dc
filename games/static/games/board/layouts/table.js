// What the layouts of all games are made with: they put cards, empty places and labels on a table that is as wide as the
// page lets it be, in pixels, and say in groups what lies there for who cannot see it.

import { suitName } from "../words.js";

const GAP = 6;
const HEAD = 26; // a seat's name
const LABEL = 18;
/** How much of a covered card is to be seen, of its width: its corner. */
const CORNER = 0.35;
const MOST_BACKS = 13;
const TAG = 13; // the name of a place under its card
/** On a narrower table, in pixels, words are spared. */
const NARROW = 520;
/** What of the window is taken, in pixels, before anything is scrolled: by what stands over the table, and the controls. */
const TAKEN = 330;

export const isNarrow = (width) => width < NARROW;

export const between = (least, value, most) => Math.max(least, Math.min(value, most));
export const high = (width) => Math.round(width * 1.4);

export class Table {
  /** `seats`: number, name and what is known of each; `bottom`: who sits nearest. `options` are those of the game. */
  constructor({ width, deck, seats, bottom, say, language, options }) {
    Object.assign(this, { width, deck, seats, bottom, say, language, options });
    this.cards = [];
    this.marks = [];
    this.groups = [];
    this.knowsHidden = false; // whether a card is seen that lies face down for the players
    this.hidden = new Map(); // by zone: how many lie face down, and where
    this.y = 0;
  }

  /** The other seats, in turn order from the one nearest. */
  get others() {
    const count = this.seats.length;
    return Array.from({ length: count - 1 }, (_, number) => (this.bottom + 1 + number) % count);
  }

  /** How much of the table is seen, in pixels, while the top of the page is. */
  get tall() {
    return window.innerHeight - TAKEN;
  }

  get isNarrow() {
    return isNarrow(this.width);
  }

  nameOf(seat) {
    return this.seats[seat].name;
  }

  /** A card whose code is known, which is its key, so that it moves from where it lay before. `isDown` is one that lies
      face down for the players; it is dimmed, as is with `dim` one that has been played. */
  card(code, x, y, width, { dim = false, isDown = false } = {}) {
    this.cards.push({ key: code, code, x, y, width, dim: dim || isDown });
    this.knowsHidden ||= isDown;
    this._reach(y + high(width));
  }

  /** A card face down, which has no code. */
  back(zone, number, x, y, width) {
    this.cards.push({ key: `${zone} ${number}`, code: null, x, y, width });
    this._reach(y + high(width));
  }

  /** A stack face down with its number of cards; where it is known what lies on top, that is shown faintly. */
  stack(zone, name, { size, cards = null }, x, y, width) {
    this.hide(zone, cards ? 0 : size, x, y);
    if (!size) this.slot(x, y, width);
    else if (cards) this.card(cards[0], x, y, width, { isDown: true });
    else {
      const seen = Math.min(size, 3);
      for (let number = 0; number < seen; number += 1) this.back(zone, number, x + number * 2, y - number * 2, width);
    }
    this.caption(`${name} ${size}`, x, y + high(width) + 2, width);
    this.group(name, cards, size);
  }

  /** A heap face up, of which the last cards are seen side by side. The first of `cards` lies undermost. */
  heap(name, cards, x, y, width, { room = width, step = width * CORNER, quiet = false } = {}) {
    if (!cards.length) this.slot(x, y, width);
    const seen = cards.slice(-Math.max(1, Math.floor((room - width) / step) + 1));
    seen.forEach((code, number) => this.card(code, x + number * step, y, width));
    if (!quiet) this.caption(`${name} ${cards.length}`, x, y + high(width) + 2, Math.max(width, room));
    this.group(name, cards);
  }

  /** A hand: side by side while there is room, then over one another, then in several rows. Gives its height. */
  fan(zone, { size, cards }, x, y, room, width) {
    this.hide(zone, cards ? 0 : size, x, y);
    if (!cards) {
      const backs = Math.min(size, MOST_BACKS);
      const step = Math.min(width * 0.3, (room - width) / Math.max(1, backs - 1));
      for (let number = 0; number < backs; number += 1) this.back(zone, number, x + number * step, y, width);
      if (size > 1) this.badge(size, x + (backs - 1) * step + width, y - 5);
      return high(width);
    }
    const fit = Math.max(1, Math.floor((room - width) / (width * CORNER)) + 1);
    const rows = Math.max(1, Math.ceil(cards.length / fit));
    const each = Math.ceil(cards.length / rows);
    const step = Math.min(width + GAP / 2, (room - width) / Math.max(1, each - 1));
    const down = Math.round(width * 0.62);
    cards.forEach((code, number) => {
      this.card(code, x + (number % each) * step, y + Math.floor(number / each) * down, width);
    });
    return high(width) + (rows - 1) * down;
  }

  /** An empty place; `sign` is a letter that says what belongs there, `suit` a suit. */
  slot(x, y, width, { sign = "", suit = null } = {}) {
    this.marks.push({ kind: "slot", x, y, width, height: high(width), text: sign, suit });
    this._reach(y + high(width));
  }

  /** A number on a heap, whose right edge is at x: so it stays on the table, however many digits it has. */
  badge(number, x, y) {
    this.marks.push({ kind: "badge", x, y, text: String(number) });
  }

  /** The name of a place, as moves write it, under the card that lies there. */
  tag(words, x, y, width) {
    this.marks.push({ kind: "tag", x: x + width / 2, y, height: TAG, text: words });
    this._reach(y + TAG);
  }

  /** A line of words under or beside cards. */
  caption(words, x, y, width, kind = "") {
    this.marks.push({ kind: `caption ${kind}`, x, y, width, height: LABEL, text: words });
    this._reach(y + LABEL);
  }

  /** Words in the middle of a width, such as the number of a row. */
  label(words, x, y, width, height, { suit = null, kind = "" } = {}) {
    this.marks.push({ kind: `label ${kind}`, x, y, width, height, text: words, suit });
    this._reach(y + height);
  }

  /** A ground under cards that belong together. */
  ground(x, y, width, height, kind = "") {
    this.marks.unshift({ kind: `ground ${kind}`, x, y, width, height, text: "" });
    this._reach(y + height);
  }

  /** A seat's name, with what is to be known of it. Gives its height. */
  head(seat, x, y, width, notes = []) {
    const { name, acts, notes: known } = this.seats[seat];
    const said = [...known, ...(acts && !this.isNarrow ? [this.say("toAct")] : []), ...notes.filter(Boolean)];
    this.marks.push({ kind: "head", x, y, width, height: HEAD, name, acts, notes: said });
    this._reach(y + HEAD);
    return HEAD;
  }

  /** Seats in rows of so many; `draw(seat, x, y, room)` gives how high it is. */
  grid(seats, columns, draw) {
    const room = (this.width - (columns - 1) * GAP * 2) / columns;
    for (let first = 0; first < seats.length; first += columns) {
      const y = this.y;
      const row = seats.slice(first, first + columns);
      const heights = row.map((seat, number) => draw(seat, number * (room + GAP * 2), y, room));
      this.y = y + Math.max(...heights) + GAP * 2;
    }
  }

  /** What lies together: a name, and its cards, or how many there are. */
  group(name, cards, size = cards?.length ?? 0) {
    this.groups.push({ name, cards, size });
  }

  /** Something to be known that is no card. */
  note(words) {
    this.groups.push({ name: words, cards: null, size: null });
  }

  /** Places in a row: a code each, null for an empty one, an empty string for a card face down, or `{down: code}` where
      it is known which. */
  rowOf(name, cards) {
    this.groups.push({ name, cards: [...cards], size: cards.length, places: true });
  }

  suitName(suit) {
    return suitName(this.language, this.deck, suit);
  }

  /** How high the table has become. */
  get height() {
    return Math.ceil(this._bottom ?? 0);
  }

  /** How many lie face down in a zone, and where: cards that come to be seen are taken from there. */
  hide(zone, size, x, y) {
    this.hidden.set(zone, { size, x, y });
  }

  _reach(y) {
    this._bottom = Math.max(this._bottom ?? 0, y);
  }
}

export { GAP, HEAD, LABEL, TAG };

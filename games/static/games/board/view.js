// The table on the page: cards as elements that move to where they lie now, and what lies under and over them.

import { cardBack, cardFace, SMALL, suitIcon } from "./cards.js";
import { html } from "./dom.js";
import { high } from "./layouts/table.js";
import { cardName } from "./words.js";

const MOVING = 420; // milliseconds, a little longer than the transition in the style sheet
const OVER = 1000;

export class TableView {
  constructor(language, say) {
    Object.assign(this, { language, say });
    this.under = html("div", { className: "layer", "aria-hidden": "true" });
    this.cards = html("div", { className: "layer cards" });
    this.over = html("div", { className: "layer over", "aria-hidden": "true" });
    const layers = [this.under, this.cards, this.over];
    this.root = html("div", { className: "table", role: "group", "aria-label": say("table") }, ...layers);
    this.lying = new Map(); // by key: the element and how it lies
    this.hidden = new Map();
  }

  /** Show a table that was laid out, to which an entry of the log led. Without `moving` all is there at once. */
  draw(table, entry, moving) {
    this.root.classList.toggle("still", !moving);
    this.root.style.setProperty("height", `${table.height + 8}px`);
    this._marks(table);
    const hand = entry?.move?.type === "play" && this.hidden.get(`hand ${entry.seat}`);
    const cameFrom = hand?.size ? hand : this._changed(table, entry?.seat, -1);
    const wentTo = this._changed(table, entry?.seat, 1);
    const gone = new Set(this.lying.keys());
    const arriving = [];
    table.cards.forEach((card, number) => {
      gone.delete(card.key);
      const lies = this.lying.get(card.key) ?? this._new(card);
      if (lies.x === undefined && moving && cameFrom) {
        this._place(lies, { x: cameFrom.x, y: cameFrom.y, width: card.width }, OVER + number);
        lies.node.classList.add("coming");
        arriving.push([lies, card, number]);
        return;
      }
      this._lay(lies, card, number, table.deck, moving);
    });
    if (arriving.length) this.root.getBoundingClientRect(); // where they come from has to be drawn first
    for (const [lies, card, number] of arriving) {
      lies.node.classList.remove("coming");
      this._lay(lies, card, number, table.deck, moving);
    }
    gone.forEach((key) => this._take(key, moving ? wentTo : null, moving));
    this.hidden = table.hidden;
  }

  _new(card) {
    const node = html("div", { className: "card", role: "img" });
    const lies = { node };
    this.lying.set(card.key, lies);
    this.cards.append(node);
    return lies;
  }

  _lay(lies, card, number, deck, moving) {
    const isSmall = card.width < SMALL, face = `${deck} ${card.code} ${isSmall}`;
    if (lies.face !== face) {
      lies.face = face;
      lies.node.replaceChildren(card.code ? cardFace(deck, card.code, isSmall) : cardBack(deck));
      const name = card.code ? cardName(this.language, deck, card.code) : this.say("back");
      lies.node.setAttribute("aria-label", name);
      lies.node.title = name;
      lies.node.dataset.card = card.code ?? "";
    }
    lies.node.classList.toggle("dim", Boolean(card.dim));
    const moves = moving && lies.x !== undefined && (lies.x !== card.x || lies.y !== card.y);
    this._place(lies, card, moves ? OVER + number : number);
    if (!moves) return;
    clearTimeout(lies.timer);
    lies.timer = setTimeout(() => lies.node.style.setProperty("z-index", number), MOVING);
  }

  _place(lies, { x, y, width }, level) {
    Object.assign(lies, { x, y });
    const { style } = lies.node;
    style.setProperty("transform", `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
    style.setProperty("width", `${width.toFixed(1)}px`);
    style.setProperty("height", `${high(width)}px`);
    style.setProperty("z-index", level);
  }

  _take(key, to, moving) {
    const { node, timer } = this.lying.get(key);
    this.lying.delete(key);
    clearTimeout(timer);
    if (!moving) return node.remove();
    node.setAttribute("aria-hidden", "true");
    node.classList.add("going");
    if (to) node.style.setProperty("transform", `translate(${to.x}px, ${to.y}px)`);
    setTimeout(() => node.remove(), MOVING);
  }

  /** Where fewer (or more) cards lie face down than before: the mover's own first. */
  _changed(table, mover, sign) {
    const changed = [...table.hidden].filter(([zone, now]) => {
      const before = this.hidden.get(zone);
      return before && Math.sign(now.size - before.size) === sign;
    });
    const own = changed.find(([zone]) => zone.endsWith(` ${mover}`)) ?? changed[0];
    return own?.[1];
  }

  _marks(table) {
    const under = [], over = [];
    for (const mark of table.marks) {
      const node = html("div", { className: `mark ${mark.kind}` });
      for (const side of ["width", "height"]) if (mark[side] !== undefined) node.style.setProperty(side, `${mark[side]}px`);
      node.style.setProperty("transform", `translate(${mark.x}px, ${mark.y}px)`);
      if (mark.kind === "head") node.append(...this._head(mark));
      else if (mark.kind === "tokens") {
        node.append(...Array.from({ length: mark.count }, () => html("span", { className: "token" })));
      } else node.append(mark.suit ? suitIcon(table.deck, mark.suit) : mark.text);
      (mark.kind === "badge" ? over : under).push(node);
    }
    this.under.replaceChildren(...under);
    this.over.replaceChildren(...over);
  }

  _head({ name, acts, notes }) {
    return [
      html("span", { className: acts ? "turn acts" : "turn" }),
      html("b", {}, name),
      ...notes.map((note) => html("span", { className: "note" }, note)),
    ];
  }
}

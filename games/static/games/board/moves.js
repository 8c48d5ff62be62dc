// The list of moves: a part of the log around the current move, which grows as one scrolls.

import { html, withCards } from "./dom.js";

const NEAR = 200; // pixels from an end of the list at which more is fetched

export class MoveList {
  /** `chosen(ply)` is called for a move that was clicked on, `more(ply)` gives a promise of the page with a ply. */
  constructor(language, say, frames, { chosen, more, wordsOf }) {
    Object.assign(this, { language, say, frames, chosen, more, wordsOf });
    this.list = html("ol", { className: "list" });
    this.root = html("section", { className: "moves", "aria-label": say("moves") }, this.list);
    this.from = 0;
    this.to = 0; // plies `from` to `to` are shown
    this.rows = new Map();
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (row) this.chosen(Number(row.dataset.ply));
    });
    this.list.addEventListener("scroll", () => this._grow(), { passive: true });
  }

  clear() {
    this.rows.clear();
    this.list.replaceChildren();
    this.from = this.to = 0;
  }

  /** Show the move that led to a ply as the current one; the deal is ply 0. */
  mark(ply, deck) {
    this.deck = deck;
    if (!this.rows.has(ply)) {
      if (!this.rows.size || ply < this.from - 1 || ply > this.to + 1) this._startAt(ply);
      this._extend();
    } else this._extend();
    const hadFocus = this.list.contains(this.list.getRootNode().activeElement);
    this.current?.removeAttribute("aria-current");
    if (this.current) this.current.tabIndex = -1;
    this.current = this.rows.get(ply);
    if (!this.current) return;
    this.current.setAttribute("aria-current", "step");
    this.current.tabIndex = 0;
    if (hadFocus) this.current.focus({ preventScroll: true });
    this._reveal(this.current);
  }

  _startAt(ply) {
    this.clear();
    this.from = ply;
    this.to = ply - 1;
  }

  /** Add whatever is known on both sides of what is shown. */
  _extend() {
    const before = [];
    while (this.from > 0 && this.frames.get(this.from - 1)) before.unshift(this._row((this.from -= 1)));
    if (before.length) {
      const height = this.list.scrollHeight;
      this.list.prepend(...before);
      this.list.scrollTop += this.list.scrollHeight - height;
    }
    const after = [];
    while (this.frames.get(this.to + 1)) after.push(this._row((this.to += 1)));
    this.list.append(...after);
  }

  _row(ply) {
    const { entry } = this.frames.get(ply);
    const words = entry ? withCards(this.wordsOf(entry), this.deck, this.language) : [this.say("deal")];
    const row = html(
      "button", { type: "button", tabIndex: -1 },
      html("span", { className: "number" }, String(ply)), html("span", { className: "words" }, ...words),
    );
    row.dataset.ply = ply;
    if (entry && !["play", "auto"].includes(entry.kind)) row.classList.add("event");
    this.rows.set(ply, row);
    return html("li", {}, row);
  }

  /** Scroll the list, and not the page, so that a move is in its middle: its ends may be out of the window. */
  _reveal(row) {
    const list = this.list.getBoundingClientRect(), place = row.getBoundingClientRect();
    const room = (list.height - place.height) / 2;
    this.list.scrollTop += place.top - list.top - Math.max(room, 8);
  }

  async _grow() {
    if (this.growing) return;
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const wanted = scrollTop < NEAR && this.from > 0 ? this.from - 1
      : scrollHeight - scrollTop - clientHeight < NEAR && this.to < this.frames.plies ? this.to + 1 : null;
    if (wanted === null) return;
    this.growing = true;
    try {
      await this.more(wanted);
      this._extend();
    } finally {
      this.growing = false;
    }
  }
}

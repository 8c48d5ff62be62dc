// <game-board>: a game step by step, as its players know its table.
//
//   <script type="module" src="…/games/board/board.js"></script>
//   <game-board replay="/api/v1/games/ID/replay" game="/api/v1/games/ID/" events="/api/v1/games/ID/events"
//               ply="17" seat="0" lang="sv" linked></game-board>
//
// replay  the address of the pages of positions: {ply, items: [{entry, position}], next}, by ?cursor=&limit=&seat=
// game    (optional) the address of the game: its seats' names and its status; without it seats have numbers
// events  (optional) the address of the event stream; followed while the game is open or running
// ply     (optional) where to begin; else at the deal, and in a running game at its newest position
// seat    (optional) with whose eyes: a seat's number, or `spectator`; else as the server shows it to who asks
// lang    (optional) en, sv or es; else the page's
// linked  keeps ?ply= and ?seat= in the page's address, which it also begins with, and has a button that copies the link
//
// It follows the page's <html data-theme="light|dark">, else what the reader's system prefers, and paints its own ground;
// a page with another one sets the property `--board-ground`, to `transparent` for instance.

import { Controls } from "./controls.js";
import { html, withCardNames, withCards } from "./dom.js";
import { fetched, Frames } from "./frames.js";
import { inWords } from "./in-words.js";
import { isNarrow, Table } from "./layouts/table.js";
import { Live } from "./live.js";
import { MoveList } from "./moves.js";
import { TableView } from "./view.js";
import { languageOf, speaker, withNames } from "./words.js";

const LAYOUTS = {
  camelot: () => import("./layouts/camelot.js"),
  freecell: () => import("./layouts/freecell.js"),
  kraftkort: () => import("./layouts/kraftkort.js"),
  "las-pintas": () => import("./layouts/las-pintas.js"),
  sicksack: () => import("./layouts/sicksack.js"),
  "vagrat-lodrat": () => import("./layouts/vagrat-lodrat.js"),
  "vandtia-pyramid": () => import("./layouts/vandtia-pyramid.js"),
};
const EYES = /^(\d|spectator)$/;
const TOLD = 6000; // milliseconds that words about what one did stand in the place of those of the move
const AHEAD = 15; // plies before the end of what is known at which more is fetched
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

class GameBoard extends HTMLElement {
  connectedCallback() {
    if (this.isConnectedOnce) {
      this.live?.open();
      this._themes();
      return;
    }
    this.isConnectedOnce = true;
    this.language = languageOf(this.closest("[lang]")?.lang || document.documentElement.lang);
    this.say = speaker(this.language);
    this.isLinked = this.hasAttribute("linked");
    this.frames = new Frames(this.getAttribute("replay"), this.language);
    this.game = null;
    this.shown = null; // the ply that is on the table
    this.follows = false;
    this._build();
    this._themes();
    this._begin();
  }

  disconnectedCallback() {
    this._stop();
    this.live?.close();
    this.themeWatch?.disconnect();
    document.removeEventListener("keydown", this.onPageKey);
  }

  _build() {
    const { say } = this;
    const act = {
      first: () => this._step(0), previous: () => this._step(this.wanted - 1), next: () => this._step(this.wanted + 1),
      last: () => this._step(this.frames.plies), toggle: () => (this.playing ? this._stop() : this._play()),
      goTo: (ply, isDragged) => this._step(ply, isDragged), see: (seat) => this._see(seat), link: () => this._copyLink(),
      follow: () => this._step(this.frames.plies),
    };
    this.controls = new Controls(say, act, this.isLinked);
    this.view = new TableView(this.language, say);
    this.moves = new MoveList(this.language, say, this.frames, {
      chosen: (ply) => this._step(ply), more: (ply) => this.frames.load(ply), wordsOf: (entry) => this._wordsOf(entry),
    });
    this.caption = html("p", { className: "caption-line", "aria-live": "polite", "aria-atomic": "true" });
    this.message = html("p", { className: "message", role: "status" }, say("loading"));
    this.position = html("div", { className: "groups" });
    this.board = html(
      "section", { className: "board", "aria-label": say("board") },
      html(
        "div", { className: "stage" }, this.controls.bar, this.view.root,
        // At the foot of the window while the table is higher than it.
        html("div", { className: "dock" }, html("div", { className: "said" }, this.caption, this.message), this.controls.root),
        this.controls.choices,
      ),
      this.moves.root,
      html("details", { className: "in-words" }, html("summary", {}, say("position")), this.position),
    );
    const sheet = html("link", { rel: "stylesheet", href: new URL("board.css", import.meta.url).href });
    this.board.hidden = true;
    sheet.addEventListener("load", () => {
      this.board.hidden = false;
      this._redraw();
    }, { once: true });
    sheet.addEventListener("error", () => { this.board.hidden = false; }, { once: true });
    this.attachShadow({ mode: "open" }).append(sheet, this.board);
    new ResizeObserver(() => this.view.root.clientWidth !== this.width && this._redraw()).observe(this.view.root);
    this.shadowRoot.addEventListener("keydown", (event) => this.controls.pressed(event));
    // On a page of its own, keys are the board's while nothing else has the focus.
    this.onPageKey = (event) => this.isLinked && event.target === document.body && this.controls.pressed(event);
  }

  _themes() {
    const follow = () => {
      const { dataset, classList } = document.documentElement;
      const theme = dataset.theme || (classList.contains("dark") ? "dark" : "");
      if (theme === "dark" || theme === "light") this.dataset.theme = theme;
      else delete this.dataset.theme;
    };
    follow();
    this.themeWatch = new MutationObserver(follow);
    this.themeWatch.observe(document.documentElement, { attributeFilter: ["data-theme", "class"] });
    document.addEventListener("keydown", this.onPageKey);
  }

  async _begin() {
    const asked = new URLSearchParams(this.isLinked ? location.search : "");
    const first = asked.get("ply") ?? this.getAttribute("ply");
    this.frames.seat = [asked.get("seat"), this.getAttribute("seat")].find((seat) => EYES.test(seat ?? "")) ?? null;
    try {
      await this._readGame();
      if (this.hasAttribute("events") && (!this.game || this._isGoing)) this._follow();
      if (this.game?.status === "open") return this._tell(this.say("notStarted"));
      await this._open(/^\d{1,6}$/.test(first ?? "") ? Number(first) : null);
    } catch (refusal) {
      this._refused(refusal);
    }
  }

  /** Show the first position: the one that was asked for, else that of a running game, else the deal. */
  async _open(asked) {
    this.follows = asked === null && this._isGoing;
    const first = asked ?? (this.follows ? this.frames.plies : 0);
    let refused = null;
    if (this.game && Number(this.frames.seat) >= this.game.seats.length) {
      refused = "noSeat";
      this.frames.seat = null;
    }
    try {
      await this.frames.load(first);
    } catch (refusal) {
      if (refusal.code !== "not_disclosed" || this.frames.seat === null) throw refusal;
      refused = "notDisclosed";
      this.frames.seat = null;
      this.frames.forget();
      await this.frames.load(first);
    }
    await this._step(this.follows ? this.frames.plies : asked ?? 0, false, true);
    if (refused) this._tell(this.say(refused), true);
  }

  get _isGoing() {
    return this.game ? ["open", "running"].includes(this.game.status) : Boolean(this.live?.source);
  }

  async _readGame() {
    if (this.hasAttribute("game")) {
      try {
        this.game = await fetched(new URL(this.getAttribute("game"), document.baseURI), this.language);
      } catch (refusal) {
        // Who may see the replay need not see the game, whose seats have no names then.
        if (refusal.code !== "not_found") throw refusal;
      }
    }
    this.frames.reach(this.game?.ply ?? 0);
    this._offerViewers();
  }

  _offerViewers() {
    const { game, say } = this;
    if (!game) return;
    const isOpen = !this._isGoing && !(game.sealed_until && Date.parse(game.sealed_until) > Date.now());
    const spectator = ["spectator", say("spectator")];
    const seats = game.seats.map((seat) => [String(seat.number), this._nameOf(seat.number)]);
    if (isOpen) this.controls.offer([["", say("everyone")], ...seats, spectator], this.frames.seat);
    else if (game.your_seat === null) this.controls.offer([], null);
    else {
      const chosen = this.frames.seat === "spectator" ? "spectator" : "";
      this.controls.offer([["", this._nameOf(game.your_seat)], spectator], chosen);
    }
  }

  _nameOf(seat) {
    const player = this.game?.seats[seat]?.player;
    if (player?.username.startsWith("deleted-")) return this.say("deletedPlayer");
    return player ? player.display_name || player.username : this.say("seat", { number: seat });
  }

  _wordsOf(entry) {
    const parts = withNames(this.language, entry.text, (seat) => (this.game?.seats[seat]?.player ? this._nameOf(seat) : null));
    if (entry.kind === "auto") parts.push(`${parts.pop()} (${this.say("byItself")})`);
    return parts;
  }

  // Stepping.

  /** Go to a ply; `isDragged` shows it at once, without cards that fly. */
  async _step(ply, isDragged = false, isFirst = false) {
    const { frames } = this;
    ply = Math.max(0, Math.min(ply, frames.plies));
    this.wanted = ply;
    if (!isFirst) this.follows = this._isGoing && ply === frames.plies;
    this.controls.show(ply, frames.plies);
    try {
      const { known } = frames;
      if (!frames.get(ply)) await frames.load(ply);
      if (this.wanted !== ply || known !== frames.known || !frames.get(ply)) return;
    } catch (refusal) {
      return this._refused(refusal);
    }
    this._tell("");
    await this._show(ply, isDragged || isFirst);
    this._fetchAhead(ply);
  }

  _fetchAhead(ply) {
    const { frames, moves } = this;
    for (const near of [Math.min(ply + AHEAD, frames.plies), Math.max(ply - AHEAD, 0)]) {
      // What fails now is asked for again when it is wanted.
      if (!frames.get(near)) frames.load(near).then(() => moves.mark(this.shown, this.deck), () => {});
    }
  }

  async _show(ply, isStill) {
    const frame = this.frames.get(ply);
    const { ruleset } = frame.position;
    if (!(ruleset in LAYOUTS)) return this._tell(this.say("failed"));
    this.layout ??= await LAYOUTS[ruleset]();
    if (this.wanted !== ply) return;
    this.deck = this.layout.deck;
    this.shown = ply;
    this._draw(isStill);
    this._caption(frame, ply);
    this.moves.mark(ply, this.deck);
    this._keepAddress(ply);
    this._showLive();
    const told = frame.entry ? withCardNames(this._wordsOf(frame.entry), this.deck, this.language) : this.say("deal");
    this.controls.show(ply, this.frames.plies, told);
  }

  _draw(isStill) {
    const frame = this.frames.get(this.shown), width = this.view.root.clientWidth;
    if (!frame || !width) return;
    this.width = width;
    const table = new Table({
      width, deck: this.deck, seats: this._seatsAt(frame), bottom: this._bottom(frame), options: this.game?.options,
      say: this.say, language: this.language,
    });
    this.layout.lay(frame.position.view, table);
    this.controls.legend.hidden = !table.knowsHidden;
    this.view.draw(table, frame.entry, !isStill && !stillness.matches);
    this.position.replaceChildren(inWords(table, this.say));
  }

  _redraw() {
    if (this.shown !== null && this.layout) this._draw(true);
  }

  _bottom(frame) {
    const count = this._countSeats(frame);
    const seat = /^\d$/.test(this.frames.seat ?? "") ? Number(this.frames.seat) : this.game?.your_seat ?? 0;
    return seat < count ? seat : 0;
  }

  _countSeats(frame) {
    return this.game?.seats.length ?? frame.position.view.hands?.length ?? 1;
  }

  /** What is known of each seat at a position: its name, whether it may act or has left, and how it ended. */
  _seatsAt(frame) {
    const { say } = this, { outcome, to_act: toAct, ply } = frame.position;
    return Array.from({ length: this._countSeats(frame) }, (_, number) => {
      const result = outcome && { win: say("won"), draw: say("drew"), loss: say("lost") }[outcome.result[number]];
      const isOfPatience = this._countSeats(frame) === 1 && !this.game;
      return {
        number,
        name: isOfPatience ? "" : this._nameOf(number),
        acts: toAct.includes(number),
        notes: [
          result && `${result}, ${isNarrow(this.width) ? outcome.score[number] : say("score", { score: outcome.score[number] })}`,
          this._hasLeft(number, ply) && say("left"),
        ].filter(Boolean),
      };
    });
  }

  /** Whether a seat has left by a ply. When it did is known from the log as far as that has been fetched. */
  _hasLeft(seat, ply) {
    for (const [at, { entry }] of this.frames.known) {
      if (entry && ["resign", "timeout"].includes(entry.kind) && entry.seat === seat) return at <= ply;
    }
    return Boolean(this.game?.seats[seat]?.left) && ply === this.frames.plies;
  }

  _caption(frame, ply) {
    const { say } = this, { position, entry } = frame;
    const parts = [html("span", { className: "at" }, say("ply", { ply, plies: this.frames.plies })), " "];
    parts.push(...(entry ? withCards(this._wordsOf(entry), this.deck, this.language) : [say("deal")]));
    const isClosed = ply === this.frames.plies && this.game?.status === "abandoned";
    if (position.outcome || isClosed) parts.push(" · ", html("b", {}, say(isClosed ? "overVoid" : "over")));
    this.caption.setAttribute("aria-live", this.playing ? "off" : "polite");
    this.caption.replaceChildren(...parts);
  }

  // Playing.

  _play() {
    this.playing = true;
    this.controls.showPlaying(true);
    if (this.wanted === this.frames.plies) this._step(0);
    const go = () => {
      this.timer = setTimeout(async () => {
        if (this.wanted < this.frames.plies) await this._step(this.wanted + 1);
        if (!this.playing) return;
        if (this.wanted >= this.frames.plies) this._stop();
        else go();
      }, this.controls.pause);
    };
    go();
  }

  _stop() {
    this.playing = false;
    clearTimeout(this.timer);
    this.controls.showPlaying(false);
  }

  // With whose eyes.

  async _see(seat) {
    this._stop();
    const before = this.frames.seat;
    this.frames.seat = seat;
    this.frames.forget();
    this.moves.clear();
    try {
      await this.frames.load(this.wanted);
      await this._step(this.wanted, true);
    } catch (refusal) {
      if (refusal.code !== "not_disclosed") return this._refused(refusal);
      await this._see(before);
      this._tell(this.say("notDisclosed"), true);
    }
  }

  _keepAddress(ply) {
    if (!this.isLinked) return;
    history.replaceState(history.state, "", this._address(ply));
  }

  _address(ply) {
    const address = new URL(location.href);
    if (this.follows) address.searchParams.delete("ply");
    else address.searchParams.set("ply", ply);
    if (this.frames.seat === null) address.searchParams.delete("seat");
    else address.searchParams.set("seat", this.frames.seat);
    return address;
  }

  async _copyLink() {
    const address = this._address(this.shown ?? 0);
    address.searchParams.set("ply", this.shown ?? 0);
    try {
      await navigator.clipboard.writeText(address.href);
      this._tell(this.say("copied"), true);
    } catch {
      this._tell(this.say("notCopied", { link: address.href }));
    }
  }

  // A game that goes on.

  _follow() {
    this.live = new Live(this.getAttribute("events"), (kind, data) => this._told(kind, data), () => this._showLive());
    this.live.open();
  }

  async _told(kind, data) {
    try {
      if (kind === "game" || kind === "started") {
        if (kind === "started" || this.game?.status !== data.status) await this._readGame();
        if (this.game?.status === "open") return;
      }
      if (!["game", "started", "entry"].includes(kind)) return await this._ended();
      if (kind === "game" && !["open", "running"].includes(data.status)) return await this._ended();
      this.frames.reach(data.ply ?? 0);
      if (this.shown === null) return kind === "started" ? await this._open(null) : undefined;
      if (this.follows && !this.playing) await this._step(this.frames.plies);
      else this._behind();
    } catch (refusal) {
      this._refused(refusal);
    }
  }

  /** All is open now: what was seen before is fetched anew. */
  async _ended() {
    const wasFollowing = this.follows || this.shown === null;
    await this._readGame();
    if (["open", "cancelled"].includes(this.game?.status)) return;
    this.frames.forget();
    this.moves.clear();
    await this.frames.load(this.wanted ?? 0);
    const { plies } = this.frames;
    await this.frames.load(plies);
    await this._step(wasFollowing ? plies : this.wanted);
  }

  _behind() {
    this.controls.show(this.wanted, this.frames.plies);
    this.moves.mark(this.shown, this.deck);
    this._showLive();
  }

  _showLive() {
    const { controls, say } = this, state = this.live?.state;
    const newer = this.frames.plies - (this.wanted ?? this.frames.plies);
    controls.live.hidden = !state || state === "over";
    controls.live.className = `live ${state}`;
    const isBehind = state === "live" && newer > 0;
    controls.live.textContent = state === "stopped" ? say("stopped") : state === "reconnecting" ? say("reconnecting")
      : isBehind ? say("behind", { count: newer }) : say("live");
    controls.follow.hidden = controls.live.hidden || newer === 0;
    controls.bar.hidden = controls.live.hidden;
  }

  // Being told.

  /** Say something in the place of the words of the move: for some seconds, or until the next thing is said. */
  _tell(words, isBrief = false) {
    clearTimeout(this.telling);
    this.message.replaceChildren(words);
    if (isBrief) this.telling = setTimeout(() => this._tell(""), TOLD);
  }

  _refused(refusal) {
    this._stop();
    const known = { not_started: "notStarted", not_disclosed: "notDisclosed" }[refusal.code];
    this._tell(this.say(known ?? "failed"));
    if (known) return;
    const again = () => (this.shown === null ? this._begin() : this._step(this.wanted));
    this.message.append(" ", html("button", { type: "button", onclick: again }, this.say("again")));
  }
}

customElements.define("game-board", GameBoard);

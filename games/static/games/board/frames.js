// The positions of a game, fetched page by page as they are wanted, and kept.

const PAGE = 50;
const TRIES = 3;

/** What the server says instead of an answer; `code` is that of its problem document, or `offline`. */
export class Refusal extends Error {
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
  }
}

/** A JSON answer in a language. Raises `Refusal`. */
export async function fetched(url, language) {
  let answer;
  try {
    answer = await fetch(url, { headers: { Accept: "application/json", "Accept-Language": language } });
  } catch {
    throw new Refusal("offline");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(body.code ?? String(answer.status), body.detail);
  return body;
}

export class Frames {
  constructor(url, language) {
    this.url = new URL(url, document.baseURI);
    this.language = language;
    this.seat = null;
    this.forget();
  }

  /** How many entries the log has, as far as is known. */
  plies = 0;

  /** Begin anew: with other eyes, or because what was hidden has been opened. */
  forget() {
    this.known = new Map();
    this.coming = new Map();
  }

  get(ply) {
    return this.known.get(ply);
  }

  /** Fetch the frame of a ply, with what of its page is not known yet, unless it is known. Raises `Refusal`. */
  async load(ply) {
    const { known } = this;
    // What was asked for before the game came so far may not have it.
    for (let tries = 0; tries < TRIES && !known.has(ply) && known === this.known; tries += 1) {
      const start = Math.floor(ply / PAGE) * PAGE;
      let cursor = start;
      while (known.has(cursor)) cursor += 1;
      const page = await this._page(cursor, start + PAGE - cursor);
      if (page.ply < ply) return;
    }
  }

  /** The game has come to a ply. */
  reach(ply) {
    this.plies = Math.max(this.plies, ply);
  }

  _page(cursor, limit) {
    if (!this.coming.has(cursor)) {
      const url = new URL(this.url);
      url.searchParams.set("cursor", cursor);
      url.searchParams.set("limit", limit);
      if (this.seat !== null) url.searchParams.set("seat", this.seat);
      const { known, coming } = this;
      const answer = fetched(url, this.language).then((page) => {
        page.items.forEach((frame) => known.set(frame.position.ply, frame));
        this.reach(page.ply);
        return page;
      }).finally(() => coming.delete(cursor));
      coming.set(cursor, answer);
    }
    return this.coming.get(cursor);
  }
}

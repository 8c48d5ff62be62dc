// The positions of a game, fetched page by page as they are wanted, and kept.

const PAGE = 50;
const MOST = 100;

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

  /** The frame of a ply, fetched with its page if it is not known. Raises `Refusal`. */
  async load(ply) {
    if (!this.known.has(ply)) await this._page(Math.floor(ply / PAGE) * PAGE, PAGE);
    return this.known.get(ply);
  }

  /** What has come since the newest frame. Raises `Refusal`. */
  async catchUp() {
    let from = this.plies + (this.known.has(this.plies) ? 1 : 0);
    for (;;) {
      const page = await this._page(from, MOST);
      if (!page.next) return;
      from += page.items.length;
    }
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
        if (known === this.known) this.plies = Math.max(this.plies, page.ply);
        return page;
      }).finally(() => coming.delete(cursor));
      coming.set(cursor, answer);
    }
    return this.coming.get(cursor);
  }
}

// A running game as it goes on, by the server's event stream. A browser comes back by itself with the number of the last
// event; where it gives up, the stream is opened anew after a while.

const AGAIN = 15_000; // milliseconds
const LAST = ["ended", "cancelled", "voided"];

export class Live {
  /** `told(kind, data)` gets each event; `state` is `live`, `reconnecting`, `stopped` or `over`. */
  constructor(url, told, stateChanged) {
    Object.assign(this, { url, told, stateChanged });
    this.state = null;
  }

  open() {
    this.close();
    const source = new EventSource(new URL(this.url, document.baseURI));
    this.source = source;
    source.onopen = () => this._become("live");
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return this._become("reconnecting");
      this._become("stopped");
      this.timer = setTimeout(() => this.open(), AGAIN);
    };
    for (const kind of ["game", "started", "entry", ...LAST]) {
      source.addEventListener(kind, (message) => {
        const data = JSON.parse(message.data);
        const isOver = LAST.includes(kind) || (kind === "game" && !["open", "running"].includes(data.status));
        if (isOver) {
          this.close();
          this._become("over");
        }
        this.told(kind, data);
      });
    }
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  _become(state) {
    if (state === this.state) return;
    this.state = state;
    this.stateChanged(state);
  }
}

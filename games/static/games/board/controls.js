// The board's buttons, slider and choosers, and the keys that do the same.

import { html } from "./dom.js";
import { el } from "./svg.js";

const ICONS = {
  first: "M5 5H7.5V19H5ZM19 5V19L9 12Z",
  previous: "M16 5V19L6 12Z",
  next: "M8 5V19L18 12Z",
  last: "M16.5 5H19V19H16.5ZM5 5V19L15 12Z",
  play: "M7 4V20L20 12Z",
  pause: "M6 5H10V19H6ZM14 5H18V19H14Z",
  link: "M10.6 13.4A4 4 0 0 0 16.3 13.4L19.4 10.3A4 4 0 0 0 13.7 4.6L12.3 6 13.7 7.4 15.1 6A2 2 0 0 1 18 8.9L14.9 12A2 2 0 0 1 12 12Z"
    + "M13.4 10.6A4 4 0 0 0 7.7 10.6L4.6 13.7A4 4 0 0 0 10.3 19.4L11.7 18 10.3 16.6 8.9 18A2 2 0 0 1 6 15.1L9.1 12A2 2 0 0 1 12 12Z",
};
/** Milliseconds that a position stays while the game is played. */
export const SPEEDS = { slow: 2400, normal: 1300, fast: 600 };

function icon(name) {
  const drawing = el("path", { d: ICONS[name], fill: "currentColor" });
  return el("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, drawing);
}

export class Controls {
  /** `act` has functions: first, previous, next, last, toggle, goTo(ply, isDragged), see(seat), link, follow. */
  constructor(say, act, isLinked) {
    Object.assign(this, { say, act });
    const button = (name, pressed) => {
      const named = { title: say(name), "aria-label": say(name) };
      const made = html("button", { type: "button", className: name, ...named, onclick: pressed }, icon(name));
      this[name] = made;
      return made;
    };
    this.slider = html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": say("slider") });
    this.slider.addEventListener("input", () => act.goTo(Number(this.slider.value), true));
    this.ply = html("span", { className: "ply" });
    this.speed = html("select", {}, ...Object.keys(SPEEDS).map((name) => html("option", { value: name }, say(name))));
    this.speed.value = "normal";
    this.viewer = html("select", { onchange: () => act.see(this.viewer.value || null) });
    this.viewerLabel = html("label", { className: "viewer", hidden: true }, say("viewer"), " ", this.viewer);
    this.follow = html("button", { type: "button", className: "follow", hidden: true, onclick: act.follow }, say("follow"));
    this.live = html("span", { className: "live", role: "status", hidden: true });
    this.root = html(
      "div", { className: "controls" },
      html(
        "div", { className: "buttons" },
        button("first", act.first), button("previous", act.previous), button("play", act.toggle),
        button("next", act.next), button("last", act.last), isLinked ? button("link", act.link) : null,
      ),
      html("div", { className: "slide" }, this.slider, this.ply),
    );
    this.legend = html("span", { className: "legend", hidden: true }, say("dimmed"));
    this.choices = html(
      "div", { className: "choices" },
      html("label", {}, say("speed"), " ", this.speed), this.viewerLabel, this.legend,
    );
    this.bar = html("div", { className: "bar" }, this.live, this.follow);
  }

  get pause() {
    return SPEEDS[this.speed.value];
  }

  show(ply, plies, words) {
    this.slider.max = plies;
    this.slider.value = ply;
    this.slider.setAttribute("aria-valuetext", `${this.say("ply", { ply, plies })}${words ? `: ${words}` : ""}`);
    this.ply.textContent = this.say("ply", { ply, plies });
    for (const button of [this.first, this.previous]) button.setAttribute("aria-disabled", ply === 0);
    for (const button of [this.next, this.last]) button.setAttribute("aria-disabled", ply === plies);
  }

  showPlaying(isPlaying) {
    const name = isPlaying ? "pause" : "play";
    this.play.replaceChildren(icon(name));
    this.play.setAttribute("aria-label", this.say(name));
    this.play.title = this.say(name);
  }

  /** Whose eyes can be chosen: pairs of value and name; nothing to choose among fewer than two. */
  offer(viewers, chosen) {
    this.viewerLabel.hidden = viewers.length < 2;
    this.viewer.replaceChildren(...viewers.map(([value, name]) => html("option", { value }, name)));
    this.viewer.value = chosen ?? "";
  }

  /** Do what a key stands for, unless the element that has the focus does something else with it. */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const [target] = event.composedPath();
    if (target.matches?.("select, textarea, input:not([type=range])")) return;
    const isSlider = target.matches?.("input[type=range]"), isButton = target.matches?.("button, summary, a");
    const isInList = target.closest?.(".list");
    const doing = {
      ArrowLeft: this.act.previous, ArrowRight: this.act.next, Home: this.act.first, End: this.act.last,
      ...(isButton ? {} : { " ": this.act.toggle }),
      ...(isInList ? { ArrowUp: this.act.previous, ArrowDown: this.act.next } : {}),
    }[event.key];
    if (!doing || (isSlider && event.key !== " ")) return;
    event.preventDefault();
    doing();
  }
}

/**
 * The subscription panel: type patterns, and see what comes and goes, as it does. Several watches
 * stand side by side; each outlives a lost line, and says so where something was missed.
 */

import { button, choice, freshId, make, rechoose, shortened } from "./make.js";
import { patternsIn } from "./terms.js";
import { Watched } from "./watched.js";

const KINDS = [
  ["both", "appears or ceases"],
  ["appear", "appears"],
  ["disappear", "ceases"],
  ["divergence", "differs from"],
];

/**
 * Builds the panel into an element.
 * @param {HTMLElement} place
 * @param {object} board the page's state (board.js)
 */
export function createWatch(place, board) {
  return new Watch(place, board);
}

class Watch {
  _board;
  _hasOwnMind = false;

  constructor(place, board) {
    this._board = board;
    this.refused = make("p", {
      class: "refused", role: "alert", id: freshId("refused"), hidden: true, "data-testid": "watch-error",
    });
    this.patterns = make("textarea", {
      rows: 3, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      placeholder: "?o isIn ?where\nOne pattern a line, all to hold together.", "aria-label": "patterns to watch, one a line",
      "aria-describedby": this.refused.id, "data-testid": "watch-patterns",
      on: { keydown: (event) => this._key(event), input: () => this._complain(null) },
    });
    this.model = choice([], { "aria-label": "in which mind", "data-testid": "watch-model" });
    this.model.addEventListener("change", () => { this._hasOwnMind = true; });
    this.kind = choice(KINDS, { "aria-label": "what to tell", "data-testid": "watch-on" });
    this.kind.addEventListener("change", () => this._suit());
    this.other = choice([], { "aria-label": "from which mind", "data-testid": "watch-from" });
    this.snapshot = make("input", { type: "checkbox", "data-testid": "watch-snapshot" });
    this.snapshotLabel = make("label", {}, this.snapshot, " what holds now, too");
    const start = make("button", { type: "submit", class: "main", "data-testid": "watch-start" }, "Watch");
    const form = make("form", { class: "question", on: { submit: (event) => this._submit(event) } },
      this.patterns,
      make("div", { class: "row" },
        make("label", {}, "in ", this.model), this.kind, this.other, start, this.snapshotLabel));
    this.none = make("p", { class: "none" },
      "Nothing is watched yet. Watches tell what happens from now on, whatever moment the page shows.");
    this.list = make("div", { class: "watches", "data-testid": "watch-events" });
    place.classList.add("tool", "watch");
    place.replaceChildren(make("div", { class: "sides" },
      make("div", { class: "side asking" }, form, this.refused),
      make("div", { class: "side" }, this.none, this.list)));
    board.on("models", () => this._minds());
    board.on("mind", () => this._minds());
    this._minds();
    this._suit();
  }

  _minds() {
    const { models, mind } = this._board;
    const options = models.map((model) => [model, model]);
    const chosen = this._hasOwnMind && models.includes(this.model.value) ? this.model.value : mind ?? "myself";
    rechoose(this.model, options, chosen);
    rechoose(this.other, options, this.other.value || "myself");
  }

  /** Shows the fields that suit what is to be told. */
  _suit() {
    const isDivergence = this.kind.value === "divergence";
    this.other.hidden = !isDivergence;
    this.snapshotLabel.hidden = isDivergence || this.kind.value === "disappear";
  }

  _key(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this._start();
  }

  _submit(event) {
    event.preventDefault();
    this._start();
  }

  _start() {
    const patterns = patternsIn(this.patterns.value);
    if (patterns.length === 0) return this._complain("Write a pattern, for instance ?o isIn ?where.");
    this._complain(null);
    const wanted = this._wanted(patterns);
    const watched = new Watched(this._board.line, wanted, {
      choose: (what) => this._board.choose(what),
      goTo: (moment) => this._board.goTo(moment),
      refuse: (refusal) => this._complain(refusal.message || String(refusal)),
      over: () => this._count(),
    });
    this.list.prepend(watched.element);
    this._count();
    return watched;
  }

  _wanted(patterns) {
    const model = this.model.value || "myself";
    if (this.kind.value === "divergence") {
      return { op: "subscribe_divergence", model, from: this.other.value, patterns };
    }
    const snapshot = this.snapshot.checked && this.kind.value !== "disappear";
    return { op: "subscribe", model, patterns, on: this.kind.value, snapshot };
  }

  _count() {
    this.none.hidden = this.list.childElementCount > 0;
  }

  _complain(message) {
    this.refused.hidden = message === null;
    this.patterns.setAttribute("aria-invalid", String(message !== null));
    this.refused.replaceChildren(...(message === null ? [] : [shortened(message, 240)]));
  }
}

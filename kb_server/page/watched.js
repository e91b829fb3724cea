/**
 * One watch: its subscription, and the newest of its events, newest first. Events are drawn once
 * a frame, however fast they come, and no more are kept than a person would look through.
 */

import { whyButtons } from "./answers.js";
import { clockTime } from "./history.js";
import { button, make, shortened } from "./make.js";
import { factsFrom } from "./terms.js";

const MOST_ROWS = 200;
const TOLD = { both: "what appears or ceases", appear: "what appears", disappear: "what ceases" };
const WORDS = {
  appear: "appears", disappear: "ceases", diverge: "differs", converge: "agrees",
};
const GAP = "What happened before this could not be told: there is a gap here.";

export class Watched {
  _wanted;
  _does;
  _handle;
  _waiting = [];
  _frame = 0;
  _count = 0;
  _hasBegun = false;

  /**
   * @param {object} line the line to the board (line.js)
   * @param {object} wanted the fields of the subscription
   * @param {{choose: Function, goTo: Function, refuse: Function, over: Function}} does
   */
  constructor(line, wanted, does) {
    this._wanted = wanted;
    this._does = does;
    this.element = this._drawn();
    this._handle = line.subscribe(wanted, (event) => this._hear(event));
  }

  /** Ends the subscription and takes the watch away. */
  end() {
    this._handle.end();
    cancelAnimationFrame(this._frame);
    this.element.remove();
    this._does.over();
  }

  _drawn() {
    const { model, patterns, from, on } = this._wanted;
    const what = from ? `where ${model} differs from ${from}` : `${TOLD[on]} in ${model}`;
    this.counted = make("span", { class: "count", role: "status", "data-testid": "watch-count" }, "waiting for the board …");
    this.rows = make("tbody", { "aria-live": "polite", "aria-relevant": "additions" });
    this.dropped = make("p", { class: "none", hidden: true }, `Only the newest ${MOST_ROWS} are kept.`);
    const title = patterns.join(", ");
    return make("section", { class: "watched", "aria-label": `watch of ${title}`, data: { model }, "data-testid": "watch" },
      make("header", {},
        make("h4", {}, make("span", { class: "fact" }, title), " ", make("span", { class: "hint" }, what)),
        this.counted, make("span", { class: "gap" }),
        button("Clear", () => this._clear(), { "data-testid": "watch-clear" }),
        button("End", () => this.end(), { "data-testid": "watch-end" })),
      make("div", { class: "answer", tabindex: "0" }, make("table", {}, this.rows)), this.dropped);
  }

  _hear(event) {
    const hear = { snapshot_end: () => {}, begun: () => this._begin(event), error: () => this._fail(event) };
    (hear[event.event] ?? (() => this._take(event)))();
  }

  /** It stands, for the first time or again; not resumed, it does not know what it missed. */
  _begin({ resumed, seq }) {
    if (this._hasBegun && !resumed) this._take({ event: "gap", message: `${GAP} It goes on from seq ${seq}.` });
    this._hasBegun = true;
    this._tally();
  }

  /** The board ends it: at once, for what is wrong with it, or later on. */
  _fail({ error }) {
    if (this._hasBegun) {
      this._take({ event: "gap", message: `The board has ended this watch: ${error.message}` });
      return;
    }
    this.end();
    this._does.refuse(error);
  }

  _take(event) {
    this._count += event.event in WORDS ? 1 : 0;
    this._waiting.push(event);
    if (this._waiting.length > MOST_ROWS) this._waiting.splice(0, this._waiting.length - MOST_ROWS);
    this._frame ||= requestAnimationFrame(() => this._draw());
  }

  _draw() {
    this._frame = 0;
    const rows = this._waiting.splice(0).reverse().map((event) => this._row(event));
    this.rows.prepend(...rows);
    while (this.rows.childElementCount > MOST_ROWS) this.rows.lastElementChild.remove();
    this._tally();
  }

  _tally() {
    const many = `${this._count.toLocaleString("en")} event${this._count === 1 ? "" : "s"}`;
    this.counted.textContent = this._count ? many : "nothing yet";
    this.dropped.hidden = this._count <= MOST_ROWS;
  }

  _row(event) {
    if (!(event.event in WORDS)) return this._gap(event);
    const { seq, t, snapshot } = event;
    const when = button(clockTime(t), () => this._does.goTo({ seq, t: Date.parse(t) }), {
      class: "moment", title: `show the board as it was at seq ${seq}`,
    });
    return make("tr", { data: { event: event.event, seq, snapshot: snapshot ? "" : undefined } },
      make("td", { class: "narrow" }, when),
      make("td", { class: "number narrow" }, seq),
      make("td", { class: "narrow what" }, snapshot ? "holds" : WORDS[event.event]),
      make("td", {}, ...this._said(event)));
  }

  _said(event) {
    if (event.bindings) return [this._bindings(event.bindings)];
    const { model, from } = this._wanted;
    const sides = [[model, event.only_here], [from, event.only_there]];
    const only = event.event === "diverge" ? "only in" : "no longer only in";
    return sides.filter(([, rows]) => rows.length).map(([name, rows]) => make("div", {}, `${only} ${name}: `,
      ...rows.map((each) => this._bindings(each, name))));
  }

  _bindings(bindings, model = this._wanted.model) {
    const pairs = Object.entries(bindings);
    const facts = factsFrom(this._wanted.patterns, bindings);
    const words = pairs.length ? pairs.flatMap(([name, term], i) => [
      i ? " " : "", make("span", { class: "bound" }, make("span", { class: "variable" }, `${name} = `), shortened(term)),
    ]) : ["all of it"];
    const whys = whyButtons(facts, (what) => this._does.choose({ model, ...what }));
    return make("span", { class: "bindings" }, ...words, " ", ...whys);
  }

  _gap({ message }) {
    return make("tr", { data: { event: "gap" } }, make("td", { colspan: 4, class: "refused" }, message));
  }

  _clear() {
    this._waiting = [];
    this._count = 0;
    this.rows.replaceChildren();
    this._tally();
  }
}

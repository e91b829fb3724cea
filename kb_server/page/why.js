/**
 * Why: what is known of the fact that is chosen, in the mind it was chosen in: whether it holds,
 * since when and from whom, why, and when it came and went. Of a thing that is chosen: what each
 * mind holds of it (about.js).
 *
 * Explanations are of now, for the board keeps no reasons of the past; at a past moment that is said.
 */

import { portraits } from "./about.js";
import { Refusal, get, modelPath, post } from "./api.js";
import { clockTime, historyOf, historyTable, momentWords } from "./history.js";
import { button, make, shortened } from "./make.js";
import { lastSight } from "./sight.js";
import { isThing, termsOf } from "./terms.js";
import { kindMark, whyTree } from "./why-tree.js";

const SETTLING = 250;

/**
 * Builds the panel into an element; it follows what is chosen on the board.
 * @param {HTMLElement} place
 * @param {object} board the page's state (board.js)
 */
export function createWhy(place, board) {
  return new Why(place, board);
}

class Why {
  _board;
  _place;
  _shown = null;
  _isStale = false;
  _later = 0;
  _asking = new AbortController();
  /** What does not change with the moment. */
  _kept = { key: "", asking: new AbortController() };

  constructor(place, board) {
    this._board = board;
    this._place = place;
    place.classList.add("tool", "why");
    board.on("chosen", () => this._turnTo());
    board.on("moment", () => this._showSoon());
    board.on("facts", () => this._changed());
    new MutationObserver(() => this._isStale && this._show()).observe(place, { attributeFilter: ["hidden"] });
    this._show();
  }

  _turnTo() {
    this._kept.key = "";
    this._show();
  }

  /** Shows anew once the moment rests. */
  _showSoon() {
    clearTimeout(this._later);
    if (this._shown) this._place.setAttribute("aria-busy", "true");
    this._later = setTimeout(() => this._show(), SETTLING);
  }

  /** Shows anew what is chosen, when it can be seen; what was being asked for before counts no more. */
  async _show() {
    clearTimeout(this._later);
    this._asking.abort();
    this._isStale = this._place.hidden;
    if (this._isStale) return undefined;
    const { signal } = (this._asking = new AbortController());
    const chosen = this._chosen();
    this._shown = chosen && { ...chosen, holds: this._holdings(chosen) };
    if (!chosen) return this._put(signal, nothingChosen());
    const parts = chosen.thing ? this._ofThing(chosen, signal) : this._ofFact(chosen, signal);
    this._place.setAttribute("aria-busy", "true");
    return this._put(signal, ...(await parts));
  }

  _put(signal, ...parts) {
    if (signal.aborted) return;
    this._place.removeAttribute("aria-busy");
    const hadFocus = this._place.contains(document.activeElement);
    this._place.replaceChildren(...parts);
    if (hadFocus) this._place.querySelector("h3")?.focus();
  }

  /** Shows a fact anew when it has come or gone in some mind. */
  _changed() {
    const shown = this._shown;
    if (shown?.fact && this._holdings(shown).join() !== shown.holds.join()) this._showSoon();
  }

  _holdings({ fact }) {
    if (!fact) return [];
    return this._board.models.filter((model) => this._board.facts(model).has(fact));
  }

  _chosen() {
    const chosen = this._board.chosen;
    if (!chosen) return null;
    const said = typeof chosen === "string" ? { fact: chosen } : chosen;
    return { ...said, model: said.model ?? this._board.mind ?? "myself" };
  }

  _choose = (what) => this._board.choose(what);

  async _ofThing({ model, thing }, signal) {
    const others = this._board.models.filter((each) => each !== model);
    const found = await portraits(thing, [model, ...others], this._board, signal);
    return [
      make("h3", { tabindex: "-1" }, "All about ", make("span", { class: "fact" }, thing)), ...this._pastNote(),
      make("div", { class: "portraits" }, ...found),
    ];
  }

  async _ofFact({ model, fact }, signal) {
    const isPast = this._board.moment !== null;
    const { subject } = termsOf(fact);
    const [record, proof, history, sight] = await Promise.all([
      settled(this._recordOf(model, fact, signal)),
      ...this._lasting(model, fact),
      settled(lastSight(model, subject, this._board, signal)),
    ]);
    return [
      this._heading(model, fact),
      ...this._pastNote(),
      this._standing(record, history, isPast),
      make("div", { class: "sides" },
        make("div", { class: "side" }, make("h4", {}, isPast ? "Why, as of now" : "Why"),
          this._reasons(model, proof, history), sight.value),
        make("div", { class: "side" }, make("h4", {}, "History"), this._historyPart(model, fact, history))),
    ];
  }

  /** The proof and the history of a fact, which are of now: asked for again when something has happened. */
  _lasting(model, fact) {
    const key = JSON.stringify([model, fact, this._board.moments.last?.seq]);
    if (this._kept.key !== key) {
      this._kept.asking.abort();
      const asking = new AbortController();
      const proof = settled(proofOf(model, fact, asking.signal));
      this._kept = { key, asking, parts: [proof, settled(historyOf(model, fact, {}, asking.signal))] };
    }
    return this._kept.parts;
  }

  async _recordOf(model, fact, signal) {
    const { subject: s, predicate: p, object: o } = termsOf(fact);
    if (this._board.moment && !this._board.isKnown(model)) return null;
    const { facts } = await get(modelPath(model, "facts"), { s, p, o, at: this._board.at }, { signal });
    return facts[0] ?? null;
  }

  _heading(model, fact) {
    const terms = Object.values(termsOf(fact)).map((term, i) => (i !== 1 && isThing(term)
      ? button(term, () => this._choose({ model, thing: term }), { class: "term", title: `all about ${term}` })
      : shortened(term)));
    const words = terms.flatMap((term, i) => (i ? [" ", term] : [term]));
    const minds = this._board.models.map((each) => this._mind(each, each === model, fact));
    return make("header", {},
      make("h3", { class: "fact", tabindex: "-1", data: { fact }, "data-testid": "why-fact" }, ...words),
      make("div", { class: "minds", role: "group", "aria-label": "in which mind" }, ...minds));
  }

  _mind(model, isChosen, fact) {
    const holds = Boolean(this._board.facts(model).has(fact));
    return button(model, () => this._choose({ model, fact }), {
      "aria-pressed": String(isChosen), class: "mind", data: { holds: String(holds) },
      title: holds ? `${model} holds this` : `${model} does not hold this`,
    });
  }

  _standing(record, history, isPast) {
    if (record.refusal) return refused(record.refusal);
    if (!record.value) return make("p", { class: "standing", data: { holds: "false" } }, this._notSince(history, isPast));
    const { kind, since, source, memory, expires } = record.value;
    const said = [
      since && `since ${clockTime(since)}`, source && `from ${source}`,
      memory && `${memory.replace("_", " ")} memory`, expires && `until ${clockTime(expires)}`,
    ].filter(Boolean);
    const holds = isPast ? "It held then: " : "It holds: ";
    return make("p", { class: "standing", data: { holds: "true" } }, holds, kindMark(kind), ` ${said.join(", ")}`);
  }

  _notSince({ value }, isPast) {
    if (isPast) return "At that moment it did not hold in this mind, beyond what is common sense.";
    const last = value?.lines.at(-1);
    if (last?.op === "ceased") {
      return `It does not hold in this mind: it ceased at ${clockTime(last.t)} (seq ${last.seq}).`;
    }
    if (last) return "It is not among what this mind holds of its own.";
    return "No change of this mind's has ever made it true, as far as is kept.";
  }

  _reasons(model, { value, refusal }, history) {
    if (value) return whyTree(value, (fact) => this._choose({ model, fact }));
    if (refusal.code !== "does_not_hold") return refused(refusal);
    const last = history.value?.lines.at(-1);
    const since = last?.op === "ceased" ? `: it ceased at ${clockTime(last.t)} (seq ${last.seq})` : "";
    return make("p", { class: "none", "data-testid": "why-none" },
      this._board.moment ? `Now it does not hold in this mind${since}.` : "What does not hold has no reasons.");
  }

  _historyPart(model, fact, { value, refusal }) {
    if (refusal) return refused(refusal);
    if (value.lines.length === 0 && value.complete && value.since === null) {
      return make("p", { class: "none", "data-testid": "history-rows" }, "Nothing has happened to it.");
    }
    const part = make("div");
    const newest = () => draw(value, null);
    const earlier = async (until) => {
      const before = await settled(historyOf(model, fact, { until }));
      if (before.value) draw(before.value, newest);
      else part.prepend(refused(before.refusal));
    };
    const goTo = (moment) => this._board.goTo(moment);
    const draw = (found, back) => part.replaceChildren(historyTable(found, { goTo, earlier, newest: back }));
    draw(value, null);
    return part;
  }

  _pastNote() {
    const { moment } = this._board;
    if (!moment) return [];
    return [make("p", { class: "note" }, `The page shows the past: ${momentWords(moment)}.`)];
  }
}

function nothingChosen() {
  return make("p", { class: "none" },
    "Click a fact in a mind, or a thing in the scene, to see why it is believed and what became of it.");
}

function refused(refusal) {
  return make("p", { class: "refused", role: "alert" }, shortened(refusal.message || String(refusal), 240));
}

/** Why a fact holds now; asked first whether it does, for most that were believed once do no more. */
async function proofOf(model, fact, signal) {
  const { holds } = await post(modelPath(model, "check"), { patterns: [fact] }, {}, { signal });
  if (!holds) throw new Refusal(404, "does_not_hold", "it does not hold", { fact });
  return post(modelPath(model, "explain"), { fact }, {}, { signal });
}

/** What came of a promise: its value, or the refusal. */
async function settled(promise) {
  try {
    return { value: await promise };
  } catch (refusal) {
    return { refusal };
  }
}

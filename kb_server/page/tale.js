/**
 * What minds were wrong about, as their changes are told in order: the marks of a line of time.
 */

import { disputeOf, displace, place } from "./divergence.js";
import { termsOf } from "./terms.js";

/**
 * @typedef {import("./chronicle.js").Happened} Happened
 * @typedef {{seq: number, t: number, began: boolean, dispute: import("./divergence.js").Dispute,
 *            lasted?: number}} Mark for how many ms it was so, once that is over
 */

const MOST_MARKS = 2_000;
const BLINK = 1_000;

export class Tale {
  constructor() {
    this._seq = -1;
    this._t = 0;
    /** @type {Map<string, import("./divergence.js").Places>} */
    this._minds = new Map();
    /** @type {Set<string>} */
    this._touched = new Set();
    /** @type {Map<string, Mark>} what goes on, by model and thing */
    this._open = new Map();
    /** @type {Mark[]} what is over */
    this._marks = [];
    /** @type {Mark[]|null} */
    this._sorted = null;
  }

  /** Another that goes on from here by itself. */
  copy() {
    const other = new Tale();
    other._seq = this._seq;
    other._t = this._t;
    for (const [model, places] of this._minds) {
      other._minds.set(model, new Map([...places].map(([thing, facts]) => [thing, new Set(facts)])));
    }
    other._open = new Map([...this._open].map(([key, mark]) => [key, { ...mark }]));
    other._marks = [...this._marks];
    return other;
  }

  /** The newest marks, in order. @returns {Mark[]} */
  marks() {
    this._sorted ??= [...this._marks, ...this._open.values()].sort((a, b) => a.seq - b.seq);
    return this._sorted;
  }

  /** @param {Happened[]} events in order, after all that were told before */
  tell(events) {
    for (const event of events) this._tell(event);
    this._settle();
    if (this._marks.length > MOST_MARKS) this._marks = this._marks.slice(-MOST_MARKS / 2);
    this._sorted = null;
  }

  /** @param {Happened} event */
  _tell({ seq, t, model, fact, came }) {
    if (seq !== this._seq) this._settle();
    this._seq = seq;
    this._t = t;
    const places = this._minds.get(model) ?? new Map();
    this._minds.set(model, places);
    if (fact === null) {
      for (const thing of places.keys()) this._touched.add(thing);
      places.clear();
      return;
    }
    (came ? place : displace)(places, fact);
    const { subject, object } = termsOf(fact);
    this._touched.add(subject).add(object);
  }

  /** Sees, once a delta is whole, what it began and ended. */
  _settle() {
    for (const thing of this._touched) {
      for (const model of this._minds.keys()) this._compare(model, thing, this._seq, this._t);
    }
    this._touched.clear();
    for (const [model, places] of this._minds) if (!places.size) this._minds.delete(model);
  }

  /** @param {string} model @param {string} thing @param {number} seq @param {number} t */
  _compare(model, thing, seq, t) {
    const key = `${model} ${thing}`;
    const [mark, dispute] = [this._open.get(key), disputeOf(this._minds, model, thing)];
    if (dispute && !mark) this._open.set(key, { seq, t, began: true, dispute });
    if (dispute || !mark) return; // wrong about another place is still wrong
    this._open.delete(key);
    const lasted = t - mark.t;
    if (lasted >= BLINK) this._marks.push({ ...mark, lasted }, { seq, t, began: false, dispute: mark.dispute, lasted });
  }
}

/**
 * When minds began and ceased to be wrong: the marks on the line of time.
 *
 * What placed things before the page was opened is read from the history of each mind; what comes is
 * heard. Both are told over again in the order of their deltas, and what is wrong only for a moment,
 * while one mind hears of a thing after another, is no mark.
 */

import { get, modelPath } from "./api.js";
import { DISPUTED, disputeOf, displace, isDisputed, place } from "./divergence.js";
import { termsOf } from "./words.js";

/**
 * @typedef {{seq: number, t: number, model: string, fact: string, came: boolean}} Happened
 * @typedef {{seq: number, t: number, began: boolean, dispute: import("./divergence.js").Dispute,
 *            lasted?: number}} Mark for how many ms it was so, once that is over
 */

const MOST = 20_000;
const MOST_MINDS = 24;
const BLINK = 1_000;
const EARLY = 20;

export class Chronicle {
  /** @param {import("./moments.js").Moments} moments */
  constructor(moments) {
    this._moments = moments;
    /** Whether history had been dropped before the page could read it. */
    this.isCut = false;
    this.clear();
  }

  clear() {
    /** @type {Happened[]} */
    this._happened = [];
    /** @type {Set<string>} */
    this._read = new Set();
    /** @type {Set<number>} */
    this._sought = new Set();
    this._isInOrder = true;
    this._age = {};
    this._startAgain();
  }

  /** Reads what these minds went through, those that are new. @param {string[]} models */
  async know(models) {
    const age = this._age;
    if (models.length && !this._read.size) this._readBeginning(age);
    for (const model of models.slice(0, MOST_MINDS)) {
      if (this._read.has(model)) continue;
      this._read.add(model);
      for (const predicate of DISPUTED) await this._readHistory(model, predicate, age);
    }
  }

  /** Learns when deltas were that nobody heard of: one of these minds has each in its history. @param {number[]} seqs @param {string[]} models */
  async locate(seqs, models) {
    const age = this._age;
    for (const seq of seqs) {
      if (seq < 1 || this._moments.has(seq) || this._sought.has(seq)) continue;
      this._sought.add(seq);
      for (const model of models.slice(0, MOST_MINDS)) {
        const found = await get(modelPath(model, "history"), { since: seq, until: seq }).catch(() => null);
        if (age !== this._age) return;
        if (!found?.history.length) continue;
        this._moments.note(seq, Date.parse(found.history[0].t));
        break;
      }
    }
  }

  /** @param {Happened} event */
  add(event) {
    if (!isDisputed(event.fact)) return;
    const last = this._happened.at(-1);
    if (last && event.seq < last.seq) this._isInOrder = false;
    this._happened.push(event);
  }

  /** All marks, in order. @returns {Mark[]} */
  marks() {
    if (!this._isInOrder || this._happened.length > MOST) this._sort();
    while (this._told < this._happened.length) this._tell(this._happened[this._told++]);
    this._settle();
    const all = [...this._marks, ...this._open.values()];
    return all.filter((mark) => !isBlink(mark)).sort((a, b) => a.seq - b.seq);
  }

  /** When the board began. @param {object} age */
  async _readBeginning(age) {
    const path = modelPath("myself", "history");
    const found = await get(path, { until: EARLY }).catch(() => null);
    if (age !== this._age || !found) return;
    this.isCut ||= !found.complete;
    for (const { seq, t } of found.history.slice(0, 1)) this._moments.note(seq, Date.parse(t));
  }

  /** @param {string} model @param {string} predicate @param {object} age */
  async _readHistory(model, predicate, age) {
    const found = await get(modelPath(model, "history"), { p: predicate }).catch(() => null);
    if (age !== this._age || !found) return;
    this.isCut ||= !found.complete;
    for (const { seq, t, op, fact } of found.history) {
      this._moments.note(seq, Date.parse(t));
      this.add({ seq, t: Date.parse(t), model, fact, came: op === "became_true" });
    }
    if (found.history.length) this._isInOrder = false;
  }

  /** In order, each once: what was read may have been heard too. */
  _sort() {
    const known = new Map(this._happened.map((each) => [`${each.seq} ${each.model} ${each.came} ${each.fact}`, each]));
    this._happened = [...known.values()].sort((a, b) => a.seq - b.seq || Number(a.came) - Number(b.came)).slice(-MOST / 2);
    this._isInOrder = true;
    this._startAgain();
  }

  _startAgain() {
    this._told = 0;
    this._seq = -1;
    /** @type {Map<string, import("./divergence.js").Places>} */
    this._minds = new Map();
    /** @type {Set<string>} */
    this._touched = new Set();
    /** @type {Map<string, Mark>} what goes on, by model and thing */
    this._open = new Map();
    /** @type {Mark[]} */
    this._marks = [];
  }

  /** @param {Happened} event */
  _tell({ seq, t, model, fact, came }) {
    if (seq !== this._seq) this._settle();
    this._seq = seq;
    this._t = t;
    const places = this._minds.get(model) ?? new Map();
    this._minds.set(model, places);
    (came ? place : displace)(places, fact);
    const { subject, object } = termsOf(fact);
    this._touched.add(subject).add(object);
  }

  /** Sees, once a delta is whole, what it began and ended. */
  _settle() {
    const [seq, t] = [this._seq, this._t];
    for (const thing of this._touched) {
      for (const model of this._minds.keys()) this._compare(model, thing, seq, t);
    }
    this._touched.clear();
  }

  /** @param {string} model @param {string} thing @param {number} seq @param {number} t */
  _compare(model, thing, seq, t) {
    const key = `${model} ${thing}`;
    const [mark, dispute] = [this._open.get(key), disputeOf(this._minds, model, thing)];
    if (dispute && !mark) this._open.set(key, { seq, t, began: true, dispute });
    if (dispute || !mark) return; // wrong about another place is still wrong
    mark.lasted = t - mark.t;
    this._marks.push(mark, { seq, t, began: false, dispute: mark.dispute, lasted: mark.lasted });
    this._open.delete(key);
  }
}

/** Whether it was so for no longer than a blink. @param {Mark} mark */
function isBlink({ lasted }) {
  return lasted !== undefined && lasted < BLINK;
}

/**
 * When minds began and ceased to be wrong: the marks on the line of time.
 *
 * What placed things before the page was opened is read from the history of each mind; what comes is
 * heard. Both are told over again in the order of their deltas, from where things were before the oldest
 * that is kept; what is wrong only for a moment, while one mind hears of a thing after another, is no mark.
 */

import { get, modelPath } from "./api.js";
import { DISPUTED, isDisputed } from "./divergence.js";
import { Tale } from "./tale.js";

/**
 * @typedef {{seq: number, t: number, model: string, fact: string|null, came: boolean}} Happened without a
 *   fact, all that the mind held went with it
 * @typedef {import("./tale.js").Mark} Mark
 */

const MOST = 10_000;
/** So many deltas of a board are read whole: then it is known when each of them was. */
const YOUNG = 500;
const MOST_MINDS = 24;
const EARLY = 20;

export class Chronicle {
  /** @param {import("./moments.js").Moments} moments */
  constructor(moments) {
    this._moments = moments;
    this.clear();
  }

  clear() {
    /** Whether history had been dropped before the page could read it. */
    this.isCut = false;
    /** @type {Happened[]} */
    this._happened = [];
    /** @type {Set<string>} */
    this._read = new Set();
    /** @type {string[]} */
    this._there = [];
    /** @type {Set<number>} */
    this._sought = new Set();
    this._isInOrder = true;
    this._age = {};
    this._base = new Tale();
    this._startAgain();
  }

  /** Reads what these minds went through, those that are new. @param {string[]} models @param {number} seq the board's */
  async know(models, seq) {
    const age = this._age;
    this._part(models);
    if (models.length && !this._read.size) this._readBeginning(age);
    for (const model of models.slice(0, MOST_MINDS)) {
      if (this._read.has(model)) continue;
      this._read.add(model);
      if (seq <= YOUNG && (await this._readHistory(model, null, age))) continue;
      for (const predicate of DISPUTED) await this._readHistory(model, predicate, age);
    }
  }

  /** Minds that are no more hold nothing, and are read anew where they come again. @param {string[]} models */
  _part(models) {
    const last = this._moments.last;
    for (const model of this._there.filter((each) => !models.includes(each))) {
      this._read.delete(model);
      if (last) this._push({ ...last, model, fact: null, came: false });
    }
    this._there = models;
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
    if (isDisputed(event.fact)) this._push(event);
  }

  /** @param {Happened} event */
  _push(event) {
    const last = this._happened.at(-1);
    if (last && event.seq < last.seq) this._isInOrder = false;
    this._happened.push(event);
  }

  /** All marks, in order. @returns {Mark[]} */
  marks() {
    if (!this._isInOrder || this._happened.length > MOST) this._sort();
    if (this._told < this._happened.length) this._tale.tell(this._happened.slice(this._told));
    this._told = this._happened.length;
    return this._tale.marks();
  }

  /** When the board began. @param {object} age */
  async _readBeginning(age) {
    const path = modelPath("myself", "history");
    const found = await get(path, { until: EARLY }).catch(() => null);
    if (age !== this._age || !found) return;
    this.isCut ||= !found.complete;
    for (const { seq, t } of found.history.slice(0, 1)) this._moments.note(seq, Date.parse(t));
  }

  /** @param {string} model @param {string|null} predicate all, with none @param {object} age */
  async _readHistory(model, predicate, age) {
    const found = await get(modelPath(model, "history"), { p: predicate }).catch(() => null);
    if (age !== this._age || !found) return false;
    this.isCut ||= !found.complete;
    for (const { seq, t, op, fact } of found.history) {
      this._moments.note(seq, Date.parse(t));
      this.add({ seq, t: Date.parse(t), model, fact, came: op === "became_true" });
    }
    if (found.history.length) this._isInOrder = false;
    return true;
  }

  /** In order, each once: what was read may have been heard too. What is too much goes into the base. */
  _sort() {
    const known = new Map(this._happened.map((each) => [`${each.seq} ${each.model} ${each.came} ${each.fact}`, each]));
    this._happened = [...known.values()].sort((a, b) => a.seq - b.seq || rankOf(a) - rankOf(b));
    if (this._happened.length > MOST) this._base.tell(this._happened.splice(0, this._happened.length - MOST / 2));
    this._isInOrder = true;
    this._startAgain();
  }

  _startAgain() {
    this._told = 0;
    this._tale = this._base.copy();
  }
}

/** Within a delta, what ceases comes first, and the end of a mind last. @param {Happened} event */
function rankOf({ fact, came }) {
  return fact === null ? 2 : Number(came);
}

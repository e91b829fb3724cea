/**
 * The disputes of the moment that is shown, kept up by the facts that change.
 *
 * Live, one that comes and goes within a blink is told to nobody: minds hear of a thing one after another.
 */

import { displace, disputesAmong, isDisputed, keyOf, place, placesOf } from "./divergence.js";

/** @typedef {import("./divergence.js").Dispute} Dispute */

const BLINK = 200;

export class Quarrels {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this._board = board;
    /** @type {Dispute[]} */
    this.disputes = [];
    /** @type {Map<string, import("./divergence.js").Places>} */
    this._minds = new Map();
    /** @type {((disputes: Dispute[]) => void)[]} */
    this._hearers = [];
    this._timer = 0;
    /** @type {Map<string, number>} since when each dispute is there */
    this._since = new Map();
    board.on("models", () => this._count());
    board.on("facts", (changes) => this._take(changes));
  }

  /** @param {(disputes: Dispute[]) => void} hear */
  on(hear) {
    this._hearers.push(hear);
  }

  _count() {
    for (const model of [...this._minds.keys()]) {
      if (!this._board.models.includes(model)) this._minds.delete(model);
    }
    this._compare();
  }

  /** @param {Map<string, import("./board.js").Change>} changes */
  _take(changes) {
    let isTouched = false;
    for (const [model, change] of changes) isTouched = this._follow(model, change) || isTouched;
    if (isTouched) this._compare();
  }

  /** @param {string} model @param {import("./board.js").Change} change */
  _follow(model, { came, went, whole }) {
    if (whole || !this._minds.has(model)) {
      this._minds.set(model, placesOf(this._board.facts(model)));
      return true;
    }
    const places = this._minds.get(model);
    const [new_, old] = [[...came].filter(isDisputed), [...went].filter(isDisputed)];
    for (const fact of old) displace(places, fact);
    for (const fact of new_) place(places, fact);
    return new_.length + old.length > 0;
  }

  _compare() {
    if (this._board.moment) this._judge();
    else this._timer ||= setTimeout(() => this._judge(), BLINK);
  }

  _judge() {
    clearTimeout(this._timer);
    this._timer = 0;
    const all = disputesAmong(this._minds);
    const lasting = this._board.moment ? all : this._lasting(all);
    if (lasting.map(keyOf).join() === this.disputes.map(keyOf).join()) return;
    this.disputes = lasting;
    for (const hear of this._hearers) hear(lasting);
  }

  /** Those that have been there for more than a blink; the others are looked at again after one. @param {Dispute[]} all */
  _lasting(all) {
    const now = performance.now();
    this._since = new Map(all.map(keyOf).map((key) => [key, this._since.get(key) ?? now]));
    const lasting = all.filter((each) => now - (this._since.get(keyOf(each)) ?? now) >= BLINK - 1);
    if (lasting.length < all.length) this._timer = setTimeout(() => this._judge(), BLINK);
    return lasting;
  }
}
